// Package store is the one seam between tfr-build and storage: every path and URL leads to a
// store through a [Storage].
//
//	dataset, cmd, runstate   sources/files               sink, pipeline/work
//	   │ Open Stat ReadDir     │ + List Get OpenVersion     │ + Move Remove, and Local's methods
//	   │                       │                            │   or Put Copy Delete Same Uploads Abort
//	   └─────────────────── Storage ────────────────────────┘
//	                           │ by the scheme of the name
//	              ┌────────────┴─────────────┐
//	            Local                  objects.Store
//	     paths; internal/vfs     s3:// and gs://; internal/bucket
//
// A [Reader] has three methods. What only some stores can do is a capability, an interface of its
// own. Storage asks a store for [Lister], [Getter], [VersionOpener], [Describer], [Comparer],
// [Aborter], and [NameChecker], and otherwise does the same by the three methods. Open files may be
// a [Ranger] or a [Cooler].
//
// Nothing replaces a [Putter], a [Renamer], and a [Linker]: who needs one asks [Storage.CanPut],
// [Storage.CanRename], and [Storage.HasLinks]. A store that is not a [Copier] says so by its error. What needs the
// operating system itself, such as mappings, open directories, and locks, asks [Storage.IsLocal].
//
// A dataset is published to a Renamer or a Putter. So a new store is a type with the three methods of
// a Reader and the two of a Putter, and a row in a function such as objects.Reach.
//
// Package storetest has the conformance kit of stores, and stores for tests.
package store
