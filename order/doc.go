// Package order says in which sequence the rows of a dataset are written,
// before any of them is read. It is arithmetic on where rows are: it opens no
// file, and its results depend on nothing but names, sizes, offsets and the seed.
//
// # Addresses
//
// A [Space] gives every input file a stretch of one 64-bit space, based at the
// XXH3-64 hash of its name. A row's address says where it is, and does not
// change when other files come or go:
//
//	0 ──────┬─ b.csv ─┬──────────────────────┬──── a.csv ────┬──────── 2^64
//	        │         │                      │               │
//	    hash(b.csv)   + size             hash(a.csv)         + size
//	            ▲
//	            address = hash(b.csv) + offset of the row
//
// What is hashed is the name of the file's source, a NUL and the file's name
// relative to the root of its source. Files take their stretches in order of
// these bytes. One that would overlap an earlier file, or pass the end of the
// space, hashes the same with a NUL and the number 1 after it, then 2, until it
// fits. An empty file takes one address.
//
// # Keys
//
// A key is the address, mixed by the seed in a way that can be undone: the
// finaliser of MurmurHash3, a bijection of 64 bits.
//
//	start = mix(seed ^ 0x9e3779b97f4a7c15)
//	key   = mix(address + start)              Shuffle.Key, undone by Shuffle.Address
//	point = mix(address + 0xd1b54a32d192ed03) SplitPoint: without the seed
//
// The shuffled order is ascending key. No two rows have the same key, and the
// key alone finds its row again, so the index of a split is its sorted keys and
// nothing else: 8 bytes a row.
//
// A dataset in source order is indexed by places in the [Sequence], the files
// laid one after another. One that is ordered by a column has 16 bytes a row: a
// key made of the column, and the place in the sequence where keys are equal.
//
// # Index
//
// [Rows] are what was found: for each [Chunk] of the input a list of where rows
// begin. [Rows.Index] makes one [Index] a split in three passes, each by all
// workers. A bucket is the rows of a split whose keys share their top bits.
//
//	chunks of starts      ┌──────── split 0 ────────┬──── split 1 ────┐
//	┌──────┐  count       │ bucket 0 │ bucket 1 │ … │ bucket 0 │ …    │
//	│ 0    │  scatter ──► ├──────────┼──────────┼───┼──────────┼──────┤
//	│ 88   │              │ keys     │ keys     │   │ keys     │      │
//	│ 171  │              └──────────┴──────────┴───┴──────────┴──────┘
//	└──────┘                 sort       sort      …    sort
//
// A dataset that is ordered by a column has to read a row for its key and its
// split, and does so once: entries are put down as they come, and the buckets
// are made in place.
//
//	chunks of starts      ┌──────────────────────────────────┐  count, permute    ┌──── split 0 ────┬── …
//	  fill, with Keys ──► │ key, place and split of each row │ ─────────────────► │ bucket 0 │ …    │ sort
//	                      └──────────────────────────────────┘                    └─────────────────┴── …
//
// What the key of rows puts in order may be dealt anew, split by split ([Rows.Deal]):
// package inception shuffles them as other programs do.
//
// Beside the 4 bytes of each start and the 8 or 16 of each key there is only
// what workers need for a bucket and its counts.
//
// # Splits
//
// [Cuts] give each split by fraction a range of the points, with thresholds
// rounded down: 80 %, 10 % and 10 % are
//
//	0 ────────── train ─────────── 0xcccccccccccccccc ─ validation ─ 0xe666666666666666 ─ test ─ 2^64
//
// Whether a point comes from the row's address or is the hash of a column, a
// row's split depends on no other row and not on the seed.
//
// A [Sample] takes the rows whose point is below its share. Its points are others than
// those of splits, so that each split keeps the same part of its rows:
//
//	point = mix(address + 0x8cb92ba72f3d8dd7)
//
// # Shards and blocks
//
// The shards of a split are consecutive ranks of its index, even to one row
// ([Cut]); a shard is written in blocks ([Blocks], [BlocksBySize]). With 10,000
// rows in 2 shards:
//
//	rank 0             4096          5000             9096         10000
//	     ├─── block ───┼─── block ───┼───── block ────┼─── block ───┤
//	     └───────── shard 0 ─────────┴────────── shard 1 ───────────┘
//
// [ShardCount] chooses how many shards a split has, and says why.
package order
