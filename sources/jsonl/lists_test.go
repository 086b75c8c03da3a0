package jsonl

import (
	"bytes"
	"encoding/json"
	"runtime"
	"slices"
	"testing"

	"tfr-build/schema"
)

// spell makes JSON of a program of values, brackets, and repetitions.
func spell(program []byte) []byte {
	text := []byte(`{"x":[`)
	pieces := []string{"0", "null", `"a,]"`, "[]", `{"a":[1,"]"]}`, `{"a":null,"b":1}`, "-1.5e3", `"\u00e9\\"`, "[[]]",
		`[{"a":2},{}]`, `{"y":{"a":1},"\u0078":{"a":null}}`, `{}`}
	var closing []byte
	separate := func() {
		if last := text[len(text)-1]; last != '[' && last != ':' {
			text = append(text, ',')
		}
	}
	for i := 0; i < len(program) && len(text) < 1<<17; i++ {
		switch b := program[i]; {
		case b < 200:
			count := 1
			if i++; i < len(program) {
				if count = int(program[i]); count > 200 {
					count = (count - 200) * 100
				}
			}
			for range count {
				separate()
				text = append(text, pieces[int(b)%len(pieces)]...)
			}
		case b < 225:
			separate()
			text, closing = append(text, '['), append(closing, ']')
		case b < 235:
			separate()
			text, closing = append(text, `{"a":[`...), append(closing, '}')
		case len(closing) > 0:
			text, closing = closeLast(text, closing)
		}
	}
	for len(closing) > 0 {
		text, closing = closeLast(text, closing)
	}
	return append(text, "]}\n"...)
}

func closeLast(text, closing []byte) (_, _ []byte) {
	last := len(closing) - 1
	if closing[last] == '}' {
		text = append(text, ']')
	}
	return append(text, closing[last]), closing[:last]
}

// along returns the value that a path leads to, as in Scanner. If the path leads through another
// type, ok is false.
func along(v any, path []string) (_ any, ok bool) {
	if len(path) == 0 || v == nil {
		return v, true
	}
	members, isObject := v.(*ordered)
	if path[0] == "*" {
		list, is := v.([]any)
		if isObject {
			list, is = members.values, true
		}
		found := []any{}
		for _, e := range list {
			x, ok := along(e, path[1:])
			if !ok {
				return nil, false
			}
			found = append(found, x)
		}
		return found, is
	}
	if !isObject {
		return nil, false
	}
	if i := slices.Index(members.keys, path[0]); i >= 0 {
		return along(members.values[i], path[1:])
	}
	return nil, true
}

// An ordered is an object of JSON with its members in order.
type ordered struct {
	keys   []string
	values []any
}

// decode returns the next value of encoding/json.
func decode(t *testing.T, d *json.Decoder) any {
	token, err := d.Token()
	if err != nil {
		t.Fatal(err)
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			list = append(list, decode(t, d))
		}
		_, _ = d.Token()
		return list
	case json.Delim('{'):
		o := &ordered{}
		for d.More() {
			key, _ := d.Token()
			o.keys, o.values = append(o.keys, key.(string)), append(o.values, decode(t, d))
		}
		_, _ = d.Token()
		return o
	}
	return token
}

// unordered returns a value of decode with maps in place of objects.
func unordered(v any) any {
	switch v := v.(type) {
	case []any:
		list := []any{}
		for _, e := range v {
			list = append(list, unordered(e))
		}
		return list
	case *ordered:
		object := map[string]any{}
		for i, key := range v.keys {
			object[key] = unordered(v.values[i])
		}
		return object
	}
	return v
}

// FuzzLists scans rows of lists, both as complete values and along paths. It compares them with
// encoding/json, and their memory per element with docs/explanation/reliability.md.
func FuzzLists(f *testing.F) {
	f.Add([]byte{0, 255, 1, 30, 2, 2})
	f.Add([]byte{210, 0, 255, 240, 210, 0, 240, 240, 3, 220})
	f.Add([]byte{4, 220, 5, 10})
	f.Add([]byte{226, 0, 250, 240, 5, 9, 226, 3, 3, 240})
	f.Add([]byte{210, 210, 3, 212, 240, 1, 255, 240, 0, 255})
	f.Add([]byte{9, 210, 210, 4, 250, 240, 8, 3})
	f.Add([]byte{10, 220, 8, 10, 210, 10, 3, 11, 2, 240})
	type column struct {
		name string
		path []string
	}
	columns := []column{{"x", []string{"x"}}, {"x.*.a", []string{"x", "*", "a"}},
		{"x.*.*.a", []string{"x", "*", "*", "a"}}, {"x.*.a.*", []string{"x", "*", "a", "*"}},
		{"x.*", []string{"x", "*"}}}
	f.Fuzz(func(t *testing.T, program []byte) {
		row := spell(program)
		d := json.NewDecoder(bytes.NewReader(strict(row)))
		d.UseNumber()
		whole := decode(t, d)
		for _, c := range columns {
			s, vals := compile(t, c.name).NewScanner(), make([]schema.Value, 1)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := s.Scan(row, vals, true)
			runtime.ReadMemStats(&after)
			want, leads := along(whole, c.path)
			if (err == nil) != leads {
				t.Fatalf("%.200q: column %s: %v; a path leads there: %t", row, c.name, err, leads)
			}
			elements := bytes.Count(row, []byte(",")) + bytes.Count(row, []byte("[")) // at most
			if taken := int(after.TotalAlloc - before.TotalAlloc); taken > 128*elements+len(row)+4<<20 {
				t.Errorf("%.200q: column %s: %d bytes were treated as %d elements", row, c.name, taken, elements)
			}
			if err == nil && !same(plain(vals[0]), unordered(want)) {
				t.Errorf("%.200q: column %s differs", row, c.name)
			}
		}
	})
}
