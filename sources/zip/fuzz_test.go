package zip

import (
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
)

// FuzzRows reads data in order and at offsets, which must have the same rows. If there is no
// error, package archive/zip must read the same.
func FuzzRows(f *testing.F) {
	f.Add(raw(entry{name: "a/b.txt", text: "x"}, entry{name: "c", text: filetest.Deflate("yyyy"), size: 4, method: 8}))
	f.Add(raw(entry{name: "a", text: "x", mode: 0o120777}, entry{name: "../b", text: "x"}))
	f.Add(append([]byte("#!"), raw(entry{name: "a", text: "x"})...))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := rowsOf(t, data)
		if err != nil || slices.ContainsFunc(got, func(r string) bool {
			return r == "ZIP_CORRUPT" || r == "ZIP_NAME" || r == "ZIP_UNSUPPORTED" || r == "LIMIT_RECORD"
		}) {
			return
		}
		want, bad, err := oracle(data)
		if bad || err != nil || len(want) != len(got) { // which reads other flags, and what is litter here
			return
		}
		if !slices.Equal(got, want) && !slices.ContainsFunc(want, func(r string) bool {
			return strings.HasPrefix(r, "./")
		}) {
			t.Errorf("%q, and archive/zip reads %q", got, want)
		}
	})
}
