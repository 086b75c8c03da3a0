// Package runstate decides what a build must do: nothing, because the dataset is up to date;
// finish a stopped build; or build everything.
//
//	listed inputs ─Read─► State ── equals state.json of the last commit ─────────► up to date
//	                        └─ Job ─ equals job.json of a stopped build ────────► resume
//
// The staging directory keeps state.json after the commit; everything else in it is removed.
//
// An input is identified by its name, size, and time, within a run also by its inode, and with
// -hash-inputs also by its content. The package also lists the files for a depfile, and checks
// that a build writes only where it may.
package runstate
