package jsonl

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/lines"
)

// A corpusFile is a file of an archive in testdata.
type corpusFile struct {
	name string // below the archive's directory
	data []byte
}

func corpus(t testing.TB, archive string) (files []corpusFile) {
	t.Helper()
	f, err := os.Open("testdata/" + archive + ".tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, corpusFile{strings.TrimPrefix(path.Clean(h.Name), archive+"/"), data})
	}
}

// ample are the default limits of a job.
var ample = input.Limits{Record: 64 << 20, Depth: 1000, Columns: 100_000}

// bound returns columns with their indexes as slots.
func bound(names ...string) (columns []input.Bound) {
	for i, name := range names {
		columns = append(columns, input.Bound{Name: name, Slot: i})
	}
	return columns
}

func compile(t testing.TB, columns ...string) *Paths {
	t.Helper()
	p, err := Compile(bound(columns...), Limits{Limits: ample})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// checkValue returns an error if data is not one JSON value with white space around it, line feeds
// included. The row scanner does the same with a value that no column uses.
func checkValue(data []byte, grammarOnly bool) error {
	if bad := lines.FirstInvalid(data); bad < len(data) {
		return rowError("UTF8_INVALID", bad, "no UTF-8")
	}
	s := Scanner{paths: &Paths{limits: Limits{Limits: ample}}, multiline: true, grammarOnly: grammarOnly}
	end, err := s.skip(data, s.skipSpace(data, 0), 0)
	if err != nil {
		return err
	}
	if end = s.skipSpace(data, end); end < len(data) {
		return rowError("JSON_TRAILING", end, "more than one value")
	}
	return nil
}

// code returns the code of the error of a row or file, or "accept".
func code(t testing.TB, err error) string {
	t.Helper()
	if err == nil {
		return "accept"
	}
	var row *schema.RowError
	if errors.As(err, &row) {
		return row.Code
	}
	t.Fatalf("error of type %T: %v", err, err)
	return ""
}

// plain converts a scanned value to the types of encoding/json, with numbers as json.Number and
// objects as text.
func plain(v schema.Value) any {
	switch v.Kind {
	case schema.String:
		return string(v.Text)
	case schema.Number:
		return json.Number(v.Text)
	case schema.Bool:
		return v.Text[0] == 't'
	case schema.Object:
		return rawObject(v.Text)
	case schema.List:
		list := []any{}
		for _, el := range v.List {
			list = append(list, plain(el))
		}
		return list
	}
	return nil
}

type rawObject string

// show writes a value in JSON, Missing as null.
func show(v schema.Value) string {
	b := &bytes.Buffer{}
	showTo(b, v)
	return b.String()
}

func showTo(b *bytes.Buffer, v schema.Value) {
	switch v.Kind {
	case schema.Missing:
		b.WriteString("null")
	case schema.String:
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		_ = e.Encode(string(v.Text))
		b.Truncate(b.Len() - 1)
	case schema.List:
		b.WriteByte('[')
		for i, el := range v.List {
			if i > 0 {
				b.WriteByte(' ')
			}
			showTo(b, el)
		}
		b.WriteByte(']')
	default:
		b.Write(v.Text)
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

var tokens = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[^][{}:," \t\r\n]+`)

// strict returns data with null for each number that is not finite, which encoding/json does not read.
func strict(data []byte) []byte {
	return tokens.ReplaceAllFunc(data, func(word []byte) []byte {
		switch string(word) {
		case "NaN", "Infinity", "-Infinity":
			return []byte("null")
		}
		return word
	})
}
