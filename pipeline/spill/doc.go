// Package spill puts rows that cannot be read where they stand into spill runs:
// files of raw rows, each with the rows of one range of keys, on disk. A run fits
// the memory, and the runs in the order of their keys are the input from then on,
// with the same rows in the same order:
//
//	pass      every row once, in any order ─► its split, its key ─► its run
//	dispatch  run by run: load, sort ─► blocks that are whole ─► workers
//	                                └─► rows of a block that is not ─► in front of the next run
//
// A run that is too large to be loaded is repartitioned into smaller ones. Runs
// stay until the shards that hold their rows are finished: a run of the program
// that resumes needs them for those that are not. What the pass learned is kept
// with them, as a [Catalogue].
//
//	s := &spill.Spill{Set: set, Stage: stage, …}
//	err := s.Pass(ctx, counted)             // or ok, err := s.Reopen(ctx, planned)
//	p, err := plan.New(…)                   // of s.Count()
//	err = s.Dispatch(ctx, work, give)
package spill
