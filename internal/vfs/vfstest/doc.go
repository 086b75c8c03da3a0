// Package vfstest has file systems for tests, which are not linked into the program:
//
//	vfs.FS ─┬─ *Mem              in memory; knows what a power loss leaves
//	        ├─ *Log ───► vfs.FS  records each operation on another one
//	        └─ *Inject ► vfs.FS  does that, and fails any of them
//
// A test of a crash at operation n, and of the next run after it:
//
//	disk := vfstest.NewMem("/work")
//	job(vfstest.NewInject(disk, vfstest.From(n, vfstest.ErrStopped)))
//	left := disk.Crash(vfstest.Crash{Seed: 1, Keep: 0.5, Names: vfstest.NamesEach})
//	job(left) // after a power loss
//	job(disk) // after the end of the process alone
package vfstest
