package csv

import (
	"bytes"
	"testing"
)

// TestIsPlain has each byte at each place of records around the size of a word.
func TestIsPlain(t *testing.T) {
	for size := range 20 {
		for at := range size {
			for c := range 256 {
				rec := bytes.Repeat([]byte("a"), size)
				rec[at] = byte(c)
				if want := c > 0 && c != '\r' && c < 0x80; isPlain(rec) != want {
					t.Errorf("%q: %t, expected %t", rec, !want, want)
				}
			}
		}
	}
}
