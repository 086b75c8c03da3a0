"""Makes a Parquet file of a CSV file.

usage: make_parquet.py CSV OUT
"""
import sys

import pyarrow.csv
import pyarrow.parquet

pyarrow.parquet.write_table(pyarrow.csv.read_csv(sys.argv[1]), sys.argv[2])
