// Package files lists and reads input files. It lists them by a pattern or below a directory, in
// the local file system or in another store. Packages above it never open an input themselves,
// and never ask which store has it:
//
//	patterns  ─Expand─► files ─Open, Map─► their bytes        tables, arrays, records
//	directory ─Walk───► files ─Directory.Read─► their content    files that are rows
//	directory ───────── names ─Root.Read ─► their content     files that rows name
//
// A [System] has two implementations:
//
//	             local                                      remote: any other store
//	Expand Walk  readdir, stat                              one listing by prefix
//	Open         a file                                     ranges in flight, behind the first 64 KiB
//	MapAll       mmap                                       memory, read in ranges; beyond --memory input is streamed
//	Read         openat, read; read-ahead asks before       the whole file; a fetcher may have fetched it
//
// A [File] records the version of a file that was listed. Reading another version is
// [ErrChanged].
//
// Code that reads many rows of a file works in memory: on a mapping, or on a buffer that a
// [Handle] fills. So no row costs a call through these interfaces.
package files
