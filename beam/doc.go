// Command tfr-beam has the tasks of a build run by an engine for Apache Beam, such as
// Flink. The dataset has the bytes that tfr-build gives it.
//
//	tfr-beam -config pets.yaml -endpoint localhost:8099 -parallelism 8
//
//	tfr-beam            plan ──► scan ──► merge ──► write ──► commit
//	                              │ │                │ │
//	Beam, a job each      Create ─► Reshuffle ─► ParDo(task) ─► Sum
//	                                                 │
//	workers                       one at a time: pipeline.Tasks.Do, in this binary
//
// Plan, merge and commit are one task each, and are done here. Of Beam nothing else is
// used: an element is the number of a task, and no record of the dataset ever is one.
//
// Tasks tell what they did in their work directory, and nowhere else: how far they are, that
// a phase is done and why it failed is read there. So the connection to the engine may
// break, and an engine may do a task twice.
//
// The binary is two programs: the one that submits (run.go), and the worker that an engine
// starts, which is what Beam calls boot, too (worker.go).
package main
