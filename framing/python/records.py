

def _payloads(split, directory, shuffle, seed):
    """Returns the records as they are stored, and how many they are: in order, or
    shuffled as dataset says."""
    paths, counts = _shards(split, directory)
    if not shuffle:
        payloads = tf.data.TFRecordDataset(paths, COMPRESSION)
    else:
        payloads = tf.data.Dataset.from_tensor_slices(tf.constant(paths, tf.string)).shuffle(max(1, len(paths)), seed)
        read = lambda path: tf.data.TFRecordDataset(path, COMPRESSION)
        payloads = payloads.interleave(read, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE, deterministic=True)
        payloads = payloads.shuffle(10_000 if shuffle is True else shuffle, seed)
    return payloads, sum(counts)
