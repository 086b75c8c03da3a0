package json

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tfr-build/internal/cost"
	"tfr-build/schema"
)

// oracle returns the rows of a document by encoding/json, compacted. If the path does not lead to
// an array or object of rows, ok is false.
func oracle(data []byte, rows string, keys bool) (list []string, ok bool) {
	data = strict(data)
	if !json.Valid(data) {
		return nil, false
	}
	for len(rows) > 0 && rows != "." {
		var object map[string]json.RawMessage
		step, rest, _ := strings.Cut(rows, ".")
		if json.Unmarshal(data, &object) != nil {
			return nil, false
		}
		if data, ok = object[step]; !ok {
			return nil, false
		}
		rows = rest
	}
	d := json.NewDecoder(bytes.NewReader(data))
	opener, _ := d.Token()
	if want := map[bool]json.Delim{false: '[', true: '{'}[keys]; opener != want {
		return nil, false
	}
	for d.More() {
		text := ""
		if keys {
			key, _ := d.Token()
			quoted, _ := json.Marshal(key)
			text = string(quoted) + ":"
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil, false
		}
		list = append(list, text+compact(value))
	}
	return list, true
}

func compact(value []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, strict(value)) != nil {
		return ""
	}
	return b.String()
}

// normal returns a row in the form of the oracle.
func normal(row string, keys bool) string {
	if !keys {
		return compact([]byte(row))
	}
	d := json.NewDecoder(bytes.NewReader(strict([]byte("{" + row + "}"))))
	_, _ = d.Token()
	key, _ := d.Token()
	quoted, _ := json.Marshal(key)
	var value json.RawMessage
	if d.Decode(&value) != nil {
		return ""
	}
	return string(quoted) + ":" + compact(value)
}

// excused are codes of errors in documents that encoding/json accepts.
var excused = []string{"JSON_DUP_KEY", "UTF8_INVALID", "LIMIT_DEPTH", "LIMIT_RECORD"}

// differential compares a document with encoding/json, for all windows.
func differential(t *testing.T, data []byte, rows string, keys bool) {
	t.Helper()
	const record = 300
	got, fault := cut(cutterOf(rows, keys, record), data, 0)
	want, ok := oracle(data, rows, keys)
	if (fault == nil) != ok && (fault == nil || !slices.Contains(excused, fault.Code)) && !ambiguous(data, rows) {
		t.Errorf("%q of %.300q: %v, want %t", rows, data, fault, ok)
	}
	if fault == nil && ok && !ambiguous(data, rows) {
		for i, p := range got {
			if i >= len(want) || p.bad == "" && utf8.ValidString(p.text) && normal(p.text, keys) != want[i] {
				t.Errorf("%q of %.300q: row %d is %q, want %q", rows, data, i, p.text, want[i:])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%q of %.300q: %d rows, want %d", rows, data, len(got), len(want))
		}
	}
	for _, step := range []int{1, 2, 3, 5, 8, 64} {
		again, other := cut(cutterOf(rows, keys, record), data, step)
		if fault == nil && !slices.Equal(again, got) || !sameError(other, fault) {
			t.Fatalf("%q of %.300q in windows of %d: %+v, %v; want %+v, %v", rows, data, step, again, other, got, fault)
		}
	}
}

// ambiguous reports whether a document may have a key that equals a longer path. encoding/json does
// not treat it as the path.
func ambiguous(data []byte, rows string) bool {
	return strings.Contains(strings.Trim(rows, "."), ".") &&
		(bytes.Contains(data, []byte(rows)) || bytes.ContainsRune(data, '\\'))
}

// sameError compares errors. A window may truncate the word that was found.
func sameError(a, b *schema.RowError) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Code == b.Code && a.At == b.At
}

var documents = []string{
	`[]`, `[1]`, ` [ {"a": 1} , {"a": 2},{"a":3}] `, `{"a": [{"x": 1}, [2, [3]], "é\n", null, true, -1.5e3]}`,
	`{"a": {"b": [1, 2]}}`, `{"a": {"k": 1, "\u006b": {"k": []}}}`,
	`{"b": {"a": [1]}, "a": [2], "c": [[]]}`, `{"a": [1,]}`, `{"a": [1 2]}`, `{"a": [1}`, `{"a": [1]`, `{"a": [1]} x`,
	`{"a": [1]}{}`, `{"a": 1}`, `{"b": 1}`, `{"a": []`, `{"a": [1], "a": [2]}`,
	`{"a": [tru]}`, `[NaN, -Infinity]`, `{"a": [{"x": Infinity}, NaN], "b": -Infinity}`, `{"b": "\xff"}`,
	"{\"b\": \"\xff\", \"a\": []}", "{\"a\": [\"\xff\"]}", ``, `{`, `{"`, `{"a`, `{"a"`, `{"a":`, `{"a": [`, `{"a": ["`,
	`{"a": [12`, `{"a.b": [1]}`, "{\"b\": \"x\ny\", \"a\": []}", "{\"b\": {\"  \n", `{"b": "  `,
	`{"a": ["` + strings.Repeat("x", 400) + `", 1]}`, `{"a": [` + strings.Repeat("[", 90) + strings.Repeat("]", 90) +
		`]}`,
	strings.Repeat(`{"a":`, 200), `{"a": {"b": ` + strings.Repeat(" ", 400) + `[1]}}`,
}

var paths = []string{".", "a", "a.b"}

func TestDocuments(t *testing.T) {
	for _, text := range documents {
		for _, rows := range paths {
			differential(t, []byte(text), rows, false)
			differential(t, []byte(text), rows, true)
		}
	}
}

func FuzzDocument(f *testing.F) {
	for i, text := range documents {
		f.Add([]byte(text), i%3, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, data []byte, path int, keys bool) {
		if len(data) > 1<<14 {
			return
		}
		cost.Within(t, 20*len(data), func() { differential(t, data, paths[uint(path)%3], keys) })
	})
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
