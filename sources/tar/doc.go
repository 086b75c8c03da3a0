// Package tar is the kind of source whose rows are samples in tar archives, as
// WebDataset lays them out:
//
//	source:
//	  tar: {files: "shards/*.tar"}
//
// Members of one key that stand one after another are a row, and each is a column
// by its extension. The key is the path up to the first dot of its last element:
//
//	a/0001.jpg   a/0001.cls   a/0001.seg.png   a/0002.jpg   a/0002.cls
//	├───────────── row a/0001 ─────────────┤   ├──── row a/0002 ─────┤
//	jpg          cls          seg.png          jpg          cls
//
// A row's position is that of its first member's first header. Archives that are not
// compressed are mapped, and a row's members are read where they stand; compressed ones
// are read one row after another. Both go by the same [grouper], from header to header:
//
//	walker   blocks of 512 bytes ─► headers of ustar, GNU and PAX ─► a member
//	grouper  members ─► rows, and what is wrong with them
//	         │              │
//	Rows     stream         gathers the text of a row: headers and contents
//	Find     mapping        notes where rows begin
//	Scan     mapping, or    shows each member to the scanner: columns, JSON, facts of images
//	         that text
//
// Nothing of an archive is ever extracted. A member that is no file, or whose name leads
// elsewhere, spoils its row. Folders, and what has no key or no extension, are in no row.
//
// # Damage
//
// A header whose checksum is wrong has lost a member, or several, and nobody can tell of
// which row. So from there on to the next header that is one, with the row before it and
// the row behind it, all is one row that cannot be used. An archive that is cut, or lacks
// its end, has lost something of its last row.
package tar
