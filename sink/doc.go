// Package sink writes a dataset: files that are made out of sight, checked, and
// brought into sight together.
//
// For the output out/penguins a run works in one hidden folder beside it, on the
// same file system:
//
//	out/penguins                  absent or whole, at every instant
//	out/.penguins.tfr/lock        held while a run works, never removed
//	                  data/       the dataset in the making
//	                  parts/      raw rows, while they are needed (or under Options.Scratch)
//	                  state.json  what the last commit was given, for the next run
//	                  old/        a dataset being replaced, where folders cannot be exchanged
//
// A run goes like this:
//
//	s, err := sink.Open(vfs.OS(), "out/penguins", sink.Options{Sync: true})
//	defer s.Close()
//	…                                        // s.Found, s.State: is there anything to do?
//	err = s.Begin()
//	sh, err := s.CreateShard("train-00000-of-00001", sink.ShardOptions{Blocks: n})
//	last, err := sh.WriteBlock(ctx, i, data, c) // by any worker, in any order
//	sum, err := sh.Finish(ctx)               // by whoever was last
//	err = s.WriteFile("_tfr/manifest.json", manifest)
//	err = s.Commit(state)
//
// # A shard
//
// The blocks of a shard are made by several workers in any order; their order in
// the file is that of their numbers. A block that is ready waits for its turn,
// takes the next stretch of the file, has the digest updated, gives the turn to
// the block after it, and writes itself:
//
//	worker 1   encode 0 ▸ turn ▸ pwrite 0     encode 3 ▸ turn ▸ pwrite 3
//	                        ╰──────╮          ╭────╯
//	worker 2       encode 1 ······ turn ▸ pwrite 1 ▸ encode 2 ▸ turn ▸ pwrite 2
//
// A compressed shard is made of pieces that were compressed apart, so that its
// bytes do not depend on who made them:
//
//	none   block 0 │ block 1 │ …
//	gzip   member 0 │ member 1 │ …            an empty shard is one empty member
//	zlib   head │ deflated block 0, flushed │ … │ last, empty block │ Adler-32
//
// Each file is created exclusively under a temporary name, written, synced,
// closed, read back and compared, and renamed; then its folder is synced.
//
// The package starts no goroutines. Its errors about files are *[OutputError].
package sink
