// Package statistics computes column statistics of records: counts, quantiles, histograms,
// distinct values, and frequent values. The result depends on the records alone. The order of the
// records, the number of goroutines or machines, and the order of merging do not change it. For
// that reason a [Summary] stores only sums of whole numbers, minima, maxima, and sets.
//
//	layout := statistics.NewLayout(message.Example, fields, statistics.Options{Values: true})
//	candidates := layout.Candidates(sample) // once per split
//	counter := layout.NewCounter()          // one per goroutine
//	counter.Begin(summary)                  // before each block, with the summary of its shard
//	encoder.Note(counter.Noted())           // the encoder stores the values of each record here
//	counter.AddNoted(buf, start)            // each record of a block; it begins in buf at start
//	counter.End()                           // after the block
//	total.Merge(summary)                    // after the shards, into the summary of the split
//	document := layout.Document([]statistics.SplitSummary{{Name: "train", Summary: total}})
//
//	records ─► batch ─► Counter ─► Summary ─┬► bytes ─► Summary
//	                                        └► Document ─► JSON ─► Document
//
// Package message parses records for [Counter.Add]. An encoder that makes records notes their values for
// [Counter.AddNoted]: see [schema.Noted]. A [Counter] collects the values of up to 64 records in a batch
// and counts them column by column. Package message parses only the entries of several or long values.
// Parsing all of them would take more CPU time than the rest of a build of a table.
//
// # What is counted
//
// The values of a key in one type of list are a column:
//
//	             ┌ counts per class
//	a value ─────┤
//	             └ a table of up to 1,024 distinct values
//	                   │ more values, a string of more than 256 bytes, or 64 KiB of strings
//	                   ▼
//	               a sketch: exact sums, log-scale histogram, HyperLogLog,
//	                         counts of the candidates, image metadata
//
// All statistics of a small column are exact, because they are computed from its table. Whether a
// table is large enough depends on the set of values alone. So neither the order of the values
// nor the number of counters matters.
//
// A sketch stores, for numbers and for the sizes of byte strings:
//
//	sums, squares   whole numbers of 128 and 192 bits, per sign and power of two
//	histogram       a count for each of 128 sub-buckets per power of two:
//	                quantiles and histograms; integers below 256 are exact
//	HyperLogLog     2^12 registers: the number of distinct values
//	candidates      the exact count of each value that a sample has twice or more
//
// The HyperLogLog is not from github.com/axiomhq/hyperloglog. Version 0.3.0 has the same error,
// 1.7 % for 1,000,000 values, and its dense sketches do not depend on the order of the values. But
// it does not tell how many registers are not 0, which proves that a column is wide. Adding a value
// takes 1.5 times as long, merging two sketches 11 times, and an estimate 56 times. The other
// estimator would also change the statistics of existing datasets.
//
// docs/reference/statistics.md has the formula of each statistic. A string of more than 1 KiB is
// identified by its size and by the 512 bytes at each end. The UTF-8 check reads the first 4 KiB
// of a string.
//
// # Memory
//
// A column of a Summary takes at most, in bytes:
//
//	240 + max(table, sketch) + classes/32 + 2056·(pages of 256 classes that occur)
//	table  = 32768 for numbers, 196608 for strings
//	sketch = 4280 + index + 560·(buckets·5/4 + 4) + 8·candidates
//	index  = 256 for integers and sizes, 1120 for floats, 8192 for doubles
//
// A bucket has the numbers of one sign from a power of two to the next. Integers and sizes have
// at most 128 buckets, floats 556, doubles 4094. Typical values need 5 to 40. A sub-bucket that
// counts 2^32 numbers or more adds 512 to its bucket. Images add 1,000, the buckets of their
// sides, and 64 for each cell of the grid of sizes.
//
// A Counter takes 200 more for each column, plus values that are not yet counted: 3,072 for
// numbers and 1,028 for sizes. A column without values takes 8 in a Summary, and 600 plus its key in a
// Counter. The batch of records takes 8 for each value of up to 64 records, and at most 131,072 or one
// record. At most 16,384 keys that the layout does not have are counted, the first ones in key order. A
// column has at most 256 candidates, which take 9,000 for numbers and 37,500 for strings.
//
// So 10,000 columns of distinct floats take 250 MB in a Summary and as much in a Counter. 10,000
// columns of a few distinct values take 10 MB.
package statistics
