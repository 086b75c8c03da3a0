

def _chosen(split, manifest, directory):
    """Returns the shards of a split, or of several splits one after the other."""
    names = [split] if isinstance(split, str) else list(split)
    splits = {s["name"]: s["shards"] for s in manifest["splits"]}
    for name in names:
        if name not in splits:
            raise ValueError(f"{directory}: found the split {name!r}; expected one of {sorted(splits)}")
    if not names or len(set(names)) < len(names):
        raise ValueError(f"split: found {names}; expected at least one split, and each split once")
    return [shard for name in names for shard in splits[name]]
