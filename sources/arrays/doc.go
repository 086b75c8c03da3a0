// Package arrays implements the source type `arrays`, whose rows are the rows of arrays in files.
// Each array is a column:
//
//	source:
//	  arrays:
//	    columns: {image: train-images-idx3-ubyte.gz, label: labels.npy, x: "data.npz#x_train"}
//	    rows: [0, 5000]
//
// A row is the values of all arrays at one index of their first axis, which has the same length in
// all. The offset of the row is that index, so the option rows does not change row IDs.
//
//	columns ─Open─► files ─ReadHeads─► type, shape, order of bytes and of axes
//	                                     │
//	            ┌────────────────────────┴──────────────────────────┐
//	plain, C order        mapped: row i at first + i · stride       │ Find
//	compressed, or in     read serially: the rows of all arrays     │ Rows
//	Fortran order         one after another                         ▼
//	                                                    numbers: an Array
//	                                                    S, U: a Text each
//
// # Formats
//
// The first bytes of a file, after decompression, identify its format:
//
//	"\x93NUMPY" major minor | length, 2 or 4 bytes | a dict of Python | elements     .npy
//	"PK\3\4" …                                                                       .npz, a zip of .npy
//	0 0 type axes | the length of each axis, 4 bytes, big-endian | elements          IDX
//
// A strict parser reads the three known keys of the dict; no Python code runs. An array of objects
// is pickled, and is rejected by name like all other unsupported types. A header must agree with
// the size of the file: an array has exactly as many bytes as its header says.
package arrays
