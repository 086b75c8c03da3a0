

def _shards(split, directory):
    """Returns the paths and the numbers of records of the shards, in order."""
    with tf.io.gfile.GFile(os.path.join(directory, "_tfr", "manifest.json")) as f:
        shards = _chosen(split, json.load(f), directory)
    return [os.path.join(directory, s["name"]) for s in shards], [s["records"] for s in shards]


def files(split, directory=DIRECTORY):
    """Returns the paths of the shards of a split or of a list of splits, in order."""
    return _shards(split, directory)[0]
