package jsonl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tfr-build/internal/cost"
	"tfr-build/schema"
)

func TestGoFuzzCorpusJSON(t *testing.T) {
	accepted := 0
	for _, f := range corpus(t, "go-fuzz-corpus-json") {
		if differential(t, f.data) {
			accepted++
		}
	}
	if accepted < 100 {
		t.Errorf("%d values accepted, want more", accepted)
	}
}

func FuzzScan(f *testing.F) {
	for _, file := range corpus(f, "go-fuzz-corpus-json") {
		if len(file.data) < 1<<12 {
			f.Add(file.data)
		}
	}
	for _, file := range corpus(f, "JSONTestSuite") {
		if len(file.data) < 1<<12 {
			f.Add(file.data)
		}
	}
	f.Add([]byte(`{"\b": "0\b"}`))
	f.Add([]byte(`{"a": 1, "b": {"c": [1, {"d": "\u00e9"}]}, "a.b": null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		cost.Within(t, len(data), func() {
			differential(t, data)
			consistent(t, data)
		})
	})
}

// differential compares a value with encoding/json, and reports whether both accept it. Each
// difference must have one of the listed reasons.
func differential(t *testing.T, data []byte) bool {
	t.Helper()
	ours := checkValue(data, false)
	if (ours == nil) != json.Valid(strict(data)) {
		switch c := code(t, ours); {
		case c == "JSON_DUP_KEY": // encoding/json takes the last
		case c == "JSON_LONE_SURROGATE", c == "UTF8_INVALID": // it takes U+FFFD
		case c == "LIMIT_DEPTH": // its limit is 10,000
		default:
			t.Errorf("%q: %v, but encoding/json says %t", data, ours, json.Valid(strict(data)))
		}
	}
	if ours != nil {
		return false
	}
	line := &bytes.Buffer{} // on one line
	line.WriteString(`{"k": `)
	line.Write(bytes.ReplaceAll(data, []byte("\n"), []byte(" ")))
	line.WriteString("}\n")
	s := compile(t, "k").NewScanner()
	vals := make([]schema.Value, 1)
	for range 3 {
		n, err := s.Scan(line.Bytes(), vals, true)
		if err != nil {
			if code(t, err) != "LIMIT_DEPTH" {
				t.Errorf("%q: good alone, in a row %v", data, err)
			}
			return false
		}
		if n != line.Len() {
			t.Errorf("%q: length %d, want %d", data, n, line.Len())
		}
		if got, want := plain(vals[0]), standard(t, data); !same(got, want) {
			t.Errorf("%q: value %#v, encoding/json has %#v", data, got, want)
		}
	}
	return true
}

// standard returns the value as decoded by encoding/json.
func standard(t *testing.T, data []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(strict(data)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Errorf("%q: %v", data, err)
	}
	return v
}

// same compares a value with the value of encoding/json. Our objects are still text.
func same(got, want any) bool {
	switch got := got.(type) {
	case rawObject:
		d := json.NewDecoder(bytes.NewReader(strict([]byte(got))))
		d.UseNumber()
		var v any
		return d.Decode(&v) == nil && reflect.DeepEqual(v, want)
	case []any:
		list, ok := want.([]any)
		if !ok || len(got) != len(list) {
			return false
		}
		for i := range got {
			if !same(got[i], list[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(got, want)
}

// consistent compares all ways to scan a row: with all or no keys requested, with or without input
// after the row, and with three scanners. One is new, one just learned the row's keys, and one
// learned other keys.
func consistent(t *testing.T, data []byte) {
	t.Helper()
	names, _ := keysOf(data)
	names = slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, "*.") }) // no path begins so
	columns := append(names, "a", "k", "b")
	vals, again := make([]schema.Value, len(columns)), make([]schema.Value, len(columns))
	s := compile(t, columns...).NewScanner()
	n, err := s.Scan(data, vals, true)
	want := showAll(vals) // before the scanner scans again
	if _, none := compile(t).NewScanner().Scan(data, nil, true); !sameError(err, none) && code(t, err) != "TYPE" {
		t.Errorf("%q: %v with all used, %v with none", data, err, none)
	}
	if end, length := lineEnd(data); n != length || err == nil && !utf8.Valid(data[:end]) {
		t.Errorf("%q: length %d, want %d", data, n, length)
	}
	others := compile(t, columns...).NewScanner()
	for _, row := range []string{`{"a":1,"b":{"x":[1]},"c":"\n"}`, `{"k":1}`, ` { "a" : 1 , "k" : [2] , "b" : "x" }`} {
		if _, err := others.Scan([]byte(row), again, true); err != nil && code(t, err) != "TYPE" {
			t.Fatal(err)
		}
	}
	longer := append(append([]byte{}, data[:n]...), "\n{\"behind\": \"the row, sixteen bytes and more\"}"...)
	for _, pass := range []struct {
		name string
		s    *Scanner
		data []byte
	}{{"again", s, data}, {"after others", others, data}, {"once more", others, data},
		{"with more behind", s, longer}} {
		_, err2 := pass.s.Scan(pass.data, again, true)
		if n == len(data) && (n == 0 || data[n-1] != '\n') && pass.name == "with more behind" && err != nil {
			continue // the messages about the end of the file and of a line differ
		}
		if !sameError(err, err2) {
			t.Errorf("%q, %s: %v, then %v", data, pass.name, err, err2)
		}
		if got := showAll(again); err == nil && err2 == nil && got != want {
			t.Errorf("%q, %s: columns %q are\n%sthen\n%s", data, pass.name, columns, want, got)
		}
	}
}

func showAll(vals []schema.Value) string {
	b := &strings.Builder{}
	for _, v := range vals {
		fmt.Fprintf(b, "kind %d at %d: %s\n", v.Kind, v.At, show(v))
	}
	return b.String()
}

func sameError(a, b error) bool {
	return (a == nil) == (b == nil) && (a == nil || reflect.DeepEqual(a, b))
}

func TestScanIgnoresEarlierRows(t *testing.T) {
	for _, file := range corpus(t, "JSONTestSuite") {
		consistent(t, file.data)
		consistent(t, append([]byte(`{"a": "x", "k": `), append(file.data, '}')...))
	}
	for _, row := range []string{
		`{"a": 1, "k": 2.5, "b": "short"}`, `{"a": -1.25e-7, "k": 12345678, "b": "a text of more than eight bytes"}`,
		`{"a":1,"b":true,"k":null}`, `{"a": 123456789.123456789, "b": "a \"quoted\" text", "k": []}` + "\r\n",
		`{"b": "x", "a": 1}`, `{"a": 1, "b": 2} `, `{"a": 0, "b": 0.5, "k": 10.}`,
		`{"a": 1e5, "b": 1234567e5, "k": 1234.567E5}`,
		`{"a": 01, "b": 2}`, `{"a": 12345678, "b": 1234567.}`, `{"a": 1.5.5}`, `{"a": 100, "b": 0}`,
		"{\"a\": \"1234567\x00\"}",
	} {
		consistent(t, []byte(row))
		consistent(t, []byte(row+"\n"+row))
	}
}
