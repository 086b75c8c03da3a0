# Writes the ids of the rows that pandas keeps of each table in a directory.
import pathlib, sys
import pandas
for path in sorted(pathlib.Path(sys.argv[1]).glob('*.csv')):
    t = pandas.read_csv(path, dtype=str, na_filter=False, encoding='latin-1')
    by = path.with_suffix('.by').read_text().split()
    path.with_suffix('.kept').write_text(' '.join(t[~t.duplicated(by)]['id']))
