// Package tree is what the kinds have in common whose rows are files below a
// folder: images and folder. It lists the folder and all below it, by several
// goroutines, and reads a file when its row is read:
//
//	dir ─List─► files, in byte order of their names ─► one row each
//	                                                     │ ReadFile
//	                                                     ▼
//	                                 content and path, filename, stem, class
//
// A kind embeds [Files], which is an input.Lister, an input.Finder and, but for
// what it makes of the content, an input.Reader.
package tree
