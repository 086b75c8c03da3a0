"""Megatron Energon: datasets of archives that tfr-build has prepared."""

import samples
import yardstick

check = yardstick.Check()

from megatron import energon


@energon.stateless
def row(sample):
    """A sample as a row."""
    return samples.row(sample)


class Rows(energon.DefaultTaskEncoder):
    decoder = None  # the bytes of members
    cookers = [energon.Cooker(row)]


for dataset in yardstick.FEATURES:
    rows = {}
    for split in samples.splits(dataset):
        opened = energon.get_val_dataset(
            f"out/samples/{dataset}",
            split_part=split,
            worker_config=energon.WorkerConfig(rank=0, world_size=1, num_workers=0),
            batch_size=None,
            task_encoder=Rows(),
        )
        rows[split] = list(energon.get_loader(opened))
    check.rows(dataset, "get_val_dataset", rows, ordered=True)
check.done("megatron-energon " + energon.__version__)
