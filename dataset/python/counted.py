

def _counted(dataset, count):
    """Returns a dataset that knows how many it gives."""
    return dataset.apply(tf.data.experimental.assert_cardinality(count))


def records(split, directory=DIRECTORY, *, shuffle=None, seed=None):
    """Returns the records of a split or of a list of splits as they are stored, a
    tf.data.Dataset that knows how many they are: in order, or shuffled as dataset
    says."""
    return _counted(*_payloads(split, directory, shuffle, seed))
