// Package order computes the order in which the rows of a dataset are written, before any row is
// read. It computes with positions of rows and opens no file. Its results depend only on names,
// sizes, offsets, and the seed.
//
// # Addresses
//
// A [Space] assigns an interval of 64-bit addresses to every input file. The interval begins at
// the XXH3-64 hash of the file's name. The address of a row does not change when other files are
// added or removed:
//
//	0 ──────┬─ b.csv ─┬──────────────────────┬──── a.csv ────┬──────── 2^64
//	        │         │                      │               │
//	    hash(b.csv)   + size             hash(a.csv)         + size
//	            ▲
//	            address = hash(b.csv) + offset of the row
//
// The hashed bytes are the name of the file's source, a NUL, and the file's name relative to the
// root of its source. Files get their intervals in the order of these bytes. An interval may
// overlap an earlier file or exceed the space. Then NUL and the number 1 are appended to the
// hashed bytes, or 2, and so on, until the interval fits. An empty file has one address.
//
// # Keys
//
// A key is the address, mixed with the seed in a reversible way: by the finalizer of MurmurHash3,
// a bijection of 64 bits.
//
//	start = mix(seed ^ 0x9e3779b97f4a7c15)
//	key   = mix(address + start)              Shuffle.Key; its inverse is Shuffle.Address
//	point = mix(address + 0xd1b54a32d192ed03) SplitPoint: without the seed
//
// The shuffled order has ascending keys. Keys are unique, and a key is enough to find its row. So
// the index of a split is only its sorted keys, 8 bytes per row.
//
// In source order, an index has the positions of rows in the [Sequence]: the offsets in all
// files, one after another. A dataset that is ordered by a column has 16 bytes per row: a key
// from the column, and the position in the sequence. The position breaks ties.
//
// # Index
//
// [Rows] have the result of the search for rows: for each [Chunk] of the input, a list of the
// starts of rows. [Rows.Index] makes one [Index] per split in three passes, each with all
// workers. A bucket has the rows of a split whose keys have the same top bits.
//
//	chunks of starts      ┌──────── split 0 ────────┬──── split 1 ────┐
//	┌──────┐  count       │ bucket 0 │ bucket 1 │ … │ bucket 0 │ …    │
//	│ 0    │  scatter ──► ├──────────┼──────────┼───┼──────────┼──────┤
//	│ 88   │              │ keys     │ keys     │   │ keys     │      │
//	│ 171  │              └──────────┴──────────┴───┴──────────┴──────┘
//	└──────┘                 sort       sort      …    sort
//
// If a dataset is ordered by a column, the key and the split of a row are in the row. To read
// each row only once, all entries are stored in the order of reading, and then sorted in place.
//
//	chunks of starts      ┌──────────────────────────────────┐  sort    ┌─ split 0 ─┬─ split 1 ─┬─ …
//	  fill, with Keys ──► │ key, position, split of each row │ ───────► │ entries   │ entries   │
//	                      └──────────────────────────────────┘          └───────────┴───────────┴─ …
//
// [Rows.Deal] may reshuffle the sorted rows of each split: package inception shuffles them as
// other programs do.
//
// A start takes 4 bytes, and a key 8 or 16. Apart from these, only workers need memory: for one
// bucket each, and for counts.
//
// # Splits
//
// [Cuts] assign a range of the points to each split by its fraction, with thresholds rounded
// down. For 80 %, 10 %, and 10 % these are
//
//	0 ────────── train ─────────── 0xcccccccccccccccc ─ validation ─ 0xe666666666666666 ─ test ─ 2^64
//
// [NewFolds] makes ranges of equal length.
//
// A point is computed from the row's address, or is the hash of a column. Either way, the split
// of a row does not depend on other rows or on the seed.
//
// A [Sample] has the rows whose point is below its share. Its points are independent of those for
// splits, so the sample has the same share of each split:
//
//	point = mix(address + 0x8cb92ba72f3d8dd7)
//
// # Shards and blocks
//
// A shard has consecutive ranks of the index of its split. The sizes of shards differ by at most
// one row ([Cut]). A shard is written in blocks ([Blocks], [BlocksBySize]). With 10,000 rows in 2
// shards:
//
//	rank 0             4096          5000             9096         10000
//	     ├─── block ───┼─── block ───┼───── block ────┼─── block ───┤
//	     └───────── shard 0 ─────────┴────────── shard 1 ───────────┘
//
// [ShardCount] recommends a number of shards, with the reason.
package order
