

def dataset(split, directory=DIRECTORY, batch_size=None, *, drop_remainder=False, shuffle=None, seed=None):
    """Returns the parsed records of the split as a tf.data.Dataset, in order.

    split           the name of a split, or a list of names: one split after the other
    batch_size      gives batches; what has lengths of its own is a RaggedTensor then
    drop_remainder  no smaller batch at the end
    shuffle         another order each time: of the shards, and of the records within
                    so many; True: 10000
    seed            makes the orders the same in each run
    """
    parsed = records(split, directory, shuffle=shuffle, seed=seed).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    if batch_size:
        parsed = parsed.ragged_batch(batch_size, drop_remainder)
    return parsed.prefetch(tf.data.AUTOTUNE)
