package xml

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// limits are small limits.
var limits = input.Limits{Record: 4000, Depth: 5, Columns: 3}

// bound returns columns with their indexes as slots.
func bound(names ...string) (columns []input.Bound) {
	for i, name := range names {
		columns = append(columns, input.Bound{Name: name, Slot: i})
	}
	return columns
}

// values parses a document, and returns the values of the columns as text.
func values(t testing.TB, text string, trim bool, columns ...string) ([]string, error) {
	t.Helper()
	p, err := compile(bound(columns...))
	if err != nil {
		return nil, err
	}
	vals := make([]schema.Value, len(columns))
	if err := newParser(p, limits, trim).parse([]byte(text), vals); err != nil {
		return nil, err
	}
	var list []string
	for i := range vals {
		list = append(list, show(&vals[i]))
	}
	return list, nil
}

func show(v *schema.Value) string {
	switch v.Kind {
	case schema.Missing:
		return "-"
	case schema.List:
		var list []string
		for i := range v.List {
			list = append(list, show(&v.List[i]))
		}
		return "[" + strings.Join(list, " ") + "]"
	}
	return string(v.Text)
}

// voc is an annotation with an object that lacks an element in the middle.
const voc = `<?xml version="1.0"?>
<annotation verified="yes">
  <size><width> 500 </width></size>
  <object><name>cat</name><difficult>0</difficult><bndbox><xmin>1</xmin></bndbox><part><name>head</name></part><part/></object>
  <other/>
  <object kind="x&amp;y"><name>dog</name><bndbox><xmin>2</xmin></bndbox></object>
  <object><name>a &lt;&#65;&gt; <!-- no text -->b<![CDATA[<&]]></name><difficult>1</difficult><bndbox/></object>
</annotation>`

// TestValues reads values by paths.
func TestValues(t *testing.T) {
	for _, tt := range []struct{ text, columns, want string }{
		{voc, "annotation.size.width annotation.@verified annotation.@other", " 500 |yes|-"},
		{voc, "annotation.object.*.name", "[cat dog a <A> b<&]"},
		{voc, "annotation.object.*.difficult annotation.object.*.bndbox.xmin", "[0 - 1]|[1 2 -]"},
		{voc, "annotation.object.*.@kind annotation.object.1.@kind annotation.object.3.name", "[- x&y -]|x&y|-"},
		{voc, "annotation.object.*.part.*.name annotation.object.*.part.1.name", "[[head -] [] []]|[- - -]"},
		{voc, "annotation.object.1.name annotation.object.7.name", "dog|-"},
		{voc, "annotation.none annotation.none.*.name annotation.none.*.x.*.y annotation.none.below.*.name",
			"-|[]|[]|-"},
		{voc, "note.object.*.name other", "-|-"},
		{voc, "annotation.other", ""},
		{"<a>1<!-- x -->2<?pi y?>3</a>", "a a", "123|123"},
		{"<a><b><c>1</c></b><b/><b><c>2</c><c/></b></a>", "a.b.*.c.*", "[[1] [] [2 ]]"},
		{"<a><b>1</b><c>2</c><b>3</b></a>", "a.b.* a.c a.b.0 a.c.*", "[1 3]|2|1|[2]"},
		{"<a x='1\n2\t3\r\n4&#10;5'/>", "a.@x", "1 2 3 4\n5"},
		{"<a>1\r\n2</a>", "a", "1\n2"},
		{"<x:a xmlns:x='u' x:b='1'><x:c>2</x:c></x:a>", "x:a.@x:b x:a.x:c a.c x:a.@xmlns:x", "1|2|-|u"},
		{"<!DOCTYPE a SYSTEM \"a[.dtd\"><a>1</a>", "a", "1"},
		{"<größe>1</größe>\n<!-- end -->\n", "größe", "1"},
		{"<a b='&#xD7FF;&#xE000;&#x10FFFF;&#9;'>&#xFFFD;\ufffd\x7f\u0085</a>", "a a.@b",
			"\ufffd\ufffd\x7f\u0085|\ud7ff\ue000\U0010ffff\t"},
		{"<?xml version='1.0'\tencoding=\"UTF-8\" standalone = 'no' ?><a>1</a>", "a", "1"},
		{"<?xml-stylesheet href='x' encoding='latin-9'?><a>1</a>", "a", "1"},
		{"<!DOCTYPE a:b PUBLIC '-//W3C//DTD' \"x>y.dtd\" ><a:b xmlns:a='u'>1</a:b>", "a:b", "1"},
		{"<a xmlns='u' xmlns:xml='http://www.w3.org/XML/1998/namespace' xml:lang='en'><b xmlns=''>1</b></a>",
			"a.b a.@xml:lang", "1|en"},
		{"<a xmlns:x='u'><x:b xmlns:x='v' x:c='1'>2</x:b><x:d>3</x:d></a>", "a.x:b a.x:b.@x:c a.x:d", "2|1|3"},
	} {
		got, err := values(t, tt.text, false, strings.Split(tt.columns, " ")...)
		if strings.Join(got, "|") != tt.want || err != nil {
			t.Errorf("%s of %s: found %q, %v; expected %q", tt.columns, tt.text, got, err, tt.want)
		}
	}
}

// TestTrim removes white space around texts, and reports the offsets of what is left.
func TestTrim(t *testing.T) {
	got, err := values(t, voc, true, "annotation.size.width", "annotation.object.0.bndbox.xmin")
	if err != nil || strings.Join(got, "|") != "500|1" {
		t.Errorf("%q, %v", got, err)
	}
	p, _ := compile(bound("a.b"))
	vals := make([]schema.Value, 1)
	if err := newParser(p, limits, true).parse([]byte("<a><b>\n x </b></a>"), vals); err != nil || vals[0].At != 8 ||
		string(vals[0].Text) != "x" {
		t.Errorf("%q at %d, %v", vals[0].Text, vals[0].At, err)
	}
}

// TestErrors checks code and offset of errors, which are in no other document.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		text, columns string
		code          string
		at            int
	}{
		{"", "a", "XML_SYNTAX", 0},
		{" \n", "a", "XML_SYNTAX", 2},
		{"<a>", "a", "XML_SYNTAX", 3},
		{"<a><b></a></b>", "a.c", "XML_SYNTAX", 6},
		{"<a/><a/>", "a", "XML_SYNTAX", 4},
		{"</a>", "a", "XML_SYNTAX", 0},
		{"<a/></a>", "a", "XML_SYNTAX", 4},
		{"<a/> x", "a", "XML_SYNTAX", 5},
		{"x<a/>", "a", "XML_SYNTAX", 0},
		{"<a/>&lt;", "a", "XML_SYNTAX", 4},
		{"<a b='1' b='2'/>", "a", "XML_SYNTAX", 0},
		{"<a b=1/>", "a", "XML_SYNTAX", 5},
		{"<a b/>", "a", "XML_SYNTAX", 4},
		{"<a>&nbsp;</a>", "a", "XML_SYNTAX", 8},
		{"<a>&#0;</a>", "a", "XML_SYNTAX", 6},
		{"<a>a & b</a>", "a", "XML_SYNTAX", 5},
		{"<a>]]></a>", "a", "XML_SYNTAX", 5},
		{"<a><!-- -- --></a>", "a", "XML_SYNTAX", 10},
		{"<a>\x01</a>", "a", "XML_SYNTAX", 3},
		{" <?xml version='1.0'?><a/>", "a", "XML_SYNTAX", 1},
		{"<?xml version='1.1'?><a/>", "a", "XML_SYNTAX", 20},
		{"<!ELEMENT a ANY><a/>", "a", "XML_SYNTAX", 0},
		{"<a/><!DOCTYPE a>", "a", "XML_SYNTAX", 4},
		{"<!DOCTYPE a><!DOCTYPE a><a/>", "a", "XML_SYNTAX", 12},
		{"<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "a", "XML_DTD", 0},
		{"<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a/>", "a.@b", "XML_DTD", 0},
		{"<a>&#xD800;</a>", "a", "XML_SYNTAX", 3},
		{"<a>1&#65;&#57343;</a>", "a.b", "XML_SYNTAX", 9},
		{"<a>&#xFFFE;</a>", "a", "XML_SYNTAX", 10},
		{"<a>&#x1F;</a>", "a", "XML_SYNTAX", 8},
		{"<a b='&#xDFFF;'/>", "a", "XML_SYNTAX", 6},
		{"<a><!-- \x01 --></a>", "a", "XML_SYNTAX", 8},
		{"<a><?pi \uffff?></a>", "a", "XML_SYNTAX", 8},
		{"<a b='1'c='2'/>", "a", "XML_SYNTAX", 8},
		{"<?xml vers\"ion=\"1.0\"?><a/>", "a", "XML_SYNTAX", 0},
		{"<?xml encoding=\"UTF-8\" version=\"1.0\"?><a/>", "a", "XML_SYNTAX", 0},
		{"<?xml&version=\"1.0\"?><a/>", "a", "XML_SYNTAX", 0},
		{"<?xml version=\"1.0\" enco\"ing=\"latin-9\"?><a/>", "a", "XML_SYNTAX", 0},
		{"<?xml version='1.0' standalone='maybe'?><a/>", "a", "XML_SYNTAX", 0},
		{"<?xml version=''?><a/>", "a", "XML_SYNTAX", 0},
		{"<?xml?><a/>", "a", "XML_SYNTAX", 0},
		{"<?XML version='1.0'?><a/>", "a", "XML_SYNTAX", 0},
		{"<?xm\"l?><a/>", "a", "XML_SYNTAX", 4},
		{"<?a:b?><a/>", "a", "XML_SYNTAX", 0},
		{"<!DOCTYPE r ot SYSTEM \"x\"><r/>", "r", "XML_SYNTAX", 0},
		{"<!DOCTYPE r SYST/EM \"x.dtd\"><r/>", "r", "XML_SYNTAX", 0},
		{"<!DOCTYPE r PUBLIC \"x\"><r/>", "r", "XML_SYNTAX", 0},
		{"<!DOCTYPE 1r><r/>", "r", "XML_SYNTAX", 0},
		{"<!DOCTYPEr><r/>", "r", "XML_SYNTAX", 0},
		{"<!DOCTYPE r <!-- x -->><r/>", "r", "XML_SYNTAX", 0},
		{"<r xmlns: =\"u\"/>", "r", "XML_SYNTAX", 0},
		{"<r xxmlns:x=\"u\"/>", "r", "XML_SYNTAX", 0},
		{"<r><x:a/></r>", "r.c", "XML_SYNTAX", 3},
		{"<r><a xmlns:x='u'/><x:b/></r>", "r.c", "XML_SYNTAX", 19},
		{"<r><b x:c='1'/></r>", "r.c", "XML_SYNTAX", 3},
		{"<r xmlns:x=''/>", "r", "XML_SYNTAX", 0},
		{"<r xmlns:xml='u'/>", "r", "XML_SYNTAX", 0},
		{"<r xmlns:xmlns='u'/>", "r", "XML_SYNTAX", 0},
		{"<r xmlns='http://www.w3.org/2000/xmlns/'/>", "r", "XML_SYNTAX", 0},
		{"<xmlns:r/>", "r", "XML_SYNTAX", 0},
		{"<r xmlns:x='u' x:1a='1'/>", "r", "XML_SYNTAX", 0},
		{"<r xmlns:x='u' xmlns:y='u' x:a='1' y:a='1'/>", "r", "LIMIT_COLUMNS", 0},
		{"<r xmlns:x='u' xmlns:y='u'><a x:a='1' y:a='1'/></r>", "r.a", "XML_SYNTAX", 27},
		{"<![CDATA[ ]]><a/>", "a", "XML_SYNTAX", 0},
		{"&#32;<a/>", "a", "XML_SYNTAX", 0},
		{"<a/>&#10;", "a", "XML_SYNTAX", 4},
		{"<a><b/><b/></a>", "a.b", "TYPE", 7},
		{"<a><b/><b/></a>", "a.b.@c", "TYPE", 7},
		{"<a>x<b/></a>", "a", "TYPE", 4},
		{"<a><b/></a>", "a", "TYPE", 3},
		{"<a><b><c><d><e/></d></c></b></a>", "a.x", "", 0},
		{"<a><b><c><d><e><f/></e></d></c></b></a>", "a.x", "LIMIT_DEPTH", 15},
		{"<a a='=====' b='1' c='1'/>", "a.@c", "", 0},
		{"<a a='1' b='1' c='1' d='1'/>", "a.@a", "LIMIT_COLUMNS", 0},
		{"<a>" + strings.Repeat("<b/>", 15) + "</a>", "a.b.*.@a a.b.*.@b a.b.*.@c a.b.*.@d", "", 0},
		{"<a>" + strings.Repeat("<b/>", 900) + "</a>", "a.b.*.@a a.b.*.@b a.b.*.@c a.b.*.@d", "LIMIT_RECORD", 63},
	} {
		_, err := values(t, tt.text, false, strings.Split(tt.columns, " ")...)
		bad, ok := errors.AsType[*schema.RowError](err)
		switch {
		case tt.code == "" && err != nil, tt.code != "" && !ok:
			t.Errorf("%.50s: %v", tt.text, err)
		case ok && (bad.Code != tt.code || bad.At != tt.at):
			t.Errorf("%.50s: found %v at %d, expected %s at %d", tt.text, bad, bad.At, tt.code, tt.at)
		}
	}
}

// TestBombs refuses documents that would grow, nest, or open files without end, before they cost memory.
func TestBombs(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("<!DOCTYPE a [<!ENTITY l0 'lol'>")
	for i := range 9 {
		fmt.Fprintf(&laughs, "<!ENTITY l%d '%s'>", i+1, strings.Repeat(fmt.Sprintf("&l%d;", i), 10))
	}
	laughs.WriteString("]><a>&l9;</a>")
	const entity = "<!DOCTYPE a [<!ENTITY "
	for name, tt := range map[string]struct{ text, code string }{
		"a billion laughs": {laughs.String(), "XML_DTD"},
		"a long entity": {entity + "x '" + strings.Repeat("x", 10_000) + "'>]><a>" + strings.Repeat("&x;", 100_000) +
			"</a>", "XML_DTD"},
		"an entity of itself":    {entity + "x '&x;'>]><a>&x;</a>", "XML_DTD"},
		"a file":                 {entity + "x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>", "XML_DTD"},
		"a parameter entity":     {entity + "% x SYSTEM 'http://127.0.0.1/x.dtd'> %x;]><a/>", "XML_DTD"},
		"an entity of no DTD":    {"<a>&l9;</a>", "XML_SYNTAX"},
		"a million levels":       {strings.Repeat("<a>", 1_000_000), "LIMIT_DEPTH"},
		"a million empty levels": {strings.Repeat("<a>", 1_000_000) + strings.Repeat("</a>", 1_000_000), "LIMIT_DEPTH"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := values(t, tt.text, false, "a.x")
		runtime.ReadMemStats(&after)
		bad, ok := errors.AsType[*schema.RowError](err)
		if !ok || bad.Code != tt.code {
			t.Errorf("%s: %v; want %s", name, err, tt.code)
		}
		if took := int(after.TotalAlloc - before.TotalAlloc); took > 2*len(tt.text)+100_000 {
			t.Errorf("%s: a document of %d bytes took %d bytes of memory", name, len(tt.text), took)
		}
	}
}

// TestTooManyElements reads documents whose lists would take more memory than the limit. They are counted, and take no
// more than the limit.
func TestTooManyElements(t *testing.T) {
	const many = 100_000
	text := "<a>" + strings.Repeat("<b/>", many) + "</a>"
	took := func(column string) (int, error) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := values(t, text, false, column)
		runtime.ReadMemStats(&after)
		return int(after.TotalAlloc - before.TotalAlloc), err
	}
	without, err := took("a.x")
	if err != nil {
		t.Fatal(err)
	}
	with, err := took("a.b.*.@c")
	want := input.LongList(many, limits.Record)
	if bad, ok := errors.AsType[*schema.RowError](err); !ok || bad.Message != want.Message || bad.Hint != want.Hint {
		t.Errorf("%v; want %v", err, want)
	}
	if with > without+100_000 {
		t.Errorf("%d bytes of memory for a list, and %d without it; limits.record is %d", with, without, limits.Record)
	}
}

// TestPaths checks which paths are errors.
func TestPaths(t *testing.T) {
	for _, path := range []string{"", "a.", ".a", "a..b", "*", "*.a", "0.a", "a.*.*", "a.*.0", "a.01", "@a", "a.@b.c",
		"a.@"} {
		if _, err := values(t, "<a/>", false, path); err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("the path %q: %v", path, err)
		}
	}
}

// TestReuse parses documents one after the other with one parser: no value of an earlier one stays.
func TestReuse(t *testing.T) {
	p, err := compile([]input.Bound{{Name: "a.b.*.c", Slot: 2}, {Name: "a.@x", Slot: 0}, {Name: "a.t", Slot: 1}})
	if err != nil {
		t.Fatal(err)
	}
	s, vals := newParser(p, limits, false), make([]schema.Value, 3)
	for _, tt := range []struct{ text, want string }{
		{"<a x='1'><b><c>1</c></b><b/><t>u</t></a>", "1 u [1 -]"},
		{"<a><b><c>", "error"},
		{"<a/>", "- - []"},
		{"<b/>", "- - -"},
		{"<a><b/></a>", "- - [-]"},
	} {
		got := "error"
		if s.parse([]byte(tt.text), vals) == nil {
			got = fmt.Sprintf("%s %s %s", show(&vals[0]), show(&vals[1]), show(&vals[2]))
		}
		if got != tt.want {
			t.Errorf("%s: found %s, expected %s", tt.text, got, tt.want)
		}
	}
}

// TestEncodings decodes the encodings that a document may have, and rejects the others.
func TestEncodings(t *testing.T) {
	wide := func(text string, big bool) string {
		var b strings.Builder
		for _, r := range text {
			pair := []byte{byte(r), byte(r >> 8)}
			if big {
				pair[0], pair[1] = pair[1], pair[0]
			}
			b.Write(pair)
		}
		return b.String()
	}
	for _, tt := range []struct{ content, want string }{
		{"<a>é</a>", "é"},
		{"\ufeff<a>é</a>", "é"},
		{"<?xml version='1.0' encoding='UTF-8'?><a>é</a>", "é"},
		{"<?xml version='1.0' encoding = \"utf-8\" ?><a>é</a>", "é"},
		{"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>", "é"},
		{"<?xml version='1.0' encoding='us-ascii'?><a>e</a>", "e"},
		{"\xff\xfe" + wide("<?xml version='1.0' encoding='UTF-16'?><a>é</a>", false), "é"},
		{"\xfe\xff" + wide("<a>é</a>", true), "é"},
		{wide("<?xml version='1.0' encoding='utf-16be'?><a>é</a>", true), "é"},
		{wide("<a>é</a>", false), "ENCODING"},
		{"<a>\xe9</a>", "UTF8_INVALID"},
		{"<?xml version='1.0' encoding='us-ascii'?><a>é</a>", "ENCODING"},
		{"<?xml version='1.0' encoding='windows-1252'?><a>e</a>", "ENCODING"},
		{"<?xml version='1.0' encoding='UTF-16'?><a>e</a>", "ENCODING"},
		{"\ufeff<?xml version='1.0' encoding='ISO-8859-1'?><a>e</a>", "ENCODING"},
		{"\xff\xfe" + wide("<a>é</a>", false) + "x", "ENCODING"},
	} {
		text, bad := decode(nil, []byte(tt.content), 1000)
		got := ""
		if bad != nil {
			got = bad.Code
		} else if list, err := values(t, string(text), false, "a"); err == nil {
			got = list[0]
		}
		if got != tt.want {
			t.Errorf("%q: found %q (%v), expected %q", tt.content, got, bad, tt.want)
		}
	}
	if _, bad := decode(nil, []byte("<?xml version='1.0' encoding='latin1'?><a>"+strings.Repeat("\xe9", 600)),
		1000); bad == nil || bad.Code != "LIMIT_RECORD" {
		t.Errorf("text longer than the limit: %v", bad)
	}
}

// TestManyAttributes rejects a tag before its attributes take memory.
func TestManyAttributes(t *testing.T) {
	text := []byte("<a " + strings.Repeat("xyz='ab' ", 1<<17) + "/>")
	p, _ := compile(bound("a.@x"))
	vals := make([]schema.Value, 1)
	took := testing.AllocsPerRun(1, func() {
		if err := newParser(p, limits, false).parse(text, vals); err == nil {
			t.Error("no error")
		}
	})
	if took > 100 {
		t.Errorf("%.0f allocations", took)
	}
}

// FuzzParse checks that lists through the same elements have equal lengths, that offsets are in the
// document, and that a document is accepted regardless of the columns.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{voc, "<a><b><c>1</c></b><b/></a>", "<a b='1'/>", "<!DOCTYPE a><a>&amp;</a>",
		"<a><b>1</b><b>2</b></a>"} {
		f.Add([]byte(seed))
	}
	lists := []string{"annotation.object.*.name", "annotation.object.*.difficult", "annotation.object.*.@kind",
		"annotation.object.*.part.*.name"}
	p, err := compile(bound(append(lists, "a.b.*", "a.@b", "a.b.0.c")...))
	if err != nil {
		f.Fatal(err)
	}
	none, _ := compile(nil)
	reused := newParser(p, limits, true)
	f.Fuzz(func(t *testing.T, data []byte) {
		text, bad := decode(nil, data, limits.Record)
		if bad != nil {
			return
		}
		vals := make([]schema.Value, 7)
		err := reused.parse(text, vals)
		bare := newParser(none, limits, false).parse(text, nil)
		if code := codeOf(err); code != "TYPE" && code != "LIMIT_RECORD" && (err == nil) != (bare == nil) {
			t.Fatalf("with columns: %v; without: %v", err, bare)
		}
		if err != nil {
			if bad, _ := errors.AsType[*schema.RowError](err); bad.At > len(text) {
				t.Fatalf("%v at %d of %d bytes", bad, bad.At, len(text))
			}
			return
		}
		for i := range vals {
			if int(vals[i].At) > len(text) {
				t.Fatalf("value at %d of %d bytes", vals[i].At, len(text))
			}
		}
		for i := range lists {
			if vals[i].Kind != vals[0].Kind || len(vals[i].List) != len(vals[0].List) {
				t.Fatalf("lists of %d and %d elements", len(vals[0].List), len(vals[i].List))
			}
		}
	})
}

func codeOf(err error) string {
	bad, ok := errors.AsType[*schema.RowError](err)
	if !ok {
		return ""
	}
	return bad.Code
}

// TestNames reads the names of the roots.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.xml": "<!-- x --><b/>", "b.xml": "<a x='1'><c/></a>",
		"c.xml": "no XML", "d.XML": "<b/>", "e.txt": "<d/>"} {
		testenv.Put(t, filepath.Join(dir, name), text)
	}
	o := &Options{Dir: dir, Extensions: input.Extensions{List: []string{"xml"}}}
	in, err := o.Open(t.Context(), &input.Env{Limits: input.Limits{Record: 100, Columns: 10, Depth: 10},
		Resolve: func(p string) string { return p }, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	names, all, err := in.(*documents).Names(t.Context(), -1)
	if got := strings.Join(names, " "); got != "path filename stem class b a" || !all || err != nil {
		t.Errorf("%q, %t, %v", got, all, err)
	}
}
