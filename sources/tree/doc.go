// Package tree has the code that the source types images and directory share, whose rows are files
// below a directory. It lists the directory and everything below it, in several goroutines, and
// reads a file when its row is read:
//
//	dir ─List─► files, in byte order of their names ─► one row each
//	                                                     │ Reader.Read
//	                                                     ▼
//	                                 content and path, filename, stem, class
//
// A source type embeds [Files], which is an input.Lister and an input.Finder, and reads headers
// as an input.Reader. The source type adds the columns of the content.
package tree
