// Package spill sorts rows on disk if they cannot be read in place. Scans write raw rows to spill
// files, grouped by ranges of keys. Then one range after another is loaded and sorted in memory.
// The output has the same rows in the same order as a build in memory:
//
//	scan      pieces of the input: every row once ─► its split, its key ─► one spill file
//	merge     spill files ─► all that a plan needs, and the size of each range of keys
//	dispatch  range by range: load, sort ─► complete blocks ─► workers
//	                                    └─► rows of an incomplete block ─► next range
//
// Each step depends only on its input: the results of a scan and of a merge are values that
// another process can use. The caller stores a spill file, as a [File].
//
//	parts := spill.InputRanges(set, size)     // the ranges of the input for each scan
//	scan := &spill.Scan{Set: set, Pool: pool, Log: log, Pieces: parts[i], Buckets: n, Memory: m}
//	run, err := scan.Run(ctx, file) // many, in a process each
//	g := spill.NewMerger(set)                 // one
//	err = g.Add(runs[i], files[i])            // for each scan
//	merged, err := g.Merged()
//	s := &spill.Spill{Set: set, Log: log, Limit: limit, Create: create}
//	err = s.Open(merged, files)               // many, in a process each
//	p, err := plan.New(…)                     // from s.Count()
//	err = s.Dispatch(ctx, work, assign)         // the shards of work that are not reused
//
// A build in one process has one scan of all files, whose workers share a spill file.
//
// # A spill file
//
// Each worker of a scan gathers rows by bucket in its own memory, and writes a segment when the
// memory is full, without a lock. A partition is several consecutive buckets, so it is one
// contiguous range of each segment:
//
//	spill file  segment │ segment │ … │ the rest of a sample, if there are many scans
//	segment     entries of bucket 0 │ of bucket 1 │ … │ index: end, digest of each bucket
//	entry       8 key │ 8 place, if keys can be equal │ 4 length │ 1 split │ 1 mark │ text
//
// With `stratify`, an entry also has the stratum of its row. Further segments have the strata of all
// rows by ranges of points, from which the merge decides the splits: see [ValueRun].
//
// With `group`, two spill files follow one another: rows by the hash of their group, and groups by
// their key. See [Grouper].
//
// Everything read is compared with its digest.
//
// Rows of compressed files and of Parquet files can only be read in sequence. One worker reads
// such a file and passes batches of rows to workers that have no file to read. Partitions are
// loaded and sorted while the one before is written.
//
// A bucket that is too large for the memory is partitioned again. A spill file is removed when all
// shards with rows of it are finished: a build that resumes needs it until then.
package spill
