"""Writes Parquet files whose images are nested in other ways than Hugging Face's List(Image)."""

import base64

import pyarrow as pa
import pyarrow.parquet as pq

GIF = base64.b64decode("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=")
image = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
one = {"bytes": GIF, "path": "a.gif"}
far = {"bytes": None, "path": "a.gif"}

for name, kind, rows in [
    ("list", pa.list_(image), [[one, one], [], [one]]),
    ("missing", pa.list_(image), [[one, one], [one, None], [one]]),
    ("far", pa.list_(image), [[one, one], [one, far], [one]]),
    ("lists", pa.list_(pa.list_(image)), [[[one], [one, one]], [[]]]),
    ("path", pa.list_(pa.struct([("path", pa.string())])), [[{"path": "a.gif"}]]),
    ("text", pa.list_(pa.struct([("bytes", pa.string()), ("path", pa.string())])), [[{"bytes": "GIF89a", "path": "a.gif"}]]),
    ("inner", pa.struct([("photos", pa.list_(image))]), [{"photos": [one]}]),
]:
    table = pa.table({"photos": pa.array(rows, kind)})
    pq.write_table(table, f"images-{name}.parquet", compression="zstd", store_schema=False)
