// Package tar is the source type whose rows are samples in tar archives in WebDataset layout:
//
//	source:
//	  tar: {files: "shards/*.tar"}
//
// Consecutive members with one key are a row, and each member is a column by its extension. The
// key is the path up to the first dot of its last element:
//
//	a/0001.jpg   a/0001.cls   a/0001.seg.png   a/0002.jpg   a/0002.cls
//	├───────────── row a/0001 ─────────────┤   ├──── row a/0002 ─────┤
//	jpg          cls          seg.png          jpg          cls
//
// The position of a row is the offset of its first header. Uncompressed archives are mapped, and
// the members of a row are read at their offsets. Compressed archives are read row by row. Both
// use [tarfile.Grouper], from header to header:
//
//	Rows     stream         collects the text of a row: headers and contents
//	Find     mapping        records where rows begin
//	Scan     mapping, or    passes each member to the scanner: columns, JSON, image metadata
//	         that text
//
// No member is ever extracted to disk. A member that is not a file, or whose name leads out of
// the archive, makes its row invalid. Directories, and members without a key or an extension, are
// in no row.
package tar
