package expr

import (
	"strings"
	"testing"

	"tfr-build/schema"
)

// FuzzCompile compiles any string. A valid expression is printed and parsed again, and stays the
// same. A program is evaluated for rows with every kind of value. Nothing panics.
func FuzzCompile(f *testing.F) {
	for _, text := range []string{
		`fare > 0 && vendor in ["CMT", "VTS"] && !missing(zone)`, `a ? b + "\u00e9" : substr(c, -2, size(c) % 3)`,
		`min(abs(a), floor(b), 0x10) / log(c) == -1.5e3`, `matches(lower(a), r"^\d+(x|y)*$") || b in c`,
		`column("a b") != null ? int(a) : float(trim(b))`,
		`flatten([a, zip(a, b)])`, `a.filter(x, x > 1).map(y, [y, b[0]])[size(a) - 1]`,
		`zip(a, split(c, ",")).exists(p, p[0] in b.map(b, text(b)))`, `[a, [1.5]].all(x, missing(x) || x[0] == null)`,
		`json([a, [1.5]]) + json(b)`,
		strings.Repeat("(", 300), strings.Repeat("!", 300) + "a", strings.Repeat("a+", 300) + "a", `"a` + "\xff" + `"`,
		"a\u2003b", "'\\777'",
	} {
		f.Add(text, "3.5", uint8(0))
		f.Add(text, "Grüße", uint8(1))
	}
	f.Fuzz(func(t *testing.T, text, value string, kind uint8) {
		n, err := parse(text)
		if err == nil {
			again := printed(n)
			m, err := parse(again)
			if len(again) <= maxText && (err == nil || !strings.HasPrefix(err.Text, "nested")) {
				if err != nil {
					t.Fatalf("%q is printed as %q: %v", text, again, err)
				}
				if printed(m) != again {
					t.Fatalf("%q is printed as %q, and that as %q", text, again, printed(m))
				}
			}
		}
		for declared := Dynamic; declared <= List; declared++ {
			p, err := Compile(text, func(string) (Type, bool) { return declared, true })
			if err == nil {
				computed(t, p, value, kind, declared == Dynamic)
				continue
			}
			if err.At < 0 || err.At > len(text) || err.Text == "" {
				t.Fatalf("%q: a fault %+v", text, err)
			}
		}
	})
}

// computed evaluates a program for rows whose values have several kinds. honest means that no
// column was declared with a wrong type.
func computed(t *testing.T, p *Program, value string, kind uint8, honest bool) {
	columns := p.Columns()
	slots, vals := make([]int, len(columns)), make([]schema.Value, len(columns))
	for i := range columns {
		slots[i], vals[i] = i, valueOf(value, (int(kind)+i)%10)
	}
	e := p.Bind(slots, nil)
	v, bad := e.Value(vals)
	switch {
	case bad != nil && (bad.Code == "" || bad.Message == ""):
		t.Fatalf("an error without words: %+v", bad)
	case bad == nil && honest && p.Type() == Int && v.Kind == schema.Number:
		if _, _, isFloat, ok := schema.ReadNumber(v.Text); isFloat || !ok {
			t.Fatalf("an int is %s", v.Text)
		}
	case bad == nil && honest && p.Type() == List && v.Len() < 0 && v.Kind != schema.Missing:
		t.Fatalf("a list is %+v", v)
	case bad == nil && honest && p.Type() == Text && v.Kind != schema.Text && v.Kind != schema.String &&
		v.Kind != schema.Missing:
		t.Fatalf("a text is %+v", v)
	}
	if p.Condition() == nil {
		is, err := e.Bool(vals)
		if bad == nil && err == nil && v.Kind == schema.Bool && is != (v.Text[0]|0x20 == 't') {
			t.Fatalf("%t as a condition, %s as a value", is, v.Text)
		}
	}
}

// valueOf returns a value of one of ten kinds.
func valueOf(value string, kind int) schema.Value {
	text := []byte(value)
	switch kind {
	case 1:
		return schema.Value{Kind: schema.String, Text: text}
	case 2:
		return schema.Value{Kind: schema.Number, Text: []byte("12")}
	case 3:
		return schema.Value{Kind: schema.Number, Text: []byte("-0.25e2")}
	case 4:
		return schema.Value{Kind: schema.Bool, Text: []byte("true")}
	case 5:
		return schema.Value{}
	case 6:
		return schema.Value{Kind: schema.List, List: []schema.Value{{Kind: schema.String, Text: text},
			{Kind: schema.Number, Text: []byte("1")}, {}}}
	case 7:
		return schema.Value{Kind: schema.Array, Elem: schema.Float64, Text: []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x7f}}
	case 8:
		return schema.Value{Kind: schema.Object, Text: []byte("{}")}
	case 9:
		return schema.Value{Kind: schema.Bytes, Text: text}
	}
	return schema.Value{Kind: schema.Text, Text: text}
}

// TestLong evaluates the longest accepted expressions: the stack does not overflow.
func TestLong(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("a+", maxText/2-1) + "a", strings.Repeat("1+", maxText/2-1) + "1",
		strings.Repeat("b||", maxText/3-1) + "b",
		"a in [" + strings.Repeat("1,", maxText/2-5) + "]", "max(" + strings.Repeat("a,", maxText/2-4) + "a)",
		strings.Repeat("(", maxDepth) + "a" + strings.Repeat(")", maxDepth), strings.Repeat("-", maxDepth) + "a",
		strings.Repeat("a?b:", maxDepth) + "b",
	} {
		p, err := Compile(text, func(string) (Type, bool) { return Dynamic, true })
		if err != nil {
			t.Errorf("%.20s…: %v", text, err)
			continue
		}
		vals := []schema.Value{cell("1"), cell("0")}
		if _, bad := p.Bind([]int{0, 1}[:len(p.Columns())], nil).Value(vals); bad != nil {
			t.Errorf("%.20s…: %v", text, bad)
		}
	}
	for _, text := range []string{
		strings.Repeat("(", 10000) + "a" + strings.Repeat(")", 10000), strings.Repeat("-", 10000) + "a",
		strings.Repeat("!", 10000) + "a", strings.Repeat("a?b:", 10000) + "b",
		strings.Repeat("size(", 10000), strings.Repeat("[", 10000), strings.Repeat("a?", 10000),
		strings.Repeat("a", maxText+1),
	} {
		if _, err := Compile(text, func(string) (Type, bool) { return Dynamic, true }); err == nil ||
			!strings.HasPrefix(err.Text, "nested more than 200 deep") &&
				!strings.HasPrefix(err.Text, "an expression of") {
			t.Errorf("%.20s…: %v", text, err)
		}
	}
}

// TestStringLimit evaluates an expression that builds longer strings than a row may.
func TestStringLimit(t *testing.T) {
	for text, makes := range map[string]int{"a" + strings.Repeat("+a", 4): 14, "a" + strings.Repeat("+a", 5): 20,
		"upper(a) + lower(a) + substr(a, 3)": 6, "size(" + strings.Repeat("upper(", 17) + "a" + strings.Repeat(")",
			18): 17} {
		p, fault := Compile(text, func(string) (Type, bool) { return Text, true })
		if fault != nil {
			t.Fatal(fault)
		}
		vals := []schema.Value{{Kind: schema.String, Text: make([]byte, 1<<20)}}
		_, bad := p.Bind([]int{0}, nil).Value(vals)
		if (bad != nil && bad.Code == codeLimit) != (makes > maxMade>>20) || bad != nil && bad.Code != codeLimit {
			t.Errorf("%.40s makes %d MiB: %v", text, makes, bad)
		}
	}
}
