

def dali_pipeline(split, batch_size, directory=DIRECTORY, *, features=None, image_size=None, shuffle=False, num_threads=2, device_id=None, **reader):
    """Returns a pipeline of NVIDIA DALI: each batch has the features, in their order.

    features    the keys; all of FEATURES where not given
    image_size  the height and width to which IMAGES are decoded and resized, uint8;
                they are bytes where not given
    device_id   the GPU; None: the CPU alone
    reader      more arguments of fn.readers.tfrecord: shard_id, num_shards …

    Its reader has the name "records", and needs the files that "index: true" in the
    config makes.
    """
    keys = list(features or FEATURES)
    unknown, wrong = sorted(set(keys) - set(FEATURES)), [f"{k}: {DALI[k]}" for k in keys if k in DALI]
    if unknown:
        raise ValueError(f"features: found {unknown}; expected some of {sorted(FEATURES)}")
    if wrong:
        raise ValueError("DALI misreads some features; give those that it does not as features=[…]. " + "; ".join(wrong))
    paths = files(split, directory)
    index = [os.path.join(directory, "_tfr", "index", os.path.relpath(p, directory) + ".idx") for p in paths]
    absent = [p for p in index if not os.path.exists(p)]
    if absent:
        raise ValueError(f"{absent[0]} is missing: DALI needs it; build the dataset with index: true")
    from nvidia.dali import fn, pipeline_def, tfrecord

    def described(spec):
        dtype = {tf.int64: tfrecord.int64, tf.float32: tfrecord.float32, tf.string: tfrecord.string}[spec.dtype]
        default = {tf.int64: 0, tf.float32: 0.0, tf.string: ""}[spec.dtype]
        if isinstance(spec, tf.io.FixedLenFeature):
            return tfrecord.FixedLenFeature(spec.shape, dtype, default)
        return tfrecord.VarLenFeature(dtype, default)

    @pipeline_def(batch_size=batch_size, num_threads=num_threads, device_id=device_id)
    def pipeline():
        specs = {key: described(FEATURES[key]) for key in keys}
        values = fn.readers.tfrecord(path=paths, index_path=index, features=specs, random_shuffle=shuffle, name="records", **reader)
        for key in set(keys) & set(IMAGES) if image_size else ():
            images = fn.decoders.image(values[key], device="cpu" if device_id is None else "mixed")
            values[key] = fn.resize(images, size=image_size)
        return tuple(values[key] for key in keys)

    return pipeline()
