"""Reads a table and does nothing else; DuckDB keeps nothing of it, and adds up what is in
every column.

usage: read_table.py pyarrow|polars|duckdb TABLE
"""
import sys

peer, table = sys.argv[1:]
kind = table.rsplit(".", 1)[1]
if peer == "pyarrow":
    if kind == "csv":
        import pyarrow.csv

        pyarrow.csv.read_csv(table)
    elif kind == "jsonl":
        import pyarrow.json

        pyarrow.json.read_json(table)
    else:
        import pyarrow.parquet

        pyarrow.parquet.read_table(table)
elif peer == "polars":
    import polars

    {"csv": polars.read_csv, "jsonl": polars.read_ndjson, "parquet": polars.read_parquet}[kind](table)
else:
    import duckdb

    rows = {"csv": "read_csv", "jsonl": "read_ndjson", "parquet": "read_parquet"}[kind]
    duckdb.sql(
        "SELECT sum(trip), sum(miles), sum(price), sum(tips), sum(riders), sum(card::INT), sum(strlen(company)),"
        f" sum(strlen(district)), sum(strlen(remark)) FROM {rows}('{table}')").fetchall()
