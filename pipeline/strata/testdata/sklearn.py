"""Writes the answers of scikit-learn's StratifiedGroupKFold for tables of groups.

    python make.py > sklearn.json
"""

import json
import random

import numpy as np
import sklearn
from sklearn.model_selection import StratifiedGroupKFold

tables = []
for seed, (groups, classes, folds, largest) in enumerate([(200, 3, 5, 10), (1000, 20, 5, 30), (60, 4, 3, 100), (3000, 50, 10, 5)]):
    rng = random.Random(seed)
    y, of = [], []
    for g in range(groups):
        most = min(rng.randrange(classes), rng.randrange(classes))
        for _ in range(rng.randint(1, largest)):
            y.append(rng.randrange(classes) if rng.random() < 0.25 else most)
            of.append(g)
    fold = np.zeros(len(y), dtype=int)
    for k, (_, test) in enumerate(StratifiedGroupKFold(folds).split(np.zeros(len(y)), y, of)):
        fold[test] = k
    counts = [[int(((fold == k) & (np.array(y) == c)).sum()) for k in range(folds)] for c in range(classes)]
    tables.append({"folds": folds, "classes": y, "groups": of, "rows": counts})
print(json.dumps({"scikit-learn": sklearn.__version__, "numpy": np.__version__, "tables": tables}, separators=(",", ":")))
