"""Prints substr.tsv, what SQLite says of substr: python3 substr.py > substr.tsv

SQLite counts from 1 and tfr-build from 0, so a start of 0 or more is one more there.
A row is a text, a start as tfr-build counts, a length (empty: none), and the result.
"""

import sqlite3

db = sqlite3.connect(":memory:")
for text in ["", "x", "xyz", "Grüße", "日本語🚕"]:
    for start in [*range(-8, 9), -(10**9), 10**9]:
        for length in ["", *range(7), 10**9]:
            there = start + 1 if start >= 0 else start
            args = [text, there] if length == "" else [text, there, length]
            got = db.execute(f"SELECT substr({', '.join('?' * len(args))})", args).fetchone()[0]
            print(text, start, length, got, sep="\t")
