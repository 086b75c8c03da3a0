// Package fault tests what complete builds come to when something goes wrong: that
// nothing is lost, that nothing is said which does not hold, and that the next
// run makes the same bytes as if nothing had happened.
//
//	job ─► Build over a disk that ─┬─ stops before operation i          (kill_test.go)
//	       │                       ├─ loses what was not synced         (power_test.go)
//	       │                       ├─ refuses an operation              (refuse_test.go)
//	       │                       └─ says it did what it did not do    (lie_test.go)
//	       ▼
//	       the published dataset is complete: the old or the new one
//	       │
//	       ▼
//	       Build again ─► the disk of a run that nothing disturbed, byte for byte
//
// The disk is one in memory ([vfstest.Mem]); the input lies on the real one. The
// program itself is raced against itself and sent signals in program_test.go.
//
// Without TFR_EXHAUSTIVE=1 a sample of the operations is disturbed; see package
// testenv.
package fault
