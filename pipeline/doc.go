// Package pipeline builds a dataset from a config:
//
//	cfg, err := config.Load("penguins.yaml")
//	result, err := pipeline.Build(ctx, cfg, pipeline.Run{Workers: 2, Memory: 1 << 30, Sync: true})
//
// The config describes the dataset; a Run says how to build it, and changes no byte. Build, Check,
// MakePlan, and Try only call the packages below in sequence; no row is read here.
//
// # How data flows
//
// Every row has a position that a listing determines, and the order of the rows depends only on
// the positions. So it is known before a row is parsed. Then every row is read once, in place, and
// encoded once, at its final offset in its shard.
//
//	prepare    list files, read headers, bind columns                  rows, runstate
//	plan       up to date? else lock the output                        runstate, sink
//	           reuse the finished shards of a stopped build
//	scan       rows that cannot be read in place ─► spill files        spill
//	merge      find the other rows ─► one index per split              find
//	           counts and sizes ─► splits, classes, shards             plan
//	write      block ─► rows ─► records ─► offset in the shard         task
//	commit     check the sums; write metadata and rejects; rename      describe, rejects, sink
//
// All but the first are steps: the table in steps.go says what each needs, does, and leaves. Build
// does them in one process. Several processes can build one dataset together, with the same steps:
// see [Tasks].
//
// One errgroup owns the goroutines of each step; the first error stops all. An invalid row is not
// such an error: package rejects handles it.
//
// # Memory
//
// In addition to the mapped input, a build takes at most:
//
//	32 MiB
//	4 MiB per worker: 2.25 for the current block, and 0.125 for the part of a finished
//	    shard that is read back (sink.Options.Readers)
//	12 bytes per row, or 20 with order_key: its position and its key. With order_key or
//	    limit, rows that are found and skipped count until the index is sorted
//	3 times the largest row per worker: the row as text with its escapes resolved, the
//	    record, and memory of grown buffers that is not collected yet. If most of the row is
//	    a list of files that are stored as they are, 2.2 times: the files, and the record
//	1 time it more if shards are compressed: the compressed record
//	2 times it more if records are JSON, or have tensors, raw bytes, or lists of lists:
//	    the values, and the message, before they are written in their form
//	12 bytes per worker for each pixel of the largest decoded image: its pixels before
//	    and after rotation, and the coefficients of a progressive JPEG; and 12 for each
//	    pixel of the largest result. limits.pixels bounds both
//	300 bytes per file of the listing, and twice its name
//	the lookup tables
//	compressed arrays of a source in Fortran order, each once, of at most 1 GiB, while
//	    they are spilled; 64 MiB for all other arrays in Fortran order
//
// The largest row is the largest size of a row's text or of its record; each element of a JSON
// list, in a row or in a cell, adds 64 bytes. If rows are spilled, Run.Memory takes the place of
// the bytes per row, plus 3 times the largest row: two partitions in memory with such a row, and
// the rows left of the partition before.
//
// # Words
//
//	column      a field of the input
//	feature     a field of a record's message
//	message     the content of a record: an Example, a SequenceExample …
//	framing     the bytes around a message in a file
//	row         one input record, or a file that is a row
//	record      one framed message of the output
//	locator     the position of a row: a file and an offset
//	row ID      the locator, as a number of 64 bits
//	key         the row ID, mixed with the seed
//	order       the sequence of the dataset's rows
//	index       the sorted keys of a split
//	block       up to 4,096 consecutive rows of a shard: the work of a worker
//	piece       a part of a block that is too large for the memory
//	shard       one output file
//	split       train, validation …
//	spill file  raw rows by ranges of keys, on disk
//	plan        what will be written: splits, classes, shards
//	task        a unit of work: a block or a shard; with several processes, a part of
//	            the input, or some shards
//	work directory the directory in which the tasks of several processes exchange results
//	report      the result of a task
//	staging     the directory in which a build works
//	manifest    the list of everything in a finished dataset
//	publish     make a complete dataset visible
//	resume      use what a stopped build finished
//	reject      an invalid row that is skipped
//	budget      how many rejects a build allows
//	vocabulary  the class names of a feature
//
// # Three decisions
//
// Locators are sorted, not rows. A shuffle of encoded records keeps or gathers all of them. A
// shuffle of locators sorts integers of eight bytes per row, and takes a twentieth of the time of
// a build. It needs input that can be read at random offsets: hence the mapping, and the spill
// files for other input.
//
// Workers get blocks, not rows. A block is large enough that a channel or a lock costs nothing,
// and small enough to stay in the cache. It gets its offset in the file from the block before and
// writes itself. So nothing waits for the disk, and any number of shards is balanced.
//
// Messages are written as bytes, not as objects first: the parts that all rows share are compiled
// once, and a row only adds its values.
package pipeline
