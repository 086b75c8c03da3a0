package tar

import (
	"archive/tar"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/tarfile"
)

// FuzzRows reads data from memory and as a stream, which must have the same rows. If package
// archive/tar reads it without an error, and so does this package, both must have the same
// members.
func FuzzRows(f *testing.F) {
	for _, format := range []tar.Format{tar.FormatUSTAR, tar.FormatPAX, tar.FormatGNU} {
		f.Add(archive(f, format, file{"a/1.jpg", "x"}, file{"a/1.CLS", "7\n"},
			file{"a/2.jpg", strings.Repeat("y", 600)}))
	}
	f.Add(archive(f, tar.FormatPAX, file{strings.Repeat("long/", 70) + "1.txt", "x"}))
	f.Add(archive(f, tar.FormatGNU, file{strings.Repeat("long/", 70) + "1.txt", "x"}))
	f.Add(slices.Concat(block("1.a", tarfile.TypeSparse, 0, nil), flipped(block("2.a", tarfile.TypeFile, 1, nil)),
		block("3.a", tarfile.TypeFile, 0, nil), end))
	f.Fuzz(func(t *testing.T, data []byte) {
		rowsOf(t, data)
		got, bad := members(data)
		want, err := oracle(data)
		if bad != nil || err != nil || slices.Equal(got, want) {
			return
		}
		t.Errorf("%q, and archive/tar reads %q", got, want)
	})
}
