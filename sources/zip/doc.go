// Package zip is the kind of source whose rows are the members of zip archives, as
// those of package folder are the files below a folder:
//
//	source:
//	  zip: {files: photos.zip, extensions: [jpg]}
//
// A row has the columns content, path, filename, stem and class; and, as the member
// may be an image, image and its facts, which are looked at if they are asked for.
// Which members there are, the directory at an archive's end says. A row's position is
// that of its member's own header:
//
//	╭── ReadHeads ◄─────────────────────────────────────────────────────────╮
//	│                                                                       │
//	│  header, name │ content │ header, name │ content │ … │ directory │ end of it
//	│  ├─────── row ─────────┤├─────── row ─────────┤
//	╰► names, places, sizes, checksums ─► which are rows
//
// A content is stored as it is, or deflated: then it is inflated when its row is read.
// Both are held against their checksums. Nothing is ever extracted: a name that leads
// elsewhere, a link, what is encrypted or compressed in another way spoils its row.
//
// An archive whose members overlap, or two of which have one name, is refused: what
// claims to hold more than it can is one of these. A member has the size that the
// directory says, and not a byte more is inflated.
package zip
