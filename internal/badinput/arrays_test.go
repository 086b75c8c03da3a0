package badinput

import (
	"strings"

	"tfr-build/internal/filetest"
)

// arrayFileFaults are arrays that lie, or are not what the config says.
func arrayFileFaults() []fault {
	const features = "features: {x: {}}\n"
	one := func(v verdict, name, file string) fault {
		return input(v, name, "source: {arrays: {columns: {x: x.npy}}}\n"+features, map[string]string{"x.npy": file})
	}
	pair := map[string]string{"x.npy": filetest.NPY("|u1", "(3,)", "abc"), "y.npy": filetest.NPY("|u1", "(2,)", "ab")}
	texts := filetest.NPY("<U1", "(3,)", "a\x00\x00\x00\x00\x00\x11\x00b\x00\x00\x00")
	return []fault{
		one(accepted, "an array", filetest.NPY("|u1", "(3, 2)", "abcdef")),
		one(refused, "an array of objects", filetest.NPY("|O", "(3,)", "\x80\x04")),
		one(refused, "a structured array", filetest.NPY("|V8", "(3,)", strings.Repeat("x", 24))),
		one(refused, "an array that is cut", filetest.NPY("<f8", "(3, 2)", "abcdef")),
		one(refused, "an array with more than it claims", filetest.NPY("|u1", "(3,)", "abcdef")),
		one(refused, "an array that claims everything", filetest.NPY("<f8", "(1099511627776, 2000000)", "")),
		one(refused, "rows of nothing", filetest.NPY("<f8", "(1099511627776, 0)", "")),
		one(refused, "an IDX file that claims more than it has", filetest.IDX(8, "abc", 1<<16, 16)),
		one(refused, "an IDX file with more than it claims", filetest.IDX(8, "abc", 2)),
		one(refused, "a header that is a program", filetest.NPYHeader(1, "__import__('os')", "")),
		one(refused, "a table for an array", "a,b\n1,2\n"),
		one(refused, "an array without a row", filetest.NPY("|u1", "(0, 3)", "")),
		one(badRow, "an invalid text", texts),
		input(badRow, "an invalid text in another file",
			"source: {arrays: {columns: {y: y.npy, z: x.npy}}, rename: {z: x}}\nfeatures: {y: {}, x: {}}\n",
			map[string]string{"x.npy": texts, "y.npy": filetest.NPY("|u1", "(3,)", "abc")}),
		input(badRow, "a number too large in another file",
			"source: {arrays: {columns: {y: y.npy, z: x.npy}}, rename: {z: x}}\nfeatures: {y: {}, x: {type: int64}}\n",
			map[string]string{"x.npy": filetest.NPY("<u8", "(2,)", strings.Repeat("\xff", 16)),
				"y.npy": filetest.NPY("|u1", "(2,)", "ab")}),
		input(badRow, "texts that are none, skipped",
			"source: {arrays: {columns: {x: x.npy}}}\non_error: skip\nmax_errors: 0\n"+features,
			map[string]string{"x.npy": texts}),
		input(refused, "arrays of two lengths", "source: {arrays: {columns: {x: x.npy, y: y.npy}}}\n"+features, pair),
		input(refused, "rows that are not there", "source: {arrays: {columns: {x: x.npy}, rows: [2, 4]}}\n"+features,
			pair),
		input(refused, "no range of rows", "source: {arrays: {columns: {x: x.npy}, rows: [2, 2]}}\n"+features, pair),
		input(refused, "rows that are words", "source: {arrays: {columns: {x: x.npy}, rows: [first, 2, 3]}}\n"+features,
			pair),
		input(refused, "no columns", "source: {arrays: {columns: {}}}\n"+features, pair),
		input(refused, "a URL", "source: {arrays: {columns: {x: \"s3://b/x.npy\"}}}\n"+features, pair),
		input(refused, "a member of no archive", "source: {arrays: {columns: {x: \"x.npy#y\"}}}\n"+features, pair),
		input(refused, "no archive", "source: {arrays: {columns: {x: \"x.npz#y\"}}}\n"+features,
			map[string]string{"x.npz": "PK\x03\x04junk"}),
		input(refused, "the same array in two sources of one split",
			"sources:\n- {split: train, arrays: {columns: {x: x.npy}, rows: [0, 2]}}\n- {split: train, arrays: "+
				"{columns: {x: x.npy}, rows: [2, 3]}}\n"+features, pair),
		input(accepted, "the same array in the sources of two splits",
			"sources:\n- {split: train, arrays: {columns: {x: x.npy}, rows: [0, 2]}}\n- {split: test, arrays: "+
				"{columns: {x: x.npy}, rows: [2, 3]}}\n"+features, pair),
		input(accepted, "the same array in two named sources",
			"sources:\n- {name: a, split: train, arrays: {columns: {x: x.npy}, rows: [0, 2]}}\n- {name: b, split: "+
				"test, arrays: {columns: {x: x.npy}, rows: [2, 3]}}\n"+features, pair),
	}
}
