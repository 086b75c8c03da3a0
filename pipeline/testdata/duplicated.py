# Writes the ids of the rows that pandas keeps of each table in a directory. Rows of CSV that are not
# UTF-8, those with the byte 0xff, are rejected, so they are not compared.
import json, pathlib, sys
import numpy, pandas


def csv(path):
    t = pandas.read_csv(path, dtype=str, na_filter=False, encoding='latin-1')
    return t[~t.apply(lambda row: '\xff' in ''.join(row), axis=1)]


def jsonl(path):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return pandas.DataFrame([[row.get(c) for c in ('id', 'c0', 'c1')] for row in rows], columns=['id', 'c0', 'c1'], dtype=object)


def npy(path):
    return pandas.DataFrame({c: numpy.load(path.with_suffix('.' + c)) for c in ('id', 'c0', 'c1')})


for path in sorted(pathlib.Path(sys.argv[1]).glob('*.by')):
    t = next(read(path.with_suffix(ext)) for ext, read in (('.csv', csv), ('.jsonl', jsonl), ('.id', npy)) if path.with_suffix(ext).exists())
    path.with_suffix('.kept').write_text(' '.join(str(n) for n in t[~t.duplicated(path.read_text().split())]['id']))
