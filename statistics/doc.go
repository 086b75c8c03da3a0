// Package statistics counts the values of records. What comes out depends on the
// records alone: not on their order, nor on how many goroutines or machines counted
// them and when their counts were put together. So all that is kept is whole numbers
// that are added, least and largest ones, and sets.
//
//	layout := statistics.NewLayout(message.Example, fields, statistics.Options{Values: true})
//	candidates := layout.Candidates(sample) // of each split
//	counter := layout.NewCounter()          // one a goroutine
//	counter.Begin(summary)                  // each block, with the summary of its shard
//	bounds := counter.Bounds()              // where those of each record are noted
//	counter.AddNoted(buf, start)            // each record of a block, in buf from start on
//	counter.End()                           // after the block
//	total.Merge(summary)                    // after the shards, to the summary of the split
//	document := layout.Document([]statistics.SplitSummary{{Name: "train", Summary: total}})
//
//	records ─► pack ─► Counter ─► Summary ─┬► bytes ─► Summary
//	                                       └► Document ─► JSON ─► Document
//
// A Counter gathers up to 64 records in a pack, which it does not copy, and counts them
// one field after another. A record whose bounds nobody knows is read, by Counter.Add.
//
// # What is counted
//
// The values that a key has in one kind of list are a column:
//
//	             ┌ classes, by their numbers
//	a value ─────┤
//	             └ a table of up to 1,024 values that differ
//	                   │ more of them, a text of more than 256 bytes, or 64 KiB of texts
//	                   ▼
//	               a sketch: exact sums, parts of octaves, registers, candidates, facts of images
//
// All figures of a small column are exact, for they are made of its table. Whether
// the values of a column fit into a table is a property of their set: so it does not
// matter which of them came first, and who has seen them.
//
// The sketch has, of numbers and of the sizes of bytes:
//
//	sums, squares   whole numbers of 128 and 192 bits, by sign and power of two
//	parts           how many numbers lie in each of the 128 parts of an octave:
//	                quantiles and histograms; integers below 256 are exact
//	registers       HyperLogLog with 2^12 registers: how many values differ
//	candidates      how often each value occurs that a sample of the records has twice
//
// docs/reference/statistics.md has the formula of each figure. A text of more than 1 KiB is told
// from others by its size and by the 512 bytes at each end; whether a text is UTF-8 is
// seen in its first 4 KiB.
//
// # Memory
//
// A column of a Summary takes at most, in bytes:
//
//	240 + max(table, sketch) + classes/32 + 2056·(pages of 256 classes that occur)
//	table  = 32768 of numbers, 196608 of texts
//	sketch = 4280 + index + 560·(octaves·5/4 + 4) + 8·candidates
//	index  = 256 of integers and sizes, 1116 of floats, 8192 of doubles
//
// Octaves are of integers and sizes at most 128, of floats 556, of doubles 4094; values
// that are spread as usual have 5 to 40. A part that more than 2^32 numbers lie in adds
// 512 to its octave. Images add 1,000 and the octaves of their sides, and 64 for each
// cell of the grid.
//
// In a Counter a column takes 200 more, and what is under way: 3,072 of numbers, 1,028
// of sizes, and until it is known to be wide again 65,536 of numbers or 400,000 of
// texts. What nothing was counted of takes 8 in a Summary, and in a Counter 600 and its
// key. Its records under way take 70,000. Of keys that the layout lacks 16,384 are counted, the first ones in order. A
// column has at most 256 candidates, which take 9,000 of numbers and 37,500 of texts.
//
// So 10,000 features of floats that differ take 250 MB in a Summary and as much in a
// Counter, and 10,000 of a few values 10 MB.
package statistics
