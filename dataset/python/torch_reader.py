
STRETCH = 1 << 20  # bytes that are read, and parsed, at once

_FRAME = struct.Struct("<QI")  # the length of a payload, and its checksum


def shards(split, directory=DIRECTORY):
    """Returns the path and the number of records of each shard of a split or of a list
    of splits, in order."""
    with open(os.path.join(directory, "_tfr", "manifest.json"), encoding="utf-8") as f:
        chosen = _chosen(split, json.load(f), directory)
    return [(os.path.join(directory, s["name"]), s["records"]) for one in chosen for s in one["shards"]]


class Dataset(IterableDataset):
    """The records of a split or of a list of splits, dicts of NumPy arrays, numbers,
    str and bytes.

    batch_size   gives batches instead: arrays whose first dimension is the records;
                 lists of what has no shape of its own, or is text. A DataLoader takes
                 them with batch_size=None
    drop_last    only whole batches, and equally many in each worker of each rank
    shuffle      the shards in another order each epoch, and the records within so
                 many; True: 1000. set_epoch tells which epoch it is, persistent
                 workers of a DataLoader, too
    decode       a function for each key of a dict: what becomes of one value
    rank         this process of world_size: of torch.distributed, or of RANK and
                 WORLD_SIZE in the environment, where not given
    check        True: each length is held against its checksum, and no payload
                 is; "payloads": both; False: neither

    Each worker of each rank has a share of the records, equally many but for one.
    state_dict says which comes next, and load_state_dict continues there, with as
    many workers and ranks: StatefulDataLoader of torchdata calls both in its workers.
    """

    def __init__(
        self, split, directory=DIRECTORY, *, batch_size=None, drop_last=False, shuffle=False, seed=0,
        decode=None, rank=None, world_size=None, check=True,
    ):  # fmt: skip
        super().__init__()
        self.shards = shards(split, directory)
        self.split = split if isinstance(split, str) else list(split)
        self.batch_size, self.drop_last, self.check = batch_size, drop_last, check
        self.window, self.seed, self.decode = 1000 if shuffle is True else int(shuffle or 0), seed, decode or {}
        self._counter, self._begun = _counter(0), 0
        self.rank, self.world_size = _rank(rank, world_size)
        self._next, self._share, self._resumes = 0, None, False
        if batch_size is not None and batch_size < 1:
            raise ValueError(f"batch_size: found {batch_size}; expected 1 or more, or None")
        if check not in (True, False, "payloads"):
            raise ValueError(f'check: found {check!r}; expected True, False or "payloads"')
        if not 0 <= seed < 1 << 32:
            raise ValueError(f"seed: found {seed}; expected 0 to {(1 << 32) - 1}")
        unknown = sorted(set(self.decode) - set(FEATURES))
        if unknown:
            raise ValueError(f"decode: found {unknown}; expected some of {sorted(FEATURES)}")

    @property
    def epoch(self):
        """The epoch that the next loop is."""
        return self._counter.value

    @epoch.setter
    def epoch(self, epoch):
        self._counter.value = epoch

    def set_epoch(self, epoch):
        """Says which epoch the next loop is: it shuffles by it. Workers that run
        already learn it, too."""
        self.epoch = epoch

    def __getstate__(self):
        state = self.__dict__.copy()
        if get_spawning_popen() is None:  # a copy, which has an epoch of its own; a worker shares it
            state["_counter"] = self.epoch
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        if isinstance(self._counter, int):
            self._counter = _counter(self._counter)

    def state_dict(self):
        """Returns the position in the epoch, for load_state_dict."""
        epoch = self._begun if self._next else self.epoch
        return {"split": self.split, "epoch": epoch, "seed": self.seed, "shuffle": self.window, "share": self._share, "next": self._next}

    def load_state_dict(self, state):
        """Has the next loop begin where the state was taken."""
        for name, mine in (("split", self.split), ("seed", self.seed), ("shuffle", self.window)):
            if state[name] != mine:
                raise ValueError(f"state: found {name} {state[name]!r}; expected {mine!r}")
        self.epoch = self._begun = state["epoch"]
        self._share, self._next, self._resumes = state["share"], state["next"], True

    def __iter__(self):
        worker = get_worker_info()
        workers = worker.num_workers if worker else 1
        share = [self.rank * workers + (worker.id if worker else 0), self.world_size * workers]
        if self._resumes and self._share not in (None, share):
            raise ValueError(f"state: found share {self._share[0]} of {self._share[1]}; expected {share[0]} of {share[1]}")
        if not self._resumes:
            self._next = 0
        self._share, self._resumes, self._begun = share, False, self.epoch
        return self._loop(self._begun, self._next, *share)

    def _loop(self, epoch, start, number, of):
        total = sum(n for _, n in self.shards)
        first = number * total // of
        count = total // of if self.drop_last else (number + 1) * total // of - first
        groups = self._shuffled(epoch, start, first, count) if self.window else self._chunks(epoch, first + start, first + count)
        for given, item in self._batches(groups, count - start) if self.batch_size else self._records(groups):
            start += given
            self._next = start
            yield item
        self._next = 0

    def _records(self, groups):
        for columns in groups:
            keys = list(columns)
            for values in zip(*columns.values()):
                record = dict(zip(keys, values))
                for key, decode in self.decode.items():
                    record[key] = decode(record[key])
                yield 1, record

    def _batches(self, groups, count):
        whole, rest = divmod(count, self.batch_size)
        sizes = [self.batch_size] * whole + ([rest] if rest and not self.drop_last else [])
        for size, batch in zip(sizes, _regroup(groups, sizes)):
            for key, decode in self.decode.items():
                batch[key] = _stacked([decode(value) for value in batch[key]])
            yield size, batch

    def _random(self, *what):
        return np.random.RandomState([self.seed, *what])  # whose numbers no version of NumPy changes

    def _shuffled(self, epoch, start, first, count):
        """Yields windows of records, each in another order. Where they begin, and so
        which records meet, depends on the epoch."""
        ends = list(range(1 + self._random(epoch, 0, first).randint(self.window), count, self.window)) + [count]
        begins = [0] + ends[:-1]
        windows = [(a, b) for a, b in zip(begins, ends) if b > start]
        if not windows:
            return
        chunks = self._chunks(epoch, first + windows[0][0], first + count)
        for (a, b), columns in zip(windows, _regroup(chunks, [b - a for a, b in windows])):
            order = self._random(epoch, 1, first, a).permutation(b - a)[max(0, start - a) :]
            yield {k: v[order] if isinstance(v, np.ndarray) else [v[i] for i in order] for k, v in columns.items()}

    def _chunks(self, epoch, first, last):
        """Yields the records from first to last, in the epoch's order of the shards."""
        order = self._random(epoch, 2).permutation(len(self.shards)) if self.window else range(len(self.shards))
        at = 0
        for path, n in (self.shards[i] for i in order):
            a, b = max(first - at, 0), min(last - at, n)
            if a < b:
                yield from _read(path, a, b, self.check)
            at += n


def _counter(value):
    """Returns a number that a process shares with the workers it starts."""
    return multiprocessing.Value("q", value, lock=False)


def _rank(rank, world_size):
    if rank is None and world_size is None:
        if torch is not None and torch.distributed.is_available() and torch.distributed.is_initialized():
            rank, world_size = torch.distributed.get_rank(), torch.distributed.get_world_size()
        else:
            rank, world_size = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    if rank is None or world_size is None or not 0 <= rank < world_size:
        raise ValueError(f"rank: found {rank} of world_size {world_size}; expected both, and a rank from 0 to world_size - 1")
    return rank, world_size


# Columns: for each key an array of all records, or a list.


def _regroup(groups, sizes):
    """Yields columns of as many records as each of sizes says."""
    held, at, n = {}, 0, 0
    for size in sizes:
        parts = []
        while size:
            if at == n:
                held, at = next(groups), 0
                n = len(next(iter(held.values())))
            take = min(size, n - at)
            parts.append({k: v[at : at + take] for k, v in held.items()})
            at, size = at + take, size - take
        yield parts[0] if len(parts) == 1 else {k: _joined([p[k] for p in parts]) for k in parts[0]}


def _joined(parts):
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    return [v for part in parts for v in part]


def _stacked(values):
    """Returns arrays of one shape as one, and all else as it is."""
    if all(isinstance(v, np.ndarray) and v.shape == values[0].shape for v in values):
        return np.stack(values)
    if torch is not None and all(torch.is_tensor(v) and v.shape == values[0].shape for v in values):
        return torch.stack(values)
    return values


# The framing: length, its checksum, payload, its checksum.


def _read(path, first, last, check):
    """Yields the columns of the records from first to last of a shard."""
    with _opened(path) as f:
        _skip(f, path, first)
        for data, starts, lengths in _stretches(f, path, first, check):
            n = min(len(starts), last - first)
            starts, lengths = np.array(starts[:n], np.int64), np.array(lengths[:n], np.int64)
            try:
                if check == "payloads":
                    _check_payloads(data, starts, lengths)
                yield _columns(data, starts, lengths)
            except _Fault as fault:
                raise ValueError(f"{path}: record {first + fault.args[0]}: {fault.args[1]}") from None
            first += n
            if first == last:
                return
    raise ValueError(f"{path}: found {first} records; expected {last} or more")


class _Fault(Exception):
    """The number of a record within those at hand, and what is wrong with it."""


def _opened(path):
    if COMPRESSION == "GZIP":
        return gzip.open(path)
    if COMPRESSION == "ZLIB":
        return _Inflated(path)
    return open(path, "rb")


class _Inflated:
    """A file that is compressed with zlib."""

    def __init__(self, path):
        self.file, self.inflate, self.held = open(path, "rb"), zlib.decompressobj(), b""

    def read(self, n):
        while len(self.held) < n and not self.inflate.eof:
            piece = self.inflate.unconsumed_tail or self.file.read(1 << 16)
            if not piece:
                raise EOFError(f"{self.file.name}: ends within its compressed data")
            self.held += self.inflate.decompress(piece, n)
        out, self.held = self.held[:n], self.held[n:]
        return out

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


def _skip(f, path, n):
    for number in range(n):
        head = f.read(12)
        if len(head) < 12:
            raise ValueError(f"{path}: record {number}: the file ends; expected {n} records before that")
        length = _FRAME.unpack(head)[0]
        if COMPRESSION:
            f.read(length + 4)
        else:
            f.seek(length + 4, 1)


def _stretches(f, path, number, check):
    """Yields data, and where the payloads of the whole records in it start, and how
    long they are. What a length asks for is read piece by piece: a wrong one takes no
    more memory than the file has."""
    sums, rest, need = {}, b"", 1
    while True:
        pieces, have = [rest], len(rest)
        while have < need:
            piece = f.read(STRETCH)
            if not piece:
                break
            pieces.append(piece)
            have += len(piece)
        if have < need:
            if have:
                raise ValueError(f"{path}: record {number}: the file ends within it")
            return
        data = b"".join(pieces)
        at, need, starts, lengths = 0, 12, [], []
        while at + 12 <= have:
            length, found = _FRAME.unpack_from(data, at)
            if check and sums.get(length) != found:
                sums[length] = _checksum(length.to_bytes(8, "little"))
                if sums[length] != found:
                    raise ValueError(f"{path}: record {number + len(starts)}: found the checksum {found:08x} of its length; expected {sums[length]:08x}")
            if at + length + 16 > have:
                need = length + 16
                break
            starts.append(at + 12)
            lengths.append(length)
            at += length + 16
        rest = data[at:]
        need = max(need, len(rest) + 1) if rest else 1
        number += len(starts)
        if starts:
            yield data, starts, lengths


def _crc_table():
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = (table >> np.uint32(1)) ^ (table & np.uint32(1)) * np.uint32(0x82F63B78)
    return table


_CRC = _crc_table()
_CRCS = _CRC.tolist()


def _checksum(data):
    """Returns the masked CRC-32C of a few bytes."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _CRCS[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


_PART = 256  # bytes of a payload that are one row of _check_payloads


def _zeros_tables():
    """Returns what _PART zero bytes make of each byte of a CRC."""
    tables = np.arange(256, dtype=np.uint32) << np.arange(0, 32, 8, dtype=np.uint32)[:, None]
    for _ in range(_PART):
        tables = _CRC[tables & np.uint32(255)] ^ tables >> np.uint32(8)
    return tables


_ZEROS = _zeros_tables()


def _check_payloads(data, starts, lengths):
    """Holds payloads against their checksums: all parts of all of them, byte by byte,
    at once, and then what the parts of each make together."""
    b = np.frombuffer(data, np.uint8)
    parts = np.maximum(1, -(-lengths // _PART))
    head = lengths - (parts - 1) * _PART  # the first part is the short one
    firsts = np.cumsum(parts) - parts
    ends = np.repeat(starts + head, parts) + (np.arange(parts.sum()) - np.repeat(firsts, parts)) * _PART
    crc = np.zeros(len(ends), np.uint32)
    sizes = np.full(len(ends), _PART)
    sizes[firsts] = head
    for back in range(_PART, 0, -1):
        value = b.take(ends - back, mode="clip")
        begun = np.flatnonzero(sizes == back)
        crc[begun[np.isin(begun, firsts)]] = 0xFFFFFFFF
        crc = np.where(sizes >= back, _CRC[(crc ^ value) & np.uint32(255)] ^ crc >> np.uint32(8), crc)
    crc[firsts[lengths == 0]] = 0xFFFFFFFF
    whole = crc[firsts]
    for i in range(1, int(parts.max())):
        has = np.flatnonzero(parts > i)
        c = whole[has]
        moved = _ZEROS[0, c & 255] ^ _ZEROS[1, c >> 8 & 255] ^ _ZEROS[2, c >> 16 & 255] ^ _ZEROS[3, c >> 24]
        whole[has] = moved ^ crc[firsts[has] + i]
    whole = (whole ^ 0xFFFFFFFF).astype(np.uint64)
    want = ((whole >> np.uint64(15) | whole << np.uint64(17)) + np.uint64(0xA282EAD8)) & np.uint64(0xFFFFFFFF)
    found = b.take((starts + lengths)[:, None] + np.arange(4)).view("<u4")[:, 0]
    for i in np.flatnonzero(found != want)[:1]:
        raise _Fault(i, f"found the checksum {found[i]:08x} of its payload; expected {want[i]:08x}")


# The message. All records at hand are walked at once, a key after the other, as
# tfr-build writes them: in the order of the keys. Others are read one by one.


def _columns(data, starts, lengths):
    if PAYLOAD:
        payloads = [data[a : a + n] for a, n in zip(starts.tolist(), lengths.tolist())]
        return {PAYLOAD: _texts(payloads, PAYLOAD)}
    lists = _walk(data, starts, starts + lengths) or _one_by_one(data, starts, lengths)
    return {key: _column(key, lists, *feature) for key, feature in FEATURES.items()}


def _walk(data, at, end):
    """Returns the values of each list of all records, how many each record has, and
    which records have the list; None where a record is written in another way."""
    b, lists = np.frombuffer(data, np.uint8), {}
    is_one, at, size = _field(b, at, 10)
    if not (is_one & (at + size == end)).all():
        return None
    for key, (kind, may_lack) in LISTS.items():
        is_one, body, size = _field(b, at, 10)
        after = body + size
        head = _head(key)
        here = is_one & (at < end) & (b.take(body[:, None] + np.arange(len(head)), mode="clip") == head).all(1)
        size, body = _varint(b, body + len(head))
        is_right = body + size == after
        is_one, body, size = _field(b, body, {"bytes": 10, "float": 18, "int64": 26}[kind])
        is_right &= is_one & (body + size == after)
        if not (is_right | ~here).all() or not (may_lack or here.all()):
            return None
        values = (_bytes_lists if kind == "bytes" else _packed)(data, b, body, np.where(here, size, 0), kind)
        if values is None:
            return None
        lists[key] = (*values, here)
        at = np.where(here, after, at)
    return lists if (at == end).all() else None


def _head(key):
    """Returns the bytes of an entry of a map up to the length of its value."""
    key = key.encode()
    size, n = b"", len(key)
    while n > 127:
        size, n = size + bytes([n & 127 | 128]), n >> 7
    return np.frombuffer(b"\x0a" + size + bytes([n]) + key + b"\x12", np.uint8)


def _field(b, at, tag):
    """Returns whether each field has the tag, where it begins and how long it is."""
    size, body = _varint(b, at + 1)
    return b.take(at, mode="clip") == tag, body, size


def _varint(b, at):
    """Returns the length at each position, and the position after it."""
    byte = b.take(at, mode="clip")
    value, more, at = (byte & 127).astype(np.int64), byte > 127, at + 1
    for shift in range(7, 42, 7):
        if not more.any():
            break
        byte = b.take(at, mode="clip")
        value += np.where(more, (byte & 127).astype(np.int64) << shift, 0)
        at = at + more
        more = more & (byte > 127)
    return value, at


def _bytes_lists(data, b, at, size, _):
    is_one, body, length = _field(b, at, 10)
    if (is_one & (body + length == at + size) | (size == 0)).all():  # one text, or none
        spans = zip(body[size > 0].tolist(), length[size > 0].tolist())
        return [data[a : a + n] for a, n in spans], (size > 0).astype(np.int64)
    found = [[v for _, v in _fields(data[a : a + n])] for a, n in zip(at.tolist(), size.tolist())]
    return [v for values in found for v in values], np.array([len(values) for values in found], np.int64)


def _packed(data, b, at, size, kind):
    is_one, body, length = _field(b, at, 10)
    if not (is_one & (body + length == at + size) | (size == 0)).all():
        return None
    return _numbers(_gathered(data, b, body, np.where(size > 0, length, 0)), np.where(size > 0, length, 0), kind)


def _numbers(packed, size, kind):
    """Returns the numbers in packed bytes, of which each record has size, and how many each has."""
    if kind == "float":
        return None if (size % 4).any() else (packed.view("<f4"), size // 4)
    ends = np.flatnonzero(packed < 128)
    last = np.cumsum(size) - 1
    if (packed[last[size > 0]] > 127).any():
        return None
    counts = np.diff(np.searchsorted(ends, last, "right"), prepend=0)
    if len(ends) == len(packed):
        return packed.astype(np.int64), counts
    begins = np.concatenate(([0], ends[:-1] + 1))
    widths = ends - begins + 1
    if widths.max() > 10:
        return None
    shifts = (7 * (np.arange(len(packed)) - np.repeat(begins, widths))).astype(np.uint64)
    return np.add.reduceat((packed & 127).astype(np.uint64) << shifts, begins).view(np.int64), counts


def _gathered(data, b, at, size):
    """Returns the bytes of all spans, one after the other."""
    if not len(size) or size.max() > 64:
        return np.frombuffer(b"".join([data[a : a + n] for a, n in zip(at.tolist(), size.tolist())]), np.uint8)
    if size.min() == size.max():
        return b.take(at[:, None] + np.arange(size[0])).ravel()
    return b.take(np.repeat(at - np.cumsum(size) + size, size) + np.arange(size.sum()))


def _one_by_one(data, starts, lengths):
    """Returns what _walk does, of records that are any Examples."""
    found = {key: ([], [], []) for key in LISTS}
    for i, (start, length) in enumerate(zip(starts.tolist(), lengths.tolist())):
        try:
            entries = {}
            for _, features in _fields(data[start : start + length], 1):
                entries.update((e.get(1, b""), e.get(2, b"")) for e in (dict(_fields(e)) for _, e in _fields(features, 1)))
            for key, (values, counts, here) in found.items():
                feature = entries.get(key.encode())
                list_ = None if feature is None else _list(feature, LISTS[key][0])
                here.append(list_ is not None)
                counts.append(len(list_ or []))
                values += list_ or []
        except (IndexError, struct.error, TypeError):
            raise _Fault(i, "it is not a tf.train.Example") from None
        except _Mismatch as m:
            raise _Fault(i, f"feature {key!r}: {m}") from None
    dtypes = {"float": np.float32, "int64": np.int64}
    return {k: (np.array(v, dtypes[LISTS[k][0]]) if LISTS[k][0] in dtypes else v, np.array(c, np.int64), np.array(h, bool)) for k, (v, c, h) in found.items()}


class _Mismatch(Exception):
    """What a feature is, and should be."""


def _list(feature, kind):
    """Returns the values of a Feature; None where it has none of any kind."""
    numbers = {1: "bytes", 2: "float", 3: "int64"}
    for number, body in _fields(feature):
        if numbers.get(number) != kind:
            raise _Mismatch(f"found a list of {numbers.get(number)}; expected {kind}")
        values = [v for _, v in _fields(body, 1)]
        if kind == "bytes":
            return values
        if kind == "float":
            return list(struct.unpack(f"<{sum(map(len, values)) // 4}f", b"".join(values)))
        return [n - (n >> 63 << 64) for v in values for n in ([v] if isinstance(v, int) else _varints(v))]
    return None


def _fields(data, only=None):
    """Yields the number and the value of each field of a message."""
    at = 0
    while at < len(data):
        tag, at = _varint_at(data, at)
        wire = tag & 7
        if wire == 0:
            value, at = _varint_at(data, at)
        else:
            length = {1: 8, 5: 4}.get(wire)
            if length is None:
                length, at = _varint_at(data, at)
            if wire not in (1, 2, 5) or at + length > len(data):
                raise IndexError
            value, at = data[at : at + length], at + length
        if only is None or tag >> 3 == only:
            yield tag >> 3, value


def _varint_at(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def _varints(data):
    at = 0
    while at < len(data):
        value, at = _varint_at(data, at)
        yield value


# The features.

# What PyTorch has in all versions, for what it has not.
_WIDER = {"uint16": "int32", "uint32": "int64", "uint64": "int64"}


def _column(key, lists, stored, dtype, shape, may_lack):
    """Returns the column of a feature."""
    rank = max(0, shape.count(-1) - 1)  # how many dimensions have rows of their own lengths
    if rank:
        return _ragged(key, lists, rank, dtype, shape)
    values, counts, here = lists[key]
    if stored in ("raw", "tensor"):
        return _decoded(key, lists[key], stored, dtype, shape, may_lack)
    values = _typed(values, dtype)
    if shape[:1] == [-1]:
        return _split(key, values, counts, shape[1:])
    want = int(np.prod(shape, dtype=int))
    for i in np.flatnonzero((counts != want) & ((counts > 0) | ~np.array(may_lack)))[:1]:
        raise _Fault(i, f"feature {key!r}: found {counts[i]} values; expected {want}")
    if dtype in ("bytes", "string"):
        return _text_column(values, counts, want, shape, "" if dtype == "string" else b"")
    if counts.all():
        return values.reshape([len(counts), *shape])
    column = np.full([len(counts), *shape], MISSING[stored], values.dtype)
    column[counts > 0] = values.reshape([-1, *shape])
    return column


def _text_column(values, counts, want, shape, missing):
    if not counts.all():
        given = iter(values)
        values = [next(given) if n else missing for n in np.repeat(counts, want)]
    if not shape:
        return values
    return [_objects(values[i : i + want], shape) for i in range(0, len(values), want)] if want else [_objects([], shape)] * len(counts)


def _objects(texts, shape):
    array = np.empty(len(texts), object)
    array[:] = texts
    return array.reshape(shape)


def _texts(values, dtype):
    return values if dtype == "bytes" else [v.decode() for v in values]


def _typed(values, dtype):
    if dtype in ("bytes", "string"):
        return _texts(values, dtype)
    return values.astype(_WIDER.get(dtype, dtype), copy=False)


def _split(key, values, counts, inner):
    """Returns the values of each record, an array each."""
    size = int(np.prod(inner, dtype=int))
    for i in np.flatnonzero(counts % max(1, size))[:1]:
        raise _Fault(i, f"feature {key!r}: found {counts[i]} values; expected a multiple of {size}")
    ends = np.cumsum(counts).tolist()
    begins = [0] + ends[:-1]
    if isinstance(values, list):
        return [_objects(values[a:b], [-1, *inner]) for a, b in zip(begins, ends)]
    return [values[a:b].reshape([-1, *inner]) for a, b in zip(begins, ends)]


def _ragged(key, lists, rank, dtype, shape):
    """Returns lists of lists of arrays."""
    values, counts, _ = lists[key + "/ragged_flat_values"]
    column = _split(key, _typed(values, dtype), counts, shape[rank + 1 :])
    for level in reversed(range(rank)):
        lengths, counts, _ = lists[f"{key}/ragged_row_lengths_{level}"]
        rows = _split(key, lengths, counts, [])
        for i, row in enumerate(rows):
            if row.sum() != len(column[i]) or (row < 0).any():
                raise _Fault(i, f"feature {key!r}: found rows of {row.sum()} values; expected {len(column[i])}")
            ends = np.cumsum(row).tolist()
            column[i] = [column[i][a:b] for a, b in zip([0] + ends[:-1], ends)]
    return column


def _decoded(key, values, stored, dtype, shape, may_lack):
    """Returns the arrays that are stored as bytes; an empty one where a record has none."""
    payloads, counts, _ = values
    for i in np.flatnonzero((counts != 1) & ((counts > 1) | ~np.array(may_lack)))[:1]:
        raise _Fault(i, f"feature {key!r}: found {counts[i]} values; expected 1")
    none = np.zeros([0] + [max(n, 0) for n in shape[1:]], _wider(np.zeros(0, _numpy(dtype)), dtype).dtype)
    given, column = iter(payloads), []
    for i, n in enumerate(counts.tolist()):
        try:
            column.append((_raw if stored == "raw" else _tensor)(next(given), dtype, shape) if n else none)
        except (_Mismatch, ValueError, OverflowError) as e:
            raise _Fault(i, f"feature {key!r}: {e}") from None
    is_fixed = -1 not in shape and not may_lack and dtype not in ("bytes", "string")
    return np.stack(column) if is_fixed else column


def _numpy(dtype):
    """Returns the NumPy type of the bytes of a number."""
    return {"bytes": object, "string": object, "bfloat16": "<u2"}.get(dtype) or np.dtype(dtype).newbyteorder("<")


def _wider(array, dtype):
    """Returns numbers in a type that PyTorch has."""
    if dtype == "bfloat16":
        return (array.astype(np.uint32) << np.uint32(16)).view(np.float32)
    if dtype == "uint64" and (array > 2**63 - 1).any():
        raise OverflowError(f"found {array.max()}; expected at most {2**63 - 1}, which PyTorch can hold")
    return array.astype(_WIDER.get(dtype, array.dtype.newbyteorder("=")), copy=False)


def _raw(data, dtype, shape):
    return _wider(np.frombuffer(data, _numpy(dtype)).reshape(shape), dtype)


def _tensor(data, dtype, shape):
    """Returns the array of a TensorProto, as TensorFlow serializes it."""
    dims, content, texts = [], b"", []
    for number, value in _fields(data):
        if number == 2:
            dims = [dict(_fields(dim)).get(1, 0) for _, dim in _fields(value, 2)]
        elif number == 4:
            content = value
        elif number == 8:
            texts.append(value)
        elif number != 1:
            raise _Mismatch(f"found field {number} of a TensorProto; expected tensor_content or string_val")
    if len(dims) != len(shape) or any(n not in (-1, d) for n, d in zip(shape, dims)):
        raise _Mismatch(f"found the shape {dims}; expected {shape}")
    if dtype in ("bytes", "string"):
        return _objects(_texts(texts, dtype), dims)
    return _wider(np.frombuffer(content, _numpy(dtype)).reshape(dims), dtype)
