// Command tfr-beam builds a dataset by tasks that an engine for Apache Beam runs, such as Flink.
// The dataset has the same bytes as a dataset of tfr-build.
//
//	tfr-beam -config pets.yaml -endpoint localhost:8099 -parallelism 8
//
//	tfr-beam            plan ──► scan ──► merge ──► write ──► commit
//	                              │ │                │ │
//	Beam, a job each      Create ─► Reshuffle ─► ParDo(task) ─► Sum
//	                                                 │
//	workers                       one at a time: pipeline.Tasks.Do, in this binary
//
// Plan, merge, and commit are one task each, and run in this process. Beam only distributes the
// numbers of tasks. Records never pass through it.
//
// Progress, completed tasks, and errors are stored only in the work directory. So the connection to
// the engine may break, and an engine may run a task twice.
//
// The binary is two programs: the one that submits jobs (run.go), and the worker that an engine
// starts (worker.go), which Beam calls the boot program.
package main
