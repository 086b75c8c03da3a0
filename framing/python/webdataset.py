

def _samples(path):
    """Yields the key and the members of each sample of an archive."""
    import tarfile

    with tf.io.gfile.GFile(path, "rb") as f, tarfile.open(fileobj=f, mode="r|*") as archive:
        last, members = None, {}
        for info in archive:
            key, _, name = info.name.partition(".")
            if members and key != last:
                yield last, members
                members = {}
            last, members[name] = key, archive.extractfile(info).read()
        if members:
            yield last, members


def _values(feature, value):
    """Returns a value of JSON as the list of an Example has it."""
    import base64

    values = value if feature.get("shape") and "packing" not in feature else [value]
    if feature["type"] == "bytes" or "packing" in feature:
        return [base64.b64decode(text) for text in values]
    return [text.encode() if isinstance(text, str) else text for text in values]


def _packed(feature, content):
    """Returns an array of NumPy as the list of an Example has it."""
    import io

    array = np.load(io.BytesIO(content))
    if feature.get("packing") == "raw":
        return [array.tobytes()]
    if feature.get("packing") == "tensor":
        return [tf.io.serialize_tensor(array).numpy()]
    return array.ravel().tolist()


def _contents(member, feature, left):
    """Returns the contents of the members of one feature."""
    listed, found = bool(feature.get("shape")), []
    while True:
        number = f"{len(found)}." if listed else ""
        names = [name for name in left if name.startswith(number) and (listed or not name.split(".")[0].isdigit())]
        name = number + member["name"] if "name" in member else (names or [""])[0]
        if name not in left:
            return found
        found.append(left.pop(name))
        if not listed:
            return found


def _example(key, members, layout):
    """Returns a sample as a serialized tf.train.Example."""
    features, left = {}, dict(members)
    for member in sorted(layout, key=lambda member: "name" not in member):  # an image is what is left
        feature, content = (member["features"] or [None])[0], None
        if member["as"] == "key":
            features[feature["key"]] = feature, [key.encode()]
        elif member["as"] == "bytes":
            values = _contents(member, feature, left)
            if values or feature.get("shape") and "omitted" not in feature:
                features[feature["key"]] = feature, values
        else:
            content = left.pop(member["name"], None)
        if content is None:
            continue
        if member["as"] == "cls":
            features[feature["key"]] = feature, [int(content)]
        elif member["as"] == "npy":
            features[feature["key"]] = feature, _packed(feature, content)
        else:
            row = json.loads(content)
            for feature in member["features"]:
                if feature["key"] in row:
                    features[feature["key"]] = feature, _values(feature, row[feature["key"]])
    example = tf.train.Example()
    for name, (feature, values) in features.items():
        to = example.features.feature[name]
        if feature["type"] in ("bytes", "string") or "packing" in feature:
            to = to.bytes_list
        else:
            to = to.float_list if "float" in feature["type"] else to.int64_list
        to.SetInParent()  # a list without values is not a missing one
        to.value.extend(int(value) if value is True or value is False else value for value in values)
    return example.SerializeToString()


def _payloads(split, directory, shuffle, seed):
    """Returns the records as serialized Examples, and how many they are: in order, or
    shuffled as dataset says. Python makes each of them; webdataset is faster."""
    with tf.io.gfile.GFile(os.path.join(directory, "_tfr", "manifest.json")) as f:
        layout = json.load(f)["members"]
    paths, counts = _shards(split, directory)

    def read():
        for path in paths:
            for key, members in _samples(path):
                yield _example(key, members, layout)

    payloads = tf.data.Dataset.from_generator(read, output_signature=tf.TensorSpec([], tf.string))
    if shuffle:
        payloads = payloads.shuffle(10_000 if shuffle is True else shuffle, seed)
    return payloads, sum(counts)
