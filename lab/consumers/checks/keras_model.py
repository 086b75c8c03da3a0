"""Keras: what reaches a model, and that a model learns from it."""

import yardstick

check = yardstick.Check()
check.block()

import importlib.util

import keras

for dataset in ("penguins", "notes"):
    spec = importlib.util.spec_from_file_location(dataset, f"out/{dataset}/_tfr/reader.py")
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    numbers = [f for f in yardstick.FEATURES[dataset] if yardstick.kind(dataset, f) != "bytes" and yardstick.number(dataset, f) != "*"]
    shapes = {f: (4,) if yardstick.number(dataset, f) == "4" else () for f in numbers}
    types = {f: "int64" if yardstick.kind(dataset, f) == "int" else "float32" for f in numbers}
    inputs = {f: keras.Input(shapes[f], dtype=types[f], name=f) for f in numbers}
    model = keras.Model(inputs, {f: keras.ops.multiply(inputs[f], 1) for f in numbers})
    rows = {}
    for split in yardstick.splits(dataset):
        batches = reader.dataset(split, batch_size=8).map(lambda batch: {f: batch[f] for f in numbers})
        seen = model.predict(batches, verbose=0)
        rows[split] = [{f: seen[f][i] for f in numbers} for i in range(len(seen[numbers[0]]))]
    check.rows(dataset, "what a model is given", rows, only=numbers, missing=yardstick.MISSING, ordered=True)


spec = importlib.util.spec_from_file_location("photos", "out/photos/_tfr/reader.py")
reader = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reader)
keras.utils.set_random_seed(1)
model = keras.Sequential([keras.Input((16, 16, 3)), keras.layers.Rescaling(1 / 255), keras.layers.Flatten(), keras.layers.Dense(2)])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
losses = model.fit(reader.keras("train", batch_size=8, image_size=(16, 16)).cache(), epochs=20, verbose=0).history["loss"]
labels = [int(n) for _, batch in reader.keras("train") for n in batch] + [int(n) for _, batch in reader.keras("test") for n in batch]
check.equal("photos, labels of keras()", sorted(labels), [0] * 9 + [1] * 9)
check.equal("photos, the loss falls by half", losses[-1] < losses[0] / 2, True)

check.done("keras " + keras.__version__)
