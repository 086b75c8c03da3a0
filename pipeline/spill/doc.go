// Package spill puts rows that cannot be read where they stand into spill runs: files
// of raw rows, grouped by the range of keys that they are in. What is loaded at once
// fits the memory, and range after range the rows are the input from then on, with the
// same rows in the same order:
//
//	scan      a piece of the input: every row once ─► its split, its key ─► one run
//	merge     runs ─► all that a plan needs, and which range of keys is where
//	dispatch  part by part: load from all runs, sort ─► blocks that are whole ─► workers
//	                                             └─► rows of a block that is not ─► in front of the next part
//
// These are pure steps: what a scan and a merge give are values that another process
// takes, and a run is a [File], which the caller keeps.
//
//	grid := spill.NewGrid(set, n)                                     // the same for all scans, see Buckets
//	parts := spill.Pieces(set, size)                                  // a part of the input for each scan
//	scan := &spill.Scan{Set: set, Pool: pool, Log: log, Grid: grid, Memory: m}
//	run, err := scan.Run(ctx, parts[i], file)                         // many, a process each
//	g := spill.NewMerger(set)                                         // one
//	err = g.Add(runs[i], files[i])                                    // of each
//	merged, err := g.Merged()
//	s := &spill.Spill{Set: set, Stage: stage, Log: log, Limit: limit}
//	err = s.Open(merged, files)                                       // many, a process each
//	p, err := plan.New(…)                                             // of s.Count()
//	err = s.Dispatch(ctx, work, give)                                 // the shards of work that are not kept
//
// A build on one machine is the same with one scan, whose workers share the run:
//
//	err := s.Pass(ctx, counted)                                       // or ok, err := s.Reopen(ctx, planned)
//
// # A run
//
// The workers of a scan gather rows by bucket, each in memory of its own, and write a
// segment when that is full, without a lock. A part is some buckets in a row, and so one
// stretch of each segment:
//
//	run       segment │ segment │ … │ the rest of a sample, where there are many runs
//	segment   entries of bucket 0 │ of bucket 1 │ … │ index: end and digest of each bucket
//	entry     8 key │ 8 place, only where keys can be equal │ 4 length │ 1 split │ 1 bad │ the row's text
//
// What is read is compared with its digest.
//
// Rows of a file that can only be read one after another, as those of compressed files
// and of Parquet files are, are read by one worker, which gives them in batches to those
// that have nothing to read. Parts are loaded and sorted while the part before them is
// written.
//
// A bucket that is too large to be loaded is parted again. A run stays until the shards
// that hold its rows are finished: a run of the program that resumes needs it. What was
// found is kept with it, as a [Merged].
package spill
