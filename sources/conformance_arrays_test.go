package sources

import (
	"encoding/binary"
	"fmt"
	"strings"

	"tfr-build/sources/arrays"
	"tfr-build/sources/input"
)

// npy is a .npy file of version 1.
func npy(descr, shape, elements string) string {
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	dict += strings.Repeat(" ", 63-(10+len(dict))%64) + "\n"
	length := binary.LittleEndian.AppendUint16(nil, uint16(len(dict)))
	return "\x93NUMPY\x01\x00" + string(length) + dict + elements
}

func arraysSample() sample {
	return sample{
		name: "two files", columns: []string{"s", "n"},
		options: &arrays.Options{Columns: input.ColumnFiles{{Column: "s", File: "a.npy"}, {Column: "n", File: "b.npy"}}},
		first:   "a.npy",
		files: map[string]string{
			"a.npy": npy("|S3", "(3, 2)", "one12\x00\x00\x00\x003\x00\x00two4\x00\x00"),
			"b.npy": npy("|u1", "(3,)", "\x07\x08\x09"),
		},
		rows: []string{"a.npy:0:0 [one 12]|7", "a.npy:1:1 [ 3]|8", "a.npy:2:2 [two 4]|9"},
	}
}
