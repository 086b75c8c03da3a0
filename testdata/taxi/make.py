"""Writes yellow_tripdata.parquet: 600 made-up rides in the layout of the yellow taxis' files."""

import datetime
import random

import pyarrow as pa
import pyarrow.parquet as pq

rng = random.Random(16)
start = datetime.datetime(2024, 1, 1)
rides = []
for _ in range(600):
    pickup = start + datetime.timedelta(seconds=rng.randrange(31 * 86400))
    distance = round(rng.expovariate(0.3), 2)
    fare = round(3 + 2.5 * distance, 1)
    tip = round(fare * rng.choice([0, 0, 0.15, 0.2, 0.25]), 2)
    counted = rng.random() < 0.95
    rides.append({
        "VendorID": rng.choice([1, 2]),
        "tpep_pickup_datetime": pickup,
        "tpep_dropoff_datetime": pickup + datetime.timedelta(seconds=120 + round(distance * 240)),
        "passenger_count": rng.randrange(1, 6) if counted else None,
        "trip_distance": distance,
        "RatecodeID": rng.choice([1, 1, 1, 2, 5]) if counted else None,
        "store_and_fwd_flag": rng.choice(["N", "N", "N", "Y"]) if counted else None,
        "PULocationID": rng.randrange(1, 266),
        "DOLocationID": rng.randrange(1, 266),
        "payment_type": rng.choice([1, 1, 2, 3]) if counted else 0,
        "fare_amount": fare if rng.random() < 0.98 else -fare,
        "tip_amount": tip,
        "total_amount": round(fare + tip + 1.5, 2),
    })
small, whole, real = pa.int32(), pa.int64(), pa.float64()
layout = pa.schema([
    ("VendorID", small), ("tpep_pickup_datetime", pa.timestamp("us")), ("tpep_dropoff_datetime", pa.timestamp("us")),
    ("passenger_count", whole), ("trip_distance", real), ("RatecodeID", whole), ("store_and_fwd_flag", pa.large_string()),
    ("PULocationID", small), ("DOLocationID", small), ("payment_type", whole),
    ("fare_amount", real), ("tip_amount", real), ("total_amount", real),
])
pq.write_table(pa.Table.from_pylist(rides, layout), "yellow_tripdata.parquet", compression="zstd")
