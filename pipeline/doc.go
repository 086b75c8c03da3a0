// Package pipeline builds a dataset from a config. It is the only package that
// knows all the others:
//
//	cfg, err := config.Load("penguins.yaml")
//	result, err := pipeline.Build(ctx, cfg, pipeline.Run{Workers: 2, Memory: 1 << 30, Sync: true})
//
// The config describes the dataset, a Run how it is built: nothing of a Run
// changes a byte.
//
// # How data flows
//
// Everything is a listing. The order of the rows is a function of where they
// stand, so it is known before a row is parsed; then every row is read once,
// where it stands, and encoded once, into its final place in its shard.
//
//	prepare    list files, read headers, bind columns            job.go, specs.go, compile.go
//	find       chunks of tables ─► starts of rows ─► index       find.go, splits.go
//	plan       sizes of a sample ─► shards ─► blocks             plan.go
//	write      block ─► rows ─► records ─► place in the shard    write.go, worker.go, shard.go
//	commit     metadata, rejects, manifest, one rename           metadata.go, rejected.go
//
// Tables that do not fit into Run.Memory, or cannot be read where their rows
// stand, go through parts, files of raw rows by ranges of keys; the bytes of the
// dataset are the same:
//
//	part       every row once, in any order ─► its part          part.go, parting.go
//	write      part by part: load, sort ─► blocks                parted.go, partwriter.go
//
// A run that was stopped is gone on with: the shards that it finished are checked
// and kept, with the account of their rows, and so are the parts that are still
// needed (resume.go, account.go, held.go). All else is as in any run, since the
// order of the rows and the bounds of the shards do not depend on what was done.
//
// One errgroup owns the goroutines of each step; the first error stops all. A
// bad row is no such error. With `on_error: fail` nothing is written any more, but
// the rows that stand before it are looked through, for the first of all bad rows
// to be the one that is reported (look.go). Otherwise it is left out: where it
// stands is kept with its shard (rejects.go), and what is wrong with it is found
// out again at the end, when lines are counted (rejected.go).
//
// # Words
//
//	column    a field of the input
//	feature   a field of the Example
//	row       one input record, or a file that is one
//	record    one framed output
//	address   where a row stands, a number of 64 bits
//	key       its address, mixed by the seed
//	order     the dataset's sequence of rows
//	index     the sorted keys of a split
//	block     up to 4,096 consecutive rows of a shard: the unit of work
//	piece     a stretch of a block that is too large to be held
//	shard     one output file
//	split     train, validation …
//	part      raw rows of a range of keys, on disk
//	staging   the folder a run works in
//	manifest  the account of a finished dataset
//	reject    a row that cannot be used and is left out
//
// # Three decisions
//
// Places are sorted, not rows. A shuffle of encoded records holds or gathers all
// of them; a shuffle of places is a sort of integers, eight bytes a row, and
// costs a twentieth of a build. What it needs is input that can be read at
// random: hence the mapping, and the parts where there is none.
//
// Blocks are handed out, not rows. A block is large enough for a channel or a
// lock to cost nothing, and small enough to stay in the cache. It takes its
// place in the file from the block before it and writes itself, so nothing waits
// for the disk, and any number of shards is balanced.
//
// Examples are written as wire format, not as messages: what is the same for
// every row is compiled once, and a row only fills in its values.
package pipeline
