package xml

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

// cut returns the rows of a document as offset and length, and its error. The window grows by step bytes.
func cut(text []byte, path string, step int, limits input.Limits) (rows []string, bad *schema.RowError) {
	in := &elements{options: &Options{}, limits: limits, path: strings.Split(path, ".")}
	c := in.newCutter()
	at, end := 0, 0
	for {
		n, kind, wrong, more := c.Next(text[at:end], end == len(text))
		switch {
		case more && end == len(text):
			return append(rows, "more"), nil
		case more:
			end = min(end+step, len(text))
			continue
		case n == 0 && wrong == nil:
			if bad = c.FileError(); bad != nil && bad.At >= 0 {
				bad.At += at
			}
			return rows, bad
		}
		if kind == table.Row {
			rows = append(rows, fmt.Sprint(at, " "))
		}
		if last := len(rows) - 1; kind != table.Comment {
			rows[last] += fmt.Sprint("+", n)
		}
		if at += n; wrong != nil {
			rows[len(rows)-1] += wrong.Code
		}
	}
}

// elementsOf returns the elements at a path of a document as the standard library finds them.
func elementsOf(text []byte, path string) (rows []string) {
	d := xml.NewDecoder(bytes.NewReader(text))
	var open []string
	from, depth := 0, 0
	for {
		at := int(d.InputOffset())
		switch token, _ := d.RawToken(); token := token.(type) {
		case xml.StartElement:
			if open = append(open, written(token.Name)); depth == 0 && strings.Join(open, ".") == path {
				from, depth = at, len(open)
			}
		case xml.EndElement:
			if open = open[:len(open)-1]; depth > len(open) {
				rows = append(rows, fmt.Sprint(from, " +", int(d.InputOffset())-from))
				depth = 0
			}
		case nil:
			return rows
		}
	}
}

// document returns a random document with the names a and b.
func document(r *rand.Rand) []byte {
	text := []byte("<?xml version='1.0'?><!-- <a> --><a>")
	open := []string{"a"}
	for range r.IntN(30) {
		name := string("ab"[r.IntN(2)])
		switch r.IntN(7) {
		case 0, 1:
			open = append(open, name)
			text = fmt.Appendf(text, "<%s x='>%s' >", name, strings.Repeat("é", r.IntN(3)))
		case 2, 3:
			if last := len(open) - 1; last > 0 {
				text = fmt.Appendf(text, "</%s\n>", open[last])
				open = open[:last]
			}
		case 4:
			text = fmt.Appendf(text, "<%s/>", name)
		case 5:
			text = append(text, "<![CDATA[</a>]]> x > &lt;"...)
		case 6:
			text = append(text, "<?p <b> ?>\n<!-- </b> -->"...)
		}
	}
	for _, name := range slices.Backward(open) {
		text = fmt.Appendf(text, "</%s>", name)
	}
	return append(text, "\n<!-- -->"...)
}

// TestRows finds the rows of random documents with windows of all lengths, as the standard library does. Documents with
// other bytes have the same rows and the same error with each window.
func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	limits := input.Limits{Record: 1 << 20, Depth: 100, Columns: 10}
	for range testenv.Times(200, 2000, 20000) {
		text := document(r)
		for _, path := range []string{"a", "b", "a.b", "a.a.b"} {
			want := elementsOf(text, path)
			rows, bad := cut(text, path, len(text), limits)
			if !slices.Equal(rows, want) || (bad == nil) != (want != nil) {
				t.Fatalf("%s of %s: got %q, %v; want %q", path, text, rows, bad, want)
			}
			for _, limits.Record = range []int{30, 1 << 20} {
				wrong := slices.Clone(text)
				if r.IntN(2) == 0 {
					wrong[r.IntN(len(wrong))] = "<>/'a&\x00"[r.IntN(7)]
				}
				wrong = wrong[:len(wrong)-r.IntN(2)*r.IntN(len(wrong))]
				rows, bad := cut(wrong, path, len(wrong), limits)
				for _, step := range []int{1, 2, 7, 50} {
					again, other := cut(wrong, path, step, limits)
					if !slices.Equal(joined(again, other), joined(rows, bad)) || fmt.Sprint(other) != fmt.Sprint(bad) {
						t.Errorf("%s of %q in steps of %d, limit %d", path, wrong, step, limits.Record)
						t.Fatalf("got %q, %v; want %q, %v", again, other, rows, bad)
					}
				}
			}
		}
	}
}

// joined returns rows whose parts are added. The length of a row before the document's error depends on the window.
func joined(rows []string, bad *schema.RowError) (list []string) {
	for i, row := range rows {
		at, parts, _ := strings.Cut(row, " ")
		code, n := "", 0
		for part := range strings.SplitSeq(strings.TrimPrefix(parts, "+"), "+") {
			var size int
			fmt.Sscanf(part, "%d%s", &size, &code)
			n += size
		}
		if bad != nil && i == len(rows)-1 {
			n = 0
		}
		list = append(list, fmt.Sprint(at, " ", n, code))
	}
	return list
}

// TestNoRows names the elements that a document has in place of the rows.
func TestNoRows(t *testing.T) {
	for _, tt := range []struct{ text, path, want string }{
		{"<a><!-- --><?p?><bc/><d/></a>", "a.bd.c", `"a" has no element "bd"; did you mean "bc"?; found: bc, d`},
		{"<a><b/><b><c/></b></a>", "a.b.d", `"a.b" has no element "d"; found: c`},
		{"<a><b/></a>", "a.b.d", `"a.b" has no element "d"`},
		{"<x><a/></x>", "a", `the document has no element "a"; found: x`},
	} {
		_, bad := cut([]byte(tt.text), tt.path, 1, limits)
		if bad == nil || bad.Code != "XML_NO_ROWS" || bad.Message != tt.want {
			t.Errorf("%s of %s: %v; want %s", tt.path, tt.text, bad, tt.want)
		}
	}
}
