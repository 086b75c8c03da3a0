

def fold(k):
    """Returns the splits to train with, all folds but fold k, and the split to validate with.

    train, validation = fold(0)
    """
    if k not in range(FOLDS):
        raise ValueError(f"k: found {k!r}; expected a fold from 0 to {FOLDS - 1}")
    return [f"fold_{i}" for i in range(FOLDS) if i != k], f"fold_{k}"
