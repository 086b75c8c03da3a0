// Package work is what the tasks of one build tell one another: processes, on one
// machine or on many, that share nothing but a folder.
//
//	plan ─► scan 0 … n-1 ─► merge ─► write 0 … m-1 ─► commit
//
// A task is a function of the plan, the input and what the tasks before it made, so
// any process may do it, twice, or two of them at once: what they make is equal. When
// it is done it leaves a [Note]; a task that finds its note has nothing to do. That
// is all the coordination there is: no lock, no clock, no server.
//
//	plan/plan         what is built: the config, the files as they were listed, the pieces
//	done/scan-3       the note of a task: what it made, by name and digest
//	done/merge        …with splits and shards, and which shards each write task makes
//	faults/write-7    why a task was not done, where engines are to tell it
//	runs/…            spill runs, which scan tasks make and write tasks read
//	tmp/…             whatever is not whole yet, each under a name of its own
//	committed         all that is left in the end
//
// Each file but the runs begins with a line of internal/sumline, and is decoded strictly.
// A note that is damaged, or stands in the place of another, is none; a run has digests of
// its own, and is made again; a plan that is damaged, or whose scans do not read every byte
// of the inputs once, is a [BrokenError].
//
// The folder stands in a file system or in a bucket: files are put whole, and never changed
// in place.
//
//	Folder ─┬─ *local    put: a temporary file, and a rename    putNew: a folder with its file is renamed
//	        ╰─ *prefix   put: an object                         putNew: where there is none
//
//	f, err := work.NewFolder(store.OS(), dir, "", true)
//	p, err := work.ReadPlan(f)                       // nil before it was put
//	for _, k := range share.Of(len(p.Scans)) {      // the tasks of this process
//		note, err := p.Note(f, work.Scan, k)     // nil before it is done
//		…
//		err = p.Done(f, work.Scan, k, note)
//	}
package work
