"""The samples of WebDataset archives as rows, for the checks of programs that read them."""

import io
import json

import yardstick


def manifest(dataset):
    """The splits of a dataset by name."""
    text = (yardstick.pathlib.Path("out/samples") / dataset / "_tfr/manifest.json").read_text()
    return {split["name"]: split for split in json.loads(text)["splits"]}


def shards(dataset, split):
    """The archives of a split, in order."""
    return [f"out/samples/{dataset}/{shard['name']}" for shard in manifest(dataset)[split]["shards"]]


def splits(dataset):
    """The names of the splits."""
    return list(manifest(dataset))


def row(sample):
    """The features of a sample: the members, and those in json, which may be decoded already."""
    document = sample["json"]
    if not isinstance(document, dict):
        document = json.loads(document)
    found = dict(document)
    if sample.get("jpg") is not None:
        found["image"] = bytes(sample["jpg"])
    return found


def train(check, how, batches):
    """Trains on the photos in batches, a step each. The weights must be those that the source's photos give."""
    files = {row["filename"][0]: row for row in yardstick.photos()[None]}
    batches = list(batches)
    source = [[{f: v[0] for f, v in files[row["filename"].encode()].items()} for row in batch] for batch in batches]
    check.equal(f"photos, {how}: number of photos", len({row["filename"] for batch in batches for row in batch}), manifest("photos")["train"]["records"])
    check.equal(f"photos, {how}: weights", fit(batches), fit(source))


def fit(batches):
    """The weights of a linear model of two classes after a step of gradient descent for each batch."""
    import numpy
    import torch
    from PIL import Image

    torch.manual_seed(1)
    model = torch.nn.Linear(16 * 16 * 3, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    before = model.weight.detach().numpy().tobytes()
    for batch in batches:
        pixels = [numpy.asarray(Image.open(io.BytesIO(row["image"])).resize((16, 16))).reshape(-1) for row in batch]
        images = torch.from_numpy(numpy.stack(pixels).astype("float32") / 255)
        loss = torch.nn.functional.cross_entropy(model(images), torch.tensor([row["label"] for row in batch]))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    weights = model.weight.detach().numpy().tobytes()
    assert weights != before, "nothing was learned"
    return weights
