package jsonl

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

func TestPaths(t *testing.T) {
	const boxes = `{"boxes": [{"bbox": [1, 2], "label": "cat"}, {"label": null}, {"bbox": [], "label": "dog"}]}`
	for _, test := range []struct {
		row, column, want string
	}{
		{`{"a": "x"}`, "a", `String "x"`},
		{`{"a": 1.50}`, "a", `Number 1.50`},
		{`{"a": true}`, "a", `Bool true`},
		{`{"a": false}`, "a", `Bool false`},
		{`{"a": null}`, "a", `Missing null`},
		{`{"b": 1}`, "a", `Missing null`},
		{`{}`, "a", `Missing null`},
		{`{"A": 1}`, "a", `Missing null`},
		{`{"a": {"b": 1}}`, "a", `Object {"b": 1}`},
		{`{"a": []}`, "a", `List []`},
		{`{"a": [1, "x", null, true, {"b": [2]}]}`, "a", `List [1 "x" null true {"b": [2]}]`},
		{`{"a": [[1, 2], [], [[3]], 4, [5]]}`, "a", `List [[1 2] [] [[3]] 4 [5]]`},
		{`{"": 1}`, "", `Number 1`},
		{`{"*": 1}`, "*", `Number 1`},
		{`{"0": 1}`, "0", `Number 1`},
		{`{"\u0061\n": 1}`, "a\n", `Number 1`},

		{`{"a": {"b": 1}}`, "a.b", `Number 1`},
		{`{"a": {"b": {"c": "\t"}}}`, "a.b.c", `String "\t"`},
		{`{"a": {}}`, "a.b", `Missing null`},
		{`{"a": null}`, "a.b", `Missing null`},
		{`{"b": 1}`, "a.b", `Missing null`},
		{`{"a": {"": {"": 1}}}`, "a..", `Number 1`},
		{`{"a": {"b.c": 1}}`, "a.b.c", `Missing null`},
		{`{"a": 1}`, "a.b", `TYPE 6: column "a.b": the path leads through a number; expected an object [TYPE]`},
		{`{"a": [1]}`, "a.b", `TYPE 6: column "a.b": the path leads through an array; expected an object [TYPE]`},
		{`{"a": {"b": "x"}}`, "a.b.c", `TYPE 12: column "a.b.c": the path leads through a string; expected an ` +
			`object [TYPE]`},

		{`{"a.b": 1}`, "a.b", `Number 1`},
		{`{"a.b": 1, "a": {"b": 2}}`, "a.b", `Number 1`},
		{`{"a": {"b": 2}, "a.b": 1}`, "a.b", `Number 1`},
		{`{"a": {"b": 2}, "a.b": null}`, "a.b", `Missing null`},
		{`{"a": 2, "a.b": 1}`, "a.b", `Number 1`},
		{`{"a.*": 1, "a": [2]}`, "a.*", `Number 1`},

		{`{"a": [5, 6]}`, "a.0", `Number 5`},
		{`{"a": [5, 6]}`, "a.1", `Number 6`},
		{`{"a": [5, 6]}`, "a.2", `Missing null`},
		{`{"a": [5, null]}`, "a.1", `Missing null`},
		{`{"a": [5, [7, 8]]}`, "a.1.0", `Number 7`},
		{`{"a": {"0": 5}}`, "a.0", `Number 5`},
		{`{"a": [5]}`, "a.00", `TYPE 6: column "a.00": the path leads through an array; expected an object [TYPE]`},
		{`{"a": "x"}`, "a.0", `TYPE 6: column "a.0": the path leads through a string; expected an array or object ` +
			`[TYPE]`},

		{`{"a": [1, 2]}`, "a.*", `List [1 2]`},
		{`{"a": []}`, "a.*", `List []`},
		{`{"a": [[1], []]}`, "a.*", `List [[1] []]`},
		{`{"a": [null, 1]}`, "a.*", `List [null 1]`},
		{`{"a": null}`, "a.*", `Missing null`},
		{`{}`, "a.*", `Missing null`},
		{`{"a": 1}`, "a.*", `TYPE 6: column "a.*": the path leads through a number; expected an array or object ` +
			`[TYPE]`},
		{`{"a": {}}`, "a.*", `List []`},
		{`{"a": {"5": {"b": 1}, "0": {"b": [2]}, "b": {}, "\u0062c": null}}`, "a.*.b", `List [1 [2] null null]`},
		{`{"a": {"5": {"b": 1}, "0": {"b": 2}, "5": {"b": 3}}}`, "a.*.b",
			`JSON_DUP_KEY 37: column "a": duplicate key "5": first at byte 8, again at byte 38 [JSON_DUP_KEY]`},
		{`{"a": {"5": {"b": 1}, "0": 2}}`, "a.*.b",
			`TYPE 27: column "a.*.b": the path leads through a number; expected an object [TYPE]`},
		{`{"a": {"*": 1, "b": {"*": 2}}}`, "a.*", `List [1 {"*": 2}]`},
		{`{"a.*": 1, "a": {"b": 2}}`, "a.*", `Number 1`},
		{`{"a": [{"x": {"b": 1}, "y": [2]}, [{"b": 3}], {}, null]}`, "a.*.*.b",
			`TYPE 28: column "a.*.*.b": the path leads through an array; expected an object [TYPE]`},
		{`{"a": [{"x": {"b": 1}, "y": {"b": 2}}, [{"b": 3}], {}, null]}`, "a.*.*.b", `List [[1 2] [3] [] null]`},
		{boxes, "boxes.*.label", `List ["cat" null "dog"]`},
		{boxes, "boxes.*.bbox.0", `List [1 null null]`},
		{boxes, "boxes.*.bbox.1", `List [2 null null]`},
		{boxes, "boxes.*.bbox", `List [[1 2] null []]`},
		{boxes, "boxes.*.bbox.*", `List [[1 2] null []]`},
		{boxes, "boxes.1.label", `Missing null`},
		{boxes, "boxes.2.label", `String "dog"`},
		{`{"a": [{"b": 1}, 2]}`, "a.*.b",
			`TYPE 17: column "a.*.b": the path leads through a number; expected an object [TYPE]`},
		{`{"a": [{"b": [{"c": 1}, {}]}, {}, {"b": [{"c": 2}]}, null]}`, "a.*.b.*.c", `List [[1 null] null [2] null]`},
		{`{"a": [[[1, 2], []], [[3]]]}`, "a.*.*.*", `List [[[1 2] []] [[3]]]`},
	} {
		t.Run(test.column+" of "+test.row, func(t *testing.T) {
			s := compile(t, test.column).NewScanner()
			vals := make([]schema.Value, 1)
			for round := range 3 { // the second and third have the keys learned
				got := scanOne(t, s, test.row, vals)
				if got != test.want {
					t.Errorf("round %d: got %s, want %s", round, got, test.want)
				}
			}
		})
	}
}

// TestMixed lets paths lead through values of other types.
func TestMixed(t *testing.T) {
	for _, test := range []struct{ row, column, want string }{
		{`{"a": 1}`, "a.b", `Missing null`},
		{`{"a": [1]}`, "a.b.c", `Missing null`},
		{`{"a": "x"}`, "a.0", `Missing null`},
		{`{"a": {"b": 1}}`, "a.*", `List []`},
		{`{"a": {"b": {"c": 1}}}`, "a.*.c", `List []`},
		{`{"a": 1}`, "a.*.b", `List []`},
		{`{"a": 1}`, "a.b.*", `List []`},
		{`{"a": [{"b": [1]}, {"b": {}}, {"b": null}, 7, [8]]}`, "a.*.b.*", `List [[1] [] null [] []]`},
		{`{"a": [{"b": {"c": 1}}, {"b": [2]}]}`, "a.*.b.c", `List [1 null]`},
		{`{"a": null}`, "a.*", `Missing null`},
		{`{"a": 1, "a.*": 2}`, "a.*", `Number 2`},
		{`{"a.*": 2, "a": 1}`, "a.*", `Number 2`},
	} {
		p, err := Compile(bound(test.column), Limits{Limits: ample, Mixed: true})
		if err != nil {
			t.Fatal(err)
		}
		s, vals := p.NewScanner(), make([]schema.Value, 1)
		for round := range 3 {
			if got := scanOne(t, s, test.row, vals); got != test.want {
				t.Errorf("%s of %s, round %d: got %s, want %s", test.column, test.row, round, got, test.want)
			}
		}
	}
}

// TestMixedForms has a column for each form of a value, and marks the forms that no column takes.
func TestMixedForms(t *testing.T) {
	all := []string{"s.*", "s.counts", "s.counts.*", "s.size"}
	for _, test := range []struct {
		row     string
		columns []string
		want    string
	}{
		{`{"s": [[1, 2], [3]]}`, all, `s.*=[[1 2] [3]] s.counts=null+ s.counts.*=[]+ s.size=null+`},
		{`{"s": {"counts": "ab", "size": [3, 4]}}`, all, `s.*=[]+ s.counts="ab" s.counts.*=[]+ s.size=[3 4]`},
		{`{"s": {"size": [3, 4], "counts": [7, 8]}}`, all, `s.*=[]+ s.counts=null+ s.counts.*=[7 8] s.size=[3 4]`},
		{`{"s": null}`, all, `s.*=null s.counts=null s.counts.*=null s.size=null`},
		{`{"s": []}`, all, `s.*=[] s.counts=null+ s.counts.*=[]+ s.size=null+`},
		{`{"s": {}}`, all, `s.*=[]+ s.counts=null s.counts.*=null s.size=null`},
		{`{"s": {"rle": "ab"}}`, all, `s.*=[]! s.counts=null s.counts.*=null s.size=null`},
		{`{"s": "ab"}`, all, `s.*=[]! s.counts=null! s.counts.*=[]! s.size=null!`},
		{`{"s": {"counts": "ab", "size": [3, 4]}}`, all[:1], `s.*=[]!`},
		{`{"s": {"counts": "ab"}}`, all[2:3], `s.counts.*=[]!`},
		{`{"s": [[1, 2]]}`, all[1:], `s.counts=null! s.counts.*=[]! s.size=null!`},
		{`{"s": []}`, all[1:], `s.counts=null+ s.counts.*=[]+ s.size=null+`},
		{`{"s": {"counts": 1}, "s.*": 2}`, all[:1], `s.*=2`},
		{`{"s": [{"t": 1}, {"t": "x"}, {"t": {"u": 2}}, 5]}`, []string{"s.*.t.u", "s.*.t"},
			`s.*.t.u=[null+ null+ 2 null!]! s.*.t=[1 "x" object null!]!`},
		{`{"s": [{"t": 1}, {"t": [2]}]}`, []string{"s.*.t.*"}, `s.*.t.*=[[]! [2]]!`},
	} {
		p, err := Compile(bound(test.columns...), Limits{Limits: ample, Mixed: true})
		if err != nil {
			t.Fatal(err)
		}
		s, vals := p.NewScanner(), make([]schema.Value, len(test.columns))
		for round := range 3 {
			scanOne(t, s, test.row, vals)
			var got []string
			for i, name := range test.columns {
				got = append(got, name+"="+marked(vals[i]))
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("%s, round %d: got %s, want %s", test.row, round, got, test.want)
			}
		}
	}
}

// marked shows a value with a mark for the value in its place: + if another column takes it, ! if
// none does.
func marked(v schema.Value) string {
	text := ""
	switch v.Kind {
	case schema.Missing:
		text = "null"
	case schema.Object:
		text = "object"
	case schema.String:
		text = strconv.Quote(string(v.Text))
	case schema.List:
		var list []string
		for _, e := range v.List {
			list = append(list, marked(e))
		}
		text = "[" + strings.Join(list, " ") + "]"
	default:
		text = string(v.Text)
	}
	return text + map[schema.Mixed]string{schema.MixedTaken: "+", schema.MixedDropped: "!"}[v.Mixed]
}

var kinds = map[schema.Kind]string{
	schema.Missing: "Missing", schema.String: "String", schema.Number: "Number",
	schema.Bool: "Bool", schema.List: "List", schema.Object: "Object",
}

func scanOne(t *testing.T, s *Scanner, row string, vals []schema.Value) string {
	t.Helper()
	n, err := s.Scan([]byte(row+"\n{}"), vals, true)
	if n != len(row)+1 {
		t.Errorf("%s: length %d, want %d", row, n, len(row)+1)
	}
	if e, ok := err.(*schema.RowError); ok {
		return fmt.Sprintf("%s %d: %s", e.Code, e.At, e.Error())
	}
	return kinds[vals[0].Kind] + " " + show(vals[0])
}

func TestManyColumnsOfOneRow(t *testing.T) {
	const row = `{"id": 7, "size": {"h": 4, "w": 5}, "boxes": [{"at": [1, 2], "t": "\u0061"}, {"at": [3, 4]}], ` +
		`"odd": [{"x": [9]}], "last": "z"}`
	columns := []string{
		"id", "size", "size.w", "boxes.*.at.1", "boxes.*.t", "boxes", "boxes.1.at.0", "boxes.*.at", "id",
		"none", "last", "boxes.0.t", "size.*",
	}
	want := []string{
		`7`, `{"h": 4, "w": 5}`, `5`, `[2 4]`, `["a" null]`, `[{"at": [1, 2], "t": "\u0061"} {"at": [3, 4]}]`, `3`,
		`[[1 2] [3 4]]`, `7`, `null`, `"z"`, `"a"`, `[4 5]`,
	}
	s := compile(t, columns...).NewScanner()
	vals := make([]schema.Value, len(columns))
	for range 3 {
		if _, err := s.Scan([]byte(row), vals, true); err != nil {
			t.Fatal(err)
		}
		for i, v := range vals {
			if got := show(v); got != want[i] {
				t.Errorf("column %s: got %s, want %s", columns[i], got, want[i])
			}
		}
	}
}

func TestManyKeysAndIndices(t *testing.T) {
	var columns, items, members []string
	for i := range 100 {
		columns = append(columns, fmt.Sprintf("a.%d", 99-i), fmt.Sprintf("b.k%d", i))
		items = append(items, fmt.Sprint(i))
		members = append(members, fmt.Sprintf(`"k%d": %d`, i, 1000+i))
	}
	row := `{"a": [` + strings.Join(items, ",") + `], "b": {` + strings.Join(members, ", ") + `}}`
	vals := make([]schema.Value, len(columns))
	if _, err := compile(t, columns...).NewScanner().Scan([]byte(row), vals, true); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		if got, want := show(vals[2*i])+show(vals[2*i+1]), fmt.Sprint(99-i, 1000+i); strings.ReplaceAll(want, " ",
			"") != got {
			t.Errorf("column %d: got %s, want %s", i, got, want)
		}
	}
}

func TestSlots(t *testing.T) {
	bound := []input.Bound{{Name: "b", Slot: 3}, {Name: "a", Slot: 1}, {Name: "c.d", Slot: 2}}
	p, err := Compile(bound, Limits{Limits: ample})
	if err != nil {
		t.Fatal(err)
	}
	s := p.NewScanner()
	kept := schema.Value{Text: []byte("kept"), Kind: schema.Text, At: 9}
	vals := []schema.Value{kept, kept, kept, kept, kept}
	for _, test := range []struct{ row, want string }{
		{`{"a": 1, "b": [2], "c": {"d": 3}}`, "kept 1 3 [2] kept"},
		{`{"a": 4, "b": [5], "c": {"d": 6}}`, "kept 4 6 [5] kept"},
		{`{"b": 7}`, "kept null null 7 kept"},
		{`{}`, "kept null null null kept"},
		{`{"a": null, "b": "x", "c": null}`, `kept null null "x" kept`},
	} {
		if _, err := s.Scan([]byte(test.row+"\n"), vals, true); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range vals {
			if v.Kind != schema.List && v.List != nil || v.Kind == schema.Missing && v.Text != nil {
				t.Errorf("%s leaves something of the row before: %+v", test.row, v)
			}
			got = append(got, show(v))
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: got %s, want %s", test.row, s, test.want)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	_, err := Compile(bound("*.a"), Limits{Limits: ample})
	if want := `column "*.a": a row is an object, so no path begins with *`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	p, err := Compile(nil, Limits{Limits: input.Limits{Record: 1<<31 - 1}})
	if err != nil || p.limits.Record != maxRecord {
		t.Errorf("%+v, %v; expected the largest row whose offsets fit", p, err)
	}
}

func TestKeys(t *testing.T) {
	got, err := keysOf([]byte(`{"b": {"x": 1}, "\u0061": 2, "a.b": 3}` + "\n{}"))
	if want := "[b a a.b]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("got %v, %v, want %s", got, err, want)
	}
	if _, err := keysOf([]byte(`{"a": 1`)); code(t, err) != "JSON_SYNTAX" {
		t.Errorf("got %v", err)
	}
}

// keysOf returns the keys of the row that data begins with, in order.
func keysOf(data []byte) ([]string, error) {
	p, err := Compile(nil, Limits{Limits: ample})
	if err != nil {
		return nil, err
	}
	s := p.NewScanner()
	if _, err := s.Scan(data, nil, true); err != nil {
		return nil, err
	}
	keys := make([]string, len(s.rowKeys))
	for i, k := range s.rowKeys {
		keys[i] = string(s.keyText(data, k.ref))
	}
	return keys, nil
}

// TestArrayHint checks the hint for a path that ends at an array.
func TestArrayHint(t *testing.T) {
	for _, c := range []struct{ row, path, hint string }{
		{`{"m": [{"role": "a"}]}`, "m.role", "from: m.*.role has a list of all elements"},
		{`{"a": {"b": [{"c": {"d": 1}}]}}`, "a.b.c.d", "from: a.b.*.c.d has a list of all elements"},
		{`{"a": [{"b": [{"c": 1}]}]}`, "a.*.b.c", "from: a.*.b.*.c has a list of all elements"},
		{`{"m": 1}`, "m.role", ""},
	} {
		_, err := compile(t, c.path).NewScanner().Scan([]byte(c.row), make([]schema.Value, 1), true)
		bad, ok := err.(*schema.RowError)
		if !ok || bad.Code != "TYPE" || bad.Hint != c.hint {
			t.Errorf("%s in %s: found %+v; expected TYPE with the hint %q", c.path, c.row, err, c.hint)
		}
	}
}
