

def _shards(split, directory):
    """Returns the paths and the numbers of records of the split's shards, in order."""
    with tf.io.gfile.GFile(os.path.join(directory, "_tfr", "manifest.json")) as f:
        splits = {s["name"]: s["shards"] for s in json.load(f)["splits"]}
    if split not in splits:
        raise ValueError(f"{directory}: found the split {split!r}; expected one of {sorted(splits)}")
    return [os.path.join(directory, s["name"]) for s in splits[split]], [s["records"] for s in splits[split]]


def files(split, directory=DIRECTORY):
    """Returns the paths of the split's shards, in order."""
    return _shards(split, directory)[0]
