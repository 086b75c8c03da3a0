// Package store is the one seam between tfr-build and storage: every path and URL leads to a
// store through a [Storage].
//
//	dataset, cmd, runstate   sources/files                 sink, pipeline/work
//	   │ Open Stat ReadDir     │ + List Get OpenVersion       │ + Move Remove
//	   └─────────────────── Storage ────────────────────────────┘
//	                           │ by the scheme of the name
//	              ┌────────────┴─────────────┐
//	            Local                  objects.Store
//	     paths; internal/vfs     s3:// and gs://; internal/bucket
//
// A [Reader] has three methods. What only some stores can do is a capability, an interface of its
// own: [Lister], [Getter], [VersionOpener], [Uploader], and for open files [Ranger] and [Cooler].
// Storage asks for them and otherwise does the same by the three methods. So a new store is a type
// with these and a row in a function such as objects.Reach.
//
// Nothing replaces a [Renamer] and a [Linker]: who needs one asks [Storage.CanRename] and
// [Storage.HasLinks]. What needs the operating system itself, such as mappings and open
// directories, asks [Storage.IsLocal].
//
// Package storetest has the conformance kit of stores, and stores for tests.
package store
