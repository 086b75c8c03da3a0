

def _image(data, channels, size):
    image = tf.io.decode_image(data, channels, expand_animations=False)
    image = tf.ensure_shape(image, [None, None, channels])
    return image if size is True else tf.ensure_shape(tf.image.resize(image, size), [*size, channels])


def dataset(split, directory=DIRECTORY, batch_size=None, *, drop_remainder=False, shuffle=None, seed=None, decode_images=False):
    """Returns the parsed records of the split as a tf.data.Dataset, in order.

    split           the name of a split, or a list of names: one split after the other
    batch_size      gives batches; what has lengths of its own is a RaggedTensor then
    drop_remainder  no smaller batch at the end
    shuffle         another order each time: of the shards, and of the records within
                    so many; True: 10000
    seed            makes the orders the same in each run
    decode_images   True: IMAGES are tensors of uint8; (height, width): they are resized
                    to that, and of float32 from 0 to 255
    """
    if decode_images and not IMAGES:
        raise ValueError("decode_images: the dataset has no images")
    if batch_size and parse_batch and not decode_images:
        payloads, count = _payloads(split, directory, shuffle, seed)
        batches = _counted(payloads.batch(batch_size, drop_remainder), count // batch_size if drop_remainder else -(-count // batch_size))
        return batches.map(parse_batch, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)

    def read(record):
        example = parse(record)
        if decode_images:
            for key, channels in IMAGES.items():
                example[key] = _image(example[key], channels, decode_images)
        return example

    parsed = records(split, directory, shuffle=shuffle, seed=seed).map(read, num_parallel_calls=tf.data.AUTOTUNE)
    if batch_size:
        parsed = parsed.ragged_batch(batch_size, drop_remainder)
    return parsed.prefetch(tf.data.AUTOTUNE)


def _number(example, key):
    """Returns a feature as float32; what a record lacks as NaN."""
    values = tf.cast(example[key], tf.float32)
    return tf.where(example[key] == MISSING[tf.int64], np.nan, values) if example[key].dtype == tf.int64 else values


def _unlabeled(split, directory, label):
    """Returns how many records have no label, as the manifest counts them, how many
    records there are, and whether the first number is exact."""
    splits = _splits(split, directory)
    lacks = [one.get("dropped", {}).get(label, {}) for one in splits]
    dropped = sum(d.get("mixed", 0) for d in lacks)  # values, of which a row may have many
    return dropped + sum(d.get("missing", 0) for d in lacks), sum(one["records"] for one in splits), not dropped


def _is_marker(value):
    """Whether a value is what is read where a record has none."""
    if value.dtype not in MISSING:
        return tf.equal(tf.size(value), 0)
    same = tf.math.is_nan(value) if value.dtype == tf.float32 else tf.equal(value, MISSING[value.dtype])
    return tf.reduce_all(same)


def keras(split, batch_size=32, directory=DIRECTORY, *, label=None, inputs=None, image_size=(224, 224), shuffle=None, seed=None, missing_label="error"):
    """Returns batches of inputs and labels, for model.fit.

    label          the key of a class; the only one where not given. Labels count
                   from 0
    inputs         the key of what the model gets; the only image where not given, and
                   without images a dict of all but the label. A list of keys of single
                   numbers: these beside one another as float32, NaN where one is
                   missing
    image_size     the height and width to which images are resized; float32, 0 to 255
    missing_label  "error": if records have no label, a ValueError says how many;
                   "skip": these records are left out
    """
    if label is None:
        if len(CLASSES) != 1:
            raise ValueError(f"label: found the classes {sorted(CLASSES)}; expected one, or the key of one as label")
        (label,) = CLASSES
    if inputs is None and len(IMAGES) == 1:
        (inputs,) = IMAGES
    keys = [inputs] if isinstance(inputs, str) else inputs or FEATURES
    names = sorted(FEATURES)
    if label not in names:
        raise ValueError(f"label: found {label!r}; expected one of {names}")
    unknown = [key for key in keys if key not in names]
    if unknown:
        raise ValueError(f"inputs: found {unknown}; expected some of {names}")
    if inputs is not None and label in keys:
        raise ValueError(f"inputs: found the label {label!r}; expected other features")
    if missing_label not in ("error", "skip"):
        raise ValueError(f'missing_label: found {missing_label!r}; expected "error" or "skip"')
    may_lack = getattr(FEATURES[label], "default_value", None) is not None
    lacking, total, is_exact = _unlabeled(split, directory, label) if may_lack else (0, 0, True)
    if lacking and missing_label == "error":
        raise ValueError(f'label {label!r}: {lacking} of {total} records have no label; missing_label="skip" leaves them out')

    def has_label(example):
        return tf.logical_not(_is_marker(example[label]))

    def pair(example):
        target = example.pop(label)
        if label in CLASSES:
            target -= CLASSES[label]["first"]
        if inputs is None:
            return example, target
        return example[inputs] if isinstance(inputs, str) else tf.stack([_number(example, key) for key in inputs], 1), target

    images = any(key in IMAGES for key in keys)
    how = {"shuffle": shuffle, "seed": seed, "decode_images": images and tuple(image_size)}
    if lacking:
        batches = dataset(split, directory, **how).filter(has_label).ragged_batch(batch_size)
        if is_exact and label in CLASSES:
            batches = _counted(batches, -(-(total - lacking) // batch_size))
    else:
        batches = dataset(split, directory, batch_size, **how)
    return batches.map(pair, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
