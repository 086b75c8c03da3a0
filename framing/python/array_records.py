

def source(split, directory=DIRECTORY):
    """Returns the records of a split or of a list of splits as they are stored, each by
    its number: what Grain calls a data source. It takes the package array_record."""
    try:
        from array_record.python.array_record_data_source import ArrayRecordDataSource
    except ImportError as e:
        raise ImportError("the shards are ArrayRecord files: pip install array_record") from e
    paths = [path for path, count in zip(*_shards(split, directory)) if count]
    return ArrayRecordDataSource(paths) if paths else []


def _payloads(split, directory, shuffle, seed):
    """Returns the records as they are stored, and how many they are: in order, or
    shuffled, all of them."""
    stored = source(split, directory)
    numbers = tf.data.Dataset.range(len(stored))
    if shuffle:
        numbers = numbers.shuffle(max(1, len(stored)), seed)

    def read(some):
        return tf.constant(stored.__getitems__(some.numpy()), tf.string)

    def batch(some):
        return tf.ensure_shape(tf.py_function(read, [some], tf.string), [None])

    batches = numbers.batch(256).map(batch, num_parallel_calls=tf.data.AUTOTUNE)
    return batches.unbatch(), len(stored)
