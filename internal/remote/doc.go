// Package remote reads objects in buckets as files: a [FS] is a file system in which
// names that are URLs lead to buckets, and all others to the file system below it.
//
//	dataset, sink, pipeline
//	        │ Open Stat Lstat ReadDir
//	        FS ─┬─ out/penguins                the file system below, for writing, too
//	            └─ s3://corpus/penguins        a bucket, to be read
//
// What is opened is one object, by its ETag: when it is replaced meanwhile, reading
// fails. What writes a dataset to a bucket is package sink.
package remote
