// Package zip is the source type whose rows are members of zip archives. They are like the files
// below a directory in package directory:
//
//	source:
//	  zip: {files: photos.zip, extensions: [jpg]}
//
// A row has the columns content, path, filename, stem, and class. If the member is an image, it
// has image and its metadata too, which are decoded if they are required.
//
// The directory at the end of an archive lists the members. The position of a row is the offset
// of its local header:
//
//	╭── ReadHeads ◄─────────────────────────────────────────────────────────╮
//	│                                                                       │
//	│  header, name │ content │ header, name │ content │ … │ directory │ its end record
//	│  ├─────── row ─────────┤├─────── row ─────────┤
//	╰► names, offsets, sizes, checksums ─► which are rows
//
// A content is stored as it is, or deflated; then it is inflated when its row is read. Both are
// compared with their checksums. No member is ever extracted to disk. A name that leads out of
// the archive, a link, encryption, and other compression methods make the row invalid.
//
// An archive with overlapping members, or with two members of one name, is refused: zip bombs use
// them. A member has exactly the size in the directory; no further byte is inflated.
package zip
