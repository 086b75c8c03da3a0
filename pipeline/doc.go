// Package pipeline builds a dataset from a config:
//
//	cfg, err := config.Load("penguins.yaml")
//	result, err := pipeline.Build(ctx, cfg, pipeline.Run{Workers: 2, Memory: 1 << 30, Sync: true})
//
// The config describes the dataset, a Run how it is built: nothing of a Run
// changes a byte. Build, Check, MakePlan and Try are sequences of what the rooms
// below do; no row is read here.
//
// # How data flows
//
// Everything is a listing. The order of the rows is a function of where they
// stand, so it is known before a row is parsed; then every row is read once,
// where it stands, and encoded once, into its final place in its shard.
//
//	prepare    list files, read headers, bind columns             rows, runstate
//	standing   is there anything to do?                           runstate
//	resume     what a stopped run finished stays                  runstate, sink
//	locate     rows found where they stand ─► an index a split    find
//	           or, where they do not fit, spilled ─► runs         spill
//	plan       counts and sizes ─► splits, classes, shards        plan
//	write      block ─► rows ─► records ─► place in the shard     task
//	publish    rows add up; metadata, rejects, one rename         describe, rejects, sink
//
// Several processes can do the same for one dataset: see Tasks.
//
// One errgroup owns the goroutines of each step; the first error stops all. A
// bad row is no such error: package rejects has what becomes of it.
//
// # Memory
//
// Beyond the mapped input a build takes at most
//
//	32 MiB
//	4 MiB a worker, of which 2.25 are the block at hand and 0.5 a piece of a
//	    finished shard that is read back (sink.Options.Readers)
//	12 bytes a row, or 20 with order_key: where it stands, and its key. With order_key
//	    or limit that is each row that is found, until the index is sorted
//	3 times the largest row a worker: the row as text with its escapes resolved, the
//	    record, and what growing buffers leave to the collector
//	2 of it more where records are JSON, or hold tensors, raw bytes or lists of
//	    lists: the values, and the message, before they are written in their form
//	12 bytes a worker for each pixel of the largest image that is decoded: its pixels before
//	    and after turning, and what a progressive JPEG collects; and 12 for each of the
//	    largest that is made. limits.pixels bounds both
//	300 bytes a file of the listing, and twice its name
//	the joined tables
//	the arrays of a source in Fortran order that are compressed, each once, of 1 GiB
//	    at most, while they are spilled; 64 MiB for all others in Fortran order
//
// The largest row is the most bytes of a row's text or of its record; each element
// of a JSON list, in a row or in a cell, adds 64. Where rows are spilled, Run.Memory takes the place of the
// bytes a row, and 3 more of the largest row come to it: two runs that have to hold
// one each, and what is left over of the run before.
//
// # Words
//
//	column      a field of the input
//	feature     a field of a record's message
//	message     what a record's payload is: an Example, a SequenceExample …
//	framing     what stands around it in a file
//	row         one input record, or a file that is one
//	record      one framed output
//	locator     where a row stands: a file and a position in it
//	address     that, as a number of 64 bits
//	key         the address, mixed by the seed
//	order       the dataset's sequence of rows
//	index       the sorted keys of a split
//	block       up to 4,096 consecutive rows of a shard: what a worker takes
//	piece       a stretch of a block that is too large to be held
//	shard       one output file
//	split       train, validation …
//	spill run   raw rows of a range of keys, on disk
//	plan        what will be written: splits, classes, shards
//	task        a unit of work: a block, or a shard; of several processes, a piece of
//	            the input, or some shards
//	work folder where the tasks of several processes tell one another what they did
//	report      what a task returns
//	staging     the folder a run works in
//	manifest    the account of a finished dataset
//	publish     make a dataset visible, whole
//	resume      use what a stopped run finished
//	reject      a row that cannot be used and is left out
//	budget      how many rejects a run accepts
//	vocabulary  the names of a class feature
//
// # Three decisions
//
// Locators are sorted, not rows. A shuffle of encoded records holds or gathers all
// of them; a shuffle of locators is a sort of integers, eight bytes a row, and
// costs a twentieth of a build. What it needs is input that can be read at
// random: hence the mapping, and the spill runs where there is none.
//
// Blocks are handed out, not rows. A block is large enough for a channel or a
// lock to cost nothing, and small enough to stay in the cache. It takes its
// place in the file from the block before it and writes itself, so nothing waits
// for the disk, and any number of shards is balanced.
//
// Messages are written as bytes, not as objects first: what is the same for
// every row is compiled once, and a row only fills in its values.
package pipeline
