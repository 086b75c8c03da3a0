// Package simulation holds tasks of a size that no test could do in earnest: 100,000 of
// them, of 1,000,000 inputs that seem to have 1 PB. Inputs are sparse files under many
// names; scans are not run, but leave the notes and runs that they would leave. All else is
// what the program does: the plan, the merge, write tasks, and the commit, each in a
// process of its own, whose time, memory and operations are measured.
//
//	sparse files ─► task plan ─► notes, runs ─► task merge ─► task write, one ─► notes, shards ─► task commit
//
// It is a package of tests.
package simulation
