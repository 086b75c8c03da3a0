// Package work stores what the tasks of one build exchange. Tasks are processes, on one or many
// machines, that share only a directory.
//
//	plan ─► scan 0 … n-1 ─► merge ─► write 0 … m-1 ─► commit
//
// With rules that compare rows, compare 0 … n-1 ─► match come before the scans. With `group`, group 0 … k-1 come before
// the merge: each groups the rows of a range of hashes, of all scans.
//
// A task depends only on the plan, the input, and the results of earlier tasks. So any process may
// run it, also twice, or two processes at once: their results are equal. A finished task leaves a
// [Note]; a task that finds its note has nothing to do. Tasks use no locks, clocks,
// or servers.
//
//	plan/plan         what is built: the config, the listing of the input, the pieces
//	done/scan-3       the record of a finished task: its results, by name and digest
//	done/merge-0      …with splits and shards, and the shards of each write task
//	faults/write-7    why a task failed, for the process that started the tasks
//	runs/…            spill files, which scan tasks write and write tasks read; also of compare, match, and group
//	tmp/…             incomplete files, each under a unique name
//	committed         the only file that remains at the end
//
// Each file except the spill files begins with a line of internal/sumline, and is decoded
// strictly. A damaged note, or a note in the place of another, does not count. A spill file has
// digests of its own; a damaged one is made again. A plan is a [BrokenError] if it is damaged, or
// if its scans do not read every byte of the input once.
//
// The directory is in a file system or in a bucket. Files are written completely, and never
// changed in place.
//
//	Directory ─┬─ *renamer   renames a temporary file           putNew: renames a directory with the file
//	           ╰─ *putter    puts a local file as an object     putNew: puts an object, if none exists
//
//	f, err := work.NewDirectory(store.OS(), dir, "", true)
//	p, err := work.ReadPlan(f)                       // nil until it is put
//	for _, k := range share.Tasks(len(p.Scans)) {   // the tasks of this process
//		note, err := p.Note(work.Scan, k)     // nil until it is done
//		…
//		err = p.Done(work.Scan, k, note)
//	}
package work
