// Package sink writes a dataset: it creates files in a staging directory, checks them, and
// publishes them together.
//
// For the output out/penguins, a run works in one staging directory next to it, on the same
// file system:
//
//	out/penguins                  absent or complete, at any time
//	out/.penguins.tfr/lock        locked while a run works, never removed
//	                  job.json    what is built
//	                  journal     what is finished, one line each
//	                  plan        how it is built, from which files
//	                  data/       the unfinished dataset; shards may be in subdirectories
//	                  rejects/    metadata of rejected rows, one file per shard
//	                  statistics/ statistics of records, one file per shard
//	                  spill/      spill files, while they are needed (or under Options.Scratch)
//	                  claim       the claim of tasks, if several processes make the dataset
//	                  attempts/   shards that tasks are writing, under unique names
//	                  work/       records that tasks exchange; this package does not use them
//	                  state.json  the state that the last commit stored, for the next run
//	                  old/ gone/  a dataset that is replaced, and then removed, if directories
//	                              cannot be exchanged
//
// After a commit, only lock and state.json remain. A run uses this package as follows:
//
//	s, err := sink.Open(store.OS(), "out/penguins", sink.Options{Sync: true})
//	defer s.Close()
//	…                                        // s.Found, s.State: is there anything to do?
//	…                                        // s.Leftovers: can a stopped run be resumed?
//	err = s.Begin(job)                       // or kept, err := s.Resume(ctx, sink.XXH128)
//	err = s.WritePlan(plan)                  // s.Leftovers().Plan: the plan of a stopped run
//	sh, err := s.CreateShard("train-00000-of-00001", sink.ShardOptions{Blocks: n})
//	last, err := sh.WriteBlock(ctx, i, data, c) // by any worker, in any order
//	sum, err := sh.Finish(ctx, about)           // by the worker that wrote the last block
//	err = s.WriteFile("_tfr/manifest.json", manifest)
//	err = s.Commit(state)
//
// # Several processes
//
// Several processes can make a dataset without a lock. One claims the output, each makes any
// number of shards, and one commits:
//
//	s, err := sink.Open(fs, output, opt)           // with the lock
//	err = sink.Shared{Stage: s}.Claim(claim)       // then Close: the claim stays
//	s, err = sink.Join(fs, output, opt)            // in any process, without the lock
//	sh, err := s.CreateShard(…)                    // … Finish; sh.Line describes the shard
//	s, err = sink.Open(fs, output, opt)            // with the claim and the lock
//	err = sink.Shared{Stage: s}.Adopt(…)           // with all lines
//	err = s.WriteFile(…)                           // … Commit
//
// An unfinished shard is in attempts/. Its last step is a rename into data/. A late process
// renames the same bytes over the same name, or finds that data/ no longer exists. While a claim
// exists, no other run gets the output.
//
// # In a bucket
//
// An output that is a URL is made in the same way. Its staging directory is below
// Options.Scratch, and exists while it is needed:
//
//	SCRATCH/.penguins-DIGEST.tfr/…     as above, and owner: the run ID in the job object
//	s3://corpus/sets/penguins/…        objects, which are a dataset once _SUCCESS exists
//	s3://corpus/sets/.penguins.tfr/    job.json, until the dataset exists; state.json
//
//	Begin, Resume   put the job object, unless one exists, and abort leftover uploads
//	Finish          uploads the shard, removes the local file, and adds a line with the ETag
//	Commit          stores state.json, uploads the files that describe the dataset and then
//	                the manifest, checks all objects, removes others, and creates _SUCCESS;
//	                then it removes the staging directory and the job object
//
// A run that finds the job object of another job stops with a [TakenError]. A job object of the
// same job belongs to a stopped run, or to another run that uploads the same bytes. A dataset is
// never replaced.
//
// The claim of tasks is the job object. Each process has a staging directory of its own, which
// it removes at the end. The metadata of shards are objects next to the output:
//
//	s3://corpus/sets/.penguins.tfr/    job.json, the claim; rejects/ and statistics/
//
// # A stage
//
//	                   ╭▸ Begin ──╮
//	Open ▸ Leftovers ──┤          ├──▸ spill files, shards, files ▸ Commit ▸ Close
//	  ▴                ╰▸ Resume ─╯             │
//	  │                                         ▾
//	  ╰──── finished shards stay ◂── error and Close, or killed
//
// Open takes the lock and recovers from a stopped run. If that run had published its dataset,
// Open removes the work files; if it was replacing a dataset, Open restores the old one. Resume
// checks the size and digest of each shard that the journal lists, keeps those that match, and
// removes everything else. If the dataset was not committed, Close keeps the finished shards and
// removes unfinished ones.
//
// Each step is durable before the next (if Options.Sync is set):
//
//	plan      written, synced, read back, renamed; its directory synced
//	directory of shards: created, data/ synced; before its first shard
//	shard     written, synced, closed, read back, renamed; its directory synced
//	index     of the shard, if it has one: the same
//	metadata  of the shard: the same, in rejects/ and statistics/
//	journal   the line of the shard, synced
//	…
//	commit    all directories in data/, state.json, and the staging directory synced
//	          a line of the journal seals the digest of the manifest
//	          one rename or exchange; the directories on both sides synced
//	          the replaced dataset and all work files removed
//
// The next start does not trust the staging directory. A damaged line ends the journal. Names
// that lead outside are invalid. Links and pipes are not followed. A file is kept only if it has
// the digest in its line.
//
// Callers use a Stage. Its work is divided by subject, and each part owns its state:
//
//	Stage ─┬─ location   the output and the staging directory
//	       │    ├─ target     where the dataset is published: a directory, or a *prefix of a
//	       │    │             bucket; what the output contains, the uploads, and publishing
//	       │    ├─ sharing    how tasks share it: of the same types
//	       │    ╰─ metadata   files about shards: in the staging directory, or of tasks in a bucket
//	       ├─ files      data/: names that are used or complete; open files
//	       ├─ spill      the directory of the spill files, and its lock
//	       ├─ *journal   what is finished
//	       ├─ *Leftovers what a stopped run left: checked, reused, or removed
//	       ╰─ *Disk      the file system: errors, syncs, small files, reading back
//
// The files of the package, by subject:
//
//	staging     stage location files shard finish compress index readback disk plan spill;
//	            after a stop: journal leftovers resume recover lock
//	publishing  target commit publish manifest sidecar; versions link; in a bucket: bucket
//	            bucket_job bucket_publish bucket_guard
//	sharing     claim; in a bucket: bucket_claim
//
// # A shard
//
// Several workers make the blocks of a shard in any order. The order of the blocks in the file
// is the order of their numbers. A block that is ready waits for its turn, gets the next offset
// in the file, and updates the digest. Then it passes the turn to the block after it, and is
// written:
//
//	worker 1   encode 0 ▸ turn ▸ pwrite 0     encode 3 ▸ turn ▸ pwrite 3
//	                        ╰──────╮          ╭────╯
//	worker 2       encode 1 ······ turn ▸ pwrite 1 ▸ encode 2 ▸ turn ▸ pwrite 2
//
// The pieces of a compressed shard are compressed separately, so that its bytes do not depend on
// the workers:
//
//	none   block 0 │ block 1 │ …
//	gzip   member 0 │ member 1 │ …            an empty shard is one empty member
//	zlib   header │ deflated block 0, flushed │ … │ last, empty block │ Adler-32
//
// A [GzipStream] is like zlib, with a CRC-32 and the size at the end. Before them is [ShardOptions.Tail], compressed.
//
// With [ShardOptions.Index], a shard has an index: a separate file with lines about each block.
// The lines are known when the block has its offset, and get their own offset in the same way:
//
//	shard      turn ▸ pwrite                       data/train-00000-of-00001
//	             ╰▸ lines ▸ turn ▸ pwrite          data/_tfr/index/train-00000-of-00001.idx
//
// If the bytes of a block depend on its offset, a [Layout] makes them when the block has its
// turn. The Layout also makes the first and last bytes of the file.
//
// Each file is created exclusively under a temporary name. After a failed sync the file is not
// used, and no sync is retried.
//
// # Goroutines and memory
//
// Finish reads back the bytes that were written, and Resume checks the files of a stopped run.
// Both use goroutines that have ended when they return. The package starts no other goroutines.
// At most Options.Readers goroutines read at the same time, each with a buffer of 128 KiB, so
// reading back takes at most Readers × 128 KiB. In a bucket, Readers is at least 32.
//
// Errors about files are *[OutputError].
package sink
