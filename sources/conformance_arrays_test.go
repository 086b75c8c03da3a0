package sources

import (
	"tfr-build/internal/filetest"
	"tfr-build/sources/arrays"
	"tfr-build/sources/input"
)

func arraysSample() sample {
	return sample{
		name: "two files", columns: []string{"s", "n"},
		options: &arrays.Options{Columns: input.ColumnFiles{{Column: "s", File: "a.npy"},
			{Column: "n", File: "b.npy"}}},
		hostile: arraysHostile,
		named:   true, first: "a.npy", row: "five",
		files: map[string]string{
			"a.npy": filetest.NPY("|S3", "(3, 2)", "one12\x00\x00\x00\x003\x00\x00two4\x00\x00"),
			"b.npy": filetest.NPY("|u1", "(3,)", "\x07\x08\x09"),
		},
		bzip2: "QlpoOTFBWSZTWYOn5uQAAC7foGAQQOQ9EAEDSiCvRd2OCAAgAFRFHpGgAADQDynqeoRMpp6jIepoAAGgDBU2QgXyVietBAcAkRNfmPhgCOh" +
			"OkqjS+t62KHH7BXbHveSDOjGmEDCCtSNIU1WMBWapwNfZoP4u5IpwoSEHT83I",
		rows: []string{"a.npy:0:0 [one 12]|7", "a.npy:1:1 [ 3]|8", "a.npy:2:2 [two 4]|9"},
	}
}

// arraysRange is rows of the second file alone, big-endian and in Fortran order.
func arraysRange() sample {
	file := filetest.NPYFortran(">u2", "(4, 2)", "\x00a\x00b\x00c\x00d\x00A\x00B\x00C\x00D")
	return sample{
		name: "a range", columns: []string{"n", "w"}, named: true, first: "a", row: "x",
		options: &arrays.Options{
			Columns: input.ColumnFiles{{Column: "n", File: "a"}, {Column: "w", File: "b.npy"}},
			Rows:    input.RowRange{From: 1, To: 3},
		},
		files: map[string]string{"a": filetest.IDX(8, "\x06\x07\x08\x09", 4), "b.npy": file},
		rows:  []string{"a:1:1 7|[98 66]", "a:2:2 8|[99 67]"},
	}
}
