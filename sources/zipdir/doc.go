// Package zipdir reads the directory of a zip archive, which lists its members:
//
//	local header, name, content │ … │ directory │ its end record, comment
//	╰─ Member.At                     ╰─ Member.End
//
// Contents are read by others at their offsets. Claims are compared with the size of the file
// before memory is allocated: a directory of n bytes has at most n/46 members.
//
// # Libraries
//
// archive/zip of Go 1.26.8 was tried. Before it reads a directory, it allocates 8 bytes for each
// claimed member, of which it accepts one per 30 bytes of the file. A sparse file of 1 TiB that
// occupies 200 bytes of disk ended the program: out of memory. A directory of 256 MiB took
// 1.5 GB, three times as much as here. Its only error is "not a valid zip file". It does not export
// the offset of a local header, which is the offset of a row. DataOffset reads each local header, so
// a directory of n members in a bucket takes n requests.
package zipdir
