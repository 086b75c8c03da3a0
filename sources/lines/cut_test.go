package lines

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

func TestRowsOfChunks(t *testing.T) {
	const limit = 8
	for _, test := range []struct {
		name  string
		input string // § marks the start of a row
		blank int
	}{
		{"nothing", "", 0},
		{"a row", "§{}\n", 0},
		{"no final line feed", "§{}\n§{}", 0},
		{"CRLF", "§{}\r\n§{}\r\n", 0},
		{"blank lines", "\n§{}\n\n \t\r\n§{}\n\n", 4},
		{"blank end without line feed", "§{}\n  ", 1},
		{"blank line of the limit", "        \n§{}", 1},
		{"blank line over the limit", "§         \n§{}", 0},
		{"long blank end", "§{}\n§         ", 0},
		{"space before a row", "§ {}\n§\t{}", 0},
		{"long row", "§{\"a\": 123456}\n§{}\n", 0},
		{"byte order mark", "\xef\xbb\xbf§{}\n§{}\n", 0},
		{"only a byte order mark", "\xef\xbb\xbf", 0},
		{"byte order mark and blank line", "\xef\xbb\xbf\n§{}\n", 1},
		{"byte order mark later", "§{}\n§\xef\xbb\xbf{}\n", 0},
		{"a bad row", "§\x00\n§]", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			data, want := marks(test.input)
			for _, size := range []int{1, 2, 3, 5, max(1, len(data))} {
				got, blank, _ := cutAll(data, size, limit)
				if !slices.Equal(got, want) || blank != test.blank {
					t.Errorf("stretches of %d: %v and %d blank, want %v and %d", size, got, blank, want, test.blank)
				}
			}
			for _, window := range []int{limit + 1, limit + 2, 100} {
				got, blank := stream(t, data, window, limit)
				if !slices.Equal(got, want) || blank != test.blank {
					t.Errorf("windows of %d: %v and %d blank, want %v and %d", window, got, blank, want, test.blank)
				}
			}
		})
	}
}

// marks removes each § from text and returns their offsets.
func marks(text string) (data []byte, at []int) {
	for i, piece := range strings.Split(text, "§") {
		if i > 0 {
			at = append(at, len(data))
		}
		data = append(data, piece...)
	}
	return data, at
}

// cutAll cuts data in ranges of size bytes.
func cutAll(data []byte, size, limit int) (starts []int, blank int, valid bool) {
	c := Chunk{Rule: json(limit)}
	valid = true
	for lo := 0; lo < len(data); lo += size {
		c.Cut(data, lo, min(lo+size, len(data)))
		for _, start := range c.Starts {
			starts = append(starts, lo+int(start))
		}
		blank += c.Blank
		valid = valid && c.Valid
	}
	return starts, blank, valid
}

// stream cuts data through a window that grows to most bytes, with reads of half the size
// requested.
func stream(t testing.TB, data []byte, most, limit int) (starts []int, blank int) {
	t.Helper()
	pos := 0
	if bytes.HasPrefix(data, []byte(BOM)) {
		pos = len(BOM)
	}
	r := iotest.HalfReader(bytes.NewReader(data[pos:]))
	c := Cutter{Rule: json(limit)}
	var window []byte
	room := make([]byte, most)
	atEOF, inside := false, false
	for {
		n, isBlank, more := c.Next(window, atEOF)
		if n == 0 {
			if atEOF {
				return starts, blank
			}
			if len(window) == most {
				t.Fatalf("no progress in a window of %d bytes with limit %d", most, limit)
			}
			k, err := r.Read(room[:most-len(window)])
			window = append(window, room[:k]...)
			atEOF = err != nil
			continue
		}
		if isBlank {
			blank++
		} else if !inside {
			starts = append(starts, pos)
		}
		inside = more
		pos += n
		window = window[n:]
	}
}

func TestCutFindsInvalidUTF8(t *testing.T) {
	for _, text := range []string{
		"aé€😀z", "é", "😀", "\ufffd\ufffd",
		"a\xc3", "\x80", "\xc3\xc3\xa9", "a\xe2\x82", "\xf0\x9f\x98", "\xf0\x9f\x98\x80\x80", "\xed\xa0\x80",
		"\xc0\x80", "\xf4\x90\x80\x80", "\xe2\x28\xa1",
	} {
		for size := 1; size <= len(text); size++ {
			if _, _, valid := cutAll([]byte(text), size, 100); valid != utf8.ValidString(text) {
				t.Errorf("%q in stretches of %d: valid is %t", text, size, valid)
			}
		}
	}
}

func TestCutOfManyBlocks(t *testing.T) {
	data := []byte(strings.Repeat("{}\n", cutBlock) + strings.Repeat("é", cutBlock) + "\n\n{}")
	want, wantBlank, _ := cutAll(data, 1, 1<<20)
	for _, size := range []int{cutBlock - 1, cutBlock, 3*cutBlock + 1, len(data)} {
		got, blank, valid := cutAll(data, size, 1<<20)
		if !slices.Equal(got, want) || blank != wantBlank || !valid {
			t.Errorf("stretches of %d differ from those of 1", size)
		}
	}
}

func FuzzCut(f *testing.F) {
	for _, text := range []string{"{}\n{}\n", "\xef\xbb\xbf{}\r\n\n \n{}", "é\n\xc3\n", "\n\n    \n{\n"} {
		f.Add([]byte(text), uint8(0), uint8(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, size, limit uint8) {
		want, wantBlank := stream(t, data, int(limit)+1, int(limit))
		for _, size := range []int{1, int(size) + 1, len(data) + 1} {
			got, blank, valid := cutAll(data, size, int(limit))
			if !slices.Equal(got, want) || blank != wantBlank {
				t.Errorf("stretches of %d: %v and %d blank; in a stream %v and %d", size, got, blank, want, wantBlank)
			}
			if valid != utf8.Valid(data) {
				t.Errorf("stretches of %d: valid is %t", size, valid)
			}
		}
	})
}

// json is the rule of JSON lines.
func json(limit int) Rule { return Rule{limit, " \t\r"} }
