// Package sink writes a dataset: files that are made in a staging folder, checked,
// and published together.
//
// For the output out/penguins a run works in one staging folder beside it, on the
// same file system:
//
//	out/penguins                  absent or whole, at every instant
//	out/.penguins.tfr/lock        held while a run works, never removed
//	                  job.json    what is being built
//	                  journal     what of it is finished, a line each
//	                  plan.json   how it is built, and the listing of what that is a plan of
//	                  listing
//	                  data/       the dataset in the making; shards may be in folders of it
//	                  rejects/    what is known of rows that a shard lacks, a file a shard
//	                  statistics/ of the records of a shard, a file a shard
//	                  spill/      spill runs, while they are needed (or under Options.Scratch)
//	                  claim       whose tasks make the dataset, where several processes do
//	                  attempts/   shards that such tasks are writing, each under a name of its own
//	                  work/       what they tell one another; no business of this package
//	                  state.json  what the last commit was given, for the next run
//	                  old/ gone/  a dataset being replaced, and then removed, where folders
//	                              cannot be exchanged
//
// After a commit only lock and state.json are left. A run goes like this:
//
//	s, err := sink.Open(store.OS(), "out/penguins", sink.Options{Sync: true})
//	defer s.Close()
//	…                                        // s.Found, s.State: is there anything to do?
//	…                                        // s.Left: can a stopped run be resumed?
//	err = s.Begin(job)                       // or kept, err := s.Resume(ctx, sink.XXH128)
//	err = s.WritePlan(plan, listing)         // s.Left().Plan has that of a stopped run
//	sh, err := s.CreateShard("train-00000-of-00001", sink.ShardOptions{Blocks: n})
//	last, err := sh.WriteBlock(ctx, i, data, c) // by any worker, in any order
//	sum, err := sh.Finish(ctx, about)           // by whoever was last
//	err = s.WriteFile("_tfr/manifest.json", manifest)
//	err = s.Commit(state)
//
// # Several processes
//
// Where several processes make a dataset there is no lock while they do. One claims
// the output, each makes shards, as often as it likes, and one commits:
//
//	s, err := sink.Open(fs, output, opt)           // under the lock
//	err = sink.Shared{Stage: s}.Claim(claim)       // and Close: the claim stays
//	s, err = sink.Join(fs, output, opt)            // in any process: no lock, no journal
//	sh, err := s.CreateShard(…)                    // … Finish; sh.Line says what was made
//	s, err = sink.Open(fs, output, opt)            // with the claim, under the lock
//	err = sink.Shared{Stage: s}.Adopt(…)           // of all lines
//	err = s.WriteFile(…)                           // … Commit
//
// A shard in the making stands in attempts/, and its last step is to be renamed into
// data/. A process that comes late renames the same bytes over the same name, or finds
// no data/ any more. While there is a claim no other run gets the output.
//
// # In a bucket
//
// An output that is a URL is made in the same way, in a staging folder below
// Options.Scratch, which is there while it is needed:
//
//	SCRATCH/.penguins-DIGEST.tfr/…     as above, and owner: which job object is its own
//	s3://corpus/sets/penguins/…        objects; a dataset with _SUCCESS, and not before
//	s3://corpus/sets/.penguins.tfr/    job.json, until the dataset is there; state.json
//
//	Begin, Resume   the job object, where there is none; uploads that were left are aborted
//	Finish          the shard is uploaded, removed here, and has its line, with the ETag
//	Commit          state.json; what describes the dataset; all is there as it was uploaded,
//	                and nothing else; the manifest; _SUCCESS, where there is none
//	                the staging folder goes, then the job object
//
// Whoever finds the job object of another job keeps away ([TakenError]); that of its own
// job is a twin's, who uploads the same bytes, or a stopped run's. Nothing is replaced.
//
// The claim of tasks is the job object. Each process of them has a staging folder of its
// own, which goes with it, and what is told about a shard is an object beside the output:
//
//	s3://corpus/sets/.penguins.tfr/    job.json, the claim; rejects/ and statistics/
//
// # A stage
//
//	              ╭▸ Begin ──╮
//	Open ▸ Left ──┤          ├──▸ runs, shards, files ▸ Commit ▸ Close
//	  ▴           ╰▸ Resume ─╯             │
//	  │                                    ▾
//	  ╰──── what is finished stays ◂── error and Close, or killed
//
// Open takes the lock and recovers what was stopped: what is left of building a
// published dataset is removed, an old dataset that was set aside comes back.
// Resume checks what the journal says is finished, by size and digest, and keeps
// it; the rest goes. Close keeps what is finished of a dataset that was not
// committed, and removes what was only begun.
//
// Each step is durable before the next (where Options.Sync is set):
//
//	plan      plan.json and listing written, synced, read back, renamed; their folder synced
//	journal   the line of both, synced
//	folder    of shards: made, data/ synced; before the first of them
//	shard     written, synced, closed, read back, renamed; its folder synced
//	index     of the shard, if it has one: the same
//	about it  the same, in rejects/ and statistics/
//	journal   the line of the shard, synced
//	…
//	commit    every folder of data/, state.json, the staging folder
//	          the journal's line of the seal: the digest of the manifest
//	          one rename or exchange, and the folders on both sides
//	          what was replaced and what it was made of is removed
//
// What is read from the staging folder at the next start is not trusted: a line
// that is damaged ends the journal, names that lead elsewhere are none, links and
// pipes are not followed, and only what has the digest of its line is kept.
//
// Stage is what callers hold. What it does is divided by subject, each with the
// state that it owns:
//
//	Stage ─┬─ place      the output and the staging folder
//	       │    ├─ target     where the dataset comes to be: a *folder, or a *prefix of a bucket;
//	       │    │             the output as it is, the uploads, and publishing
//	       │    ╰─ sharing    how tasks share it
//	       ├─ files      data/: which names are taken and which are whole; what is open
//	       ├─ spill      the folder of the spill runs, and its lock
//	       ├─ *journal   what is finished
//	       ├─ *Left      what a stopped run left: checked, kept or removed
//	       ╰─ *disk      the file system: errors, syncs, small files, reading back
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
// With [ShardOptions.Index] a shard has an index, a file of its own with lines about each
// block. They are known when the block has its place, and take theirs in the same way:
//
//	shard      turn ▸ pwrite                       data/train-00000-of-00001
//	             ╰▸ lines ▸ turn ▸ pwrite          data/_tfr/index/train-00000-of-00001.idx
//
// Where the bytes of a block depend on its place, a [Layout] makes them out of it
// when it has its turn, and what the file begins and ends with.
//
// Each file is created exclusively under a temporary name. After a sync that
// failed it is not used, and nothing is synced a second time.
//
// # Goroutines and memory
//
// Finish reads back what was written, and Resume what a stopped run left, in
// goroutines of their own that have ended when they return. The package starts no
// others. However many read at the same time, Options.Readers of them hold a
// buffer of 512 KiB: all reading back takes at most Readers × 512 KiB.
//
// Errors about files are *[OutputError].
package sink
