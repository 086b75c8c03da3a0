// Package arrays is the kind of source whose rows are those of arrays in files,
// each array a column:
//
//	source:
//	  arrays:
//	    columns: {image: train-images-idx3-ubyte.gz, label: labels.npy, x: "data.npz#x_train"}
//	    rows: [0, 5000]
//
// A row is what all arrays have at one place of their first axis; they are of one
// length. Its offset is that place, so a range of rows changes no address.
//
//	columns ─Open─► files ─ReadHeads─► type, shape, order of bytes and of axes
//	                                     │
//	            ┌────────────────────────┴──────────────────────────┐
//	plain, C order        mapped: row i at first + i · stride       │ Find
//	compressed, or in     read one after another: the row of each   │ Rows
//	Fortran order         array, one behind the other               ▼
//	                                                    numbers: an Array
//	                                                    S, U: a Text each
//
// # Formats
//
// The first bytes of a file, decompressed, tell what it is:
//
//	"\x93NUMPY" major minor | length, 2 or 4 bytes | a dict of Python | elements     .npy
//	"PK\3\4" …                                                                       .npz, a zip of .npy
//	0 0 type axes | the length of each axis, 4 bytes, big-endian | elements          IDX
//
// The dict is read by a strict parser of its own three keys; nothing of Python is
// run. An array of objects is pickled, and is refused by name like every other
// type that is not read. A header is believed only as far as the file goes: an
// array has exactly as many bytes as its header says.
package arrays
