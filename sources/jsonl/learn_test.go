package jsonl

import (
	"fmt"
	"slices"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
)

// The values are valid and invalid, short and long, in rows of the same keys. A scanner that knows
// these keys must have the same error and the same values as a new one, for all rows before. A
// sample has every third pair of values.
func TestExpectedKeysDoNotChangeResults(t *testing.T) {
	values := []string{
		`0`, `-0`, `1`, `12`, `1234567`, `12345678`, `123456789`, `1.5`, `123.456`, `1234567.5`, `12345678.5`, `0.5`,
		`1.12345678`, `-1.5e10`, `1e5`, `1.5E-5`, `1234567e1`,
		`01`, `00`, `-01`, `1.`, `1.e5`, `1234567.`, `12345678.`, `1e`, `1.5e`, `1.5.5`, `.5`, `+1`, `-`,
		`1x`, `1234567x`, `true`, `false`, `null`, `tru`, `fals`, `nul`, `trux`, `falsx`, `True`, `truefalse`,
		`""`, `"x"`, `"1234567"`, `"12345678"`, `"0123456789abcdef"`, `"a \"b\""`, `"\u00e9"`, `"0123456789\n"`, `"é"`,
		"\"\x01\"", "\"1234567\x1f\"", "\"12345678\x1f9\"", `"\x"`, `"\ud800"`, `"open`, `"0123456789 open`,
		`[]`, `[1, [2], "\t"]`, `[1`, `{}`, `{"x": 1}`, `{"x": 1, "x": 2}`, ``, ` 1 `, `1}`, `1, "a": 2`, `1, "z": 2`,
		`1, "k": 2`,
	}
	columns := []string{"a", "m", "k", "q.x", "k"}
	var s *Scanner
	vals, want := make([]schema.Value, len(columns)), make([]schema.Value, len(columns))
	check := func(row string) {
		t.Helper()
		for _, data := range []string{row + "\n" + `{"behind": "the row"}`, row} {
			for i := range vals { // what another scanner may have left
				vals[i] = schema.Value{Text: []byte("old"), List: make([]schema.Value, 1), At: 99, Kind: schema.List}
			}
			n, err := s.Scan([]byte(data), vals, false)
			n2, err2 := compile(t, columns...).NewScanner().Scan([]byte(data), want, false)
			if n != n2 || !sameError(err, err2) {
				t.Fatalf("%q: %d, %v; by a new scanner %d, %v", data, n, err, n2, err2)
			}
			for i := range vals {
				if got, want := all(vals[i]), all(want[i]); err == nil && got != want {
					t.Fatalf("%q: column %s is %s; by a new scanner %s", data, columns[i], got, want)
				}
			}
		}
	}
	for i, a := range values {
		s = compile(t, columns...).NewScanner()
		check(`{"a": 1, "m": 2, "k": 3, "q": {"x": [1]}, "long key of more than sixteen bytes": 4}`)
		for j, k := range values {
			if (i+j)%testenv.Times(3, 1, 1) != 0 {
				continue
			}
			check(`{"a": ` + a + `, "m": 1, "k": ` + k + `, "q": {"x": [1]}}`)
			check(`{"a": ` + k + `, "k": 1}`)
			check(`{"a": 1, "m": ` + a + `}`)
		}
		check(`{"a": 1, "long key of more than sixteen bytes": ` + a + `}`)
		check(`{"a": 1, "long key of more than seventeen b": ` + a + `}`)
		check(`{"a": ` + a + `}`)
		check(`{"k": ` + a + "}\r")
		check(`{"q": ` + a + `}`)
		check(`{"q": ` + a + `, "a": ` + a + `}`)
	}
	if len(s.fields) == 0 {
		t.Error("no keys were learned")
	}
}

// all shows a complete value; an empty list may be nil.
func all(v schema.Value) string {
	if len(v.List) == 0 && v.Kind == schema.List {
		v.List = nil
	}
	return fmt.Sprintf("%#v", v)
}

func TestMerge(t *testing.T) {
	fields := func(names string) (fs []field) {
		for _, r := range names {
			fs = append(fs, field{name: string(r)})
		}
		return fs
	}
	for _, test := range []struct{ old, row, want string }{
		{"", "abc", "abc"},
		{"abc", "abc", "abc"},
		{"ac", "abc", "abc"},
		{"abc", "ac", "abc"},
		{"ab", "bc", "abc"},
		{"ab", "xy", "xyab"},
		{"abc", "cb", "cb"},
		{"abcdef", "xyz", "xyz"}, // more than eight
	} {
		got := merge(fields(test.old), fields(test.row), 8)
		if !slices.EqualFunc(got, fields(test.want), func(a, b field) bool { return a.name == b.name }) {
			t.Errorf("%s and %s: got %v, want %s", test.old, test.row, got, test.want)
		}
	}
}
