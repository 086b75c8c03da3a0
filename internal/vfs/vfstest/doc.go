// Package vfstest has the file systems that tests run on, which the program does
// not link.
//
//	vfs.FS ─┬─ *Mem              one in memory, which tells what a loss of power leaves
//	        ├─ *Log ───► vfs.FS  writes down each operation on another one
//	        └─ *Inject ► vfs.FS  does that, and fails any of them
//
// A test of a crash at operation n, and of what the next run makes of it:
//
//	disk := vfstest.NewMem("/work")
//	job(vfstest.NewInject(disk, vfstest.From(n, vfstest.ErrStopped)))
//	left := disk.Crash(vfstest.Crash{Seed: 1, Keep: 0.5, Names: vfstest.NamesEach})
//	job(left) // after a loss of power
//	job(disk) // after the end of the process alone
package vfstest
