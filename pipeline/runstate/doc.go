// Package runstate tells what a run has to do: nothing, because the dataset is up
// to date; the rest of what a stopped run began; or all of it.
//
//	inputs, as they are listed ─Read─► State ──── like state.json beside the output ────► up to date
//	                                     └─ Job ─ like job.json of a stopped run ───────► resume
//
// An input is known by its name, size and time, within a run by its inode, and
// where that is asked for by its content. The package also lists what a depfile
// names, and refuses paths at which a run may not write.
package runstate
