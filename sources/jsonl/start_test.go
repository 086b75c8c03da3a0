package jsonl

import (
	"fmt"
	"strings"
	"testing"

	"tfr-build/schema"
)

func TestStart(t *testing.T) {
	const whole, head = true, false
	long := `{"a": "` + strings.Repeat("x", 100)
	for _, test := range []struct {
		name  string
		input string
		atEOF bool
		want  string // code and offset
	}{
		{"empty", "", whole, "accept"},
		{"a row", "{\"a\": 1}\n", whole, "accept"},
		{"byte order mark", "\xef\xbb\xbf{}\n", whole, "accept 3"},
		{"blank lines first", "\n \r\n{}\n{}", whole, "accept"},
		{"a bad first row", "{\"a\": }\n{}", whole, "accept"},
		{"a scalar first", "1\n{}", whole, "accept"},
		{"cut short", "{\"a\": 1,\n", whole, "accept"},
		{"cut short before a row", "{\"a\":\n{\"a\": 1}\n{\"a\": 2}\n", whole, "accept"},
		{"equal keys", "{\"a\": 1, \"a\": 2}\n", whole, "accept"},
		{"a long row", long, head, "accept"},
		{"two objects on a line", "{} {}\n", whole, "accept"},
		{"CR inside a row", "{\r}\n{}", whole, "accept"},
		{"CR at the end", "{}\r", whole, "accept"},

		{"UTF-16LE by mark", "\xff\xfe{\x00}\x00", whole, "ENCODING 0"},
		{"UTF-16BE by mark", "\xfe\xff\x00{\x00}", whole, "ENCODING 0"},
		{"UTF-16LE", "{\x00}\x00", whole, "ENCODING 0"},
		{"UTF-16BE", "\x00{\x00}", whole, "ENCODING 0"},
		{"UTF-32LE", "{\x00\x00\x00}\x00\x00\x00", whole, "ENCODING 0"},
		{"UTF-32BE", "\x00\x00\x00{", whole, "ENCODING 0"},

		{"pretty-printed", "{\n  \"a\": 1\n}\n", whole, "JSONL_NOT_ONE_OBJECT_PER_LINE 1"},
		{"pretty-printed with CRLF", "\r\n{\r\n  \"a\": 1\r\n}\r\n", whole, "JSONL_NOT_ONE_OBJECT_PER_LINE 4"},
		{"pretty-printed, more than the head", "{\n  \"a\": 1,\n \"b", head, "JSONL_NOT_ONE_OBJECT_PER_LINE 1"},
		{"pretty-printed with equal keys", "{\n\"a\": 1,\n\"a\": 2\n}", whole, "JSONL_NOT_ONE_OBJECT_PER_LINE 1"},
		{"an array of lines", "[\n{\"a\": 1},\n{\"a\": 2}\n]", whole, "JSONL_NOT_ONE_OBJECT_PER_LINE 0"},
		{"an array on a line", "\xef\xbb\xbf[{\"a\": 1}]", whole, "JSONL_NOT_ONE_OBJECT_PER_LINE 3"},
		{"a long array on a line", "[{\"a\": 1}, {\"a", head, "JSONL_NOT_ONE_OBJECT_PER_LINE 0"},
		{"lines of arrays", "[1]\n[2]\n", whole, "JSONL_NOT_ONE_OBJECT_PER_LINE 0"},
		{"an array before objects", "[1]\n\n{}\n", whole, "accept"},
		{"no array", "[section]\na = 1\n", whole, "accept"},

		{"lone CR", "{\"a\": 1}\r{\"a\": 2}\r", whole, "JSONL_LONE_CR 8"},
		{"two lone CR", "{}\r\r{}\r", whole, "JSONL_LONE_CR 2"},

		{"zip", "PK\x03\x04…", whole, "FORMAT_MISMATCH 0"},
		{"tar", "t.jsonl" + strings.Repeat("\x00", 250) + "ustar\x00", whole, "FORMAT_MISMATCH 0"},
		{"a word of tar", `{"a": "` + strings.Repeat("x", 250) + `ustar"}`, whole, "accept"},
		{"xz", "\xfd7zXZ\x00\x00\x04", whole, "FORMAT_MISMATCH 0"},
		{"HTML", "<!DOCTYPE html>\n", whole, "FORMAT_MISMATCH 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			first, err := Start([]byte(test.input), test.atEOF)
			got := code(t, err)
			if e, ok := err.(*schema.RowError); ok {
				got = fmt.Sprintf("%s %d", got, e.At)
			} else if first > 0 {
				got = fmt.Sprintf("%s %d", got, first)
			}
			if got != test.want {
				t.Errorf("got %s (%v), want %s", got, err, test.want)
			}
		})
	}
}

// TestDocuments checks the hints for files that are JSON, but not one row per line.
func TestDocuments(t *testing.T) {
	const one, first = "the file is one object over several lines", "the first object spans several lines"
	for _, tt := range []struct {
		input         string
		atEOF         bool
		message, hint string
	}{
		{"[\n{}]", true, "the file begins with an array", "json: {files: …}, for documents"},
		{"{\n\"a\": 1}\n{\n\"a\": 2}", true, first, "jq -c . OLD > NEW"},
		{"{\n\"a\": 1}\n{\"a\": 2}", true, first, "jq -c . OLD > NEW"},
		{"{\n\"a\": 1}\n\n", true, one, "jq -c . OLD > NEW makes it one row"},
		{"{\n\"a\": [1, {\"x\": [{}]}],\n\"b\": {\"c\": [{}]}}", true, one, "jq -c . OLD > NEW makes it one row"},
		{"{\n\"a b\": [{}]}", true, one, "jq -c . OLD > NEW makes it one row"},
		{"{\n\"n\": 1, \"x\": [], \"y\": [[{}]], \"rows\": [{\"a\": 1}]}", true,
			"the file is an object over several lines", "json: {files: …, rows: rows}, for documents"},
		{"{\n\"rows\": [{\"a\": 1}, {\"a\"", false, "the file is an object over several lines",
			"json: {files: …, rows: rows}, for documents"},
		{"{\n\"rows\": [{\"a\": 1}]}\n{\"rows\": []}", true, first, "jq -c . OLD > NEW"},
		{"{\n\"a\": \"rows\", \"b", false, first, "jq -c . OLD > NEW"},
	} {
		_, err := Start([]byte(tt.input), tt.atEOF)
		e, ok := err.(*schema.RowError)
		if !ok || e.Message != tt.message+"; expected one object per line" || e.Hint != tt.hint {
			t.Errorf("%q: %+v, want %s, %s", tt.input, err, tt.message, tt.hint)
		}
	}
}
