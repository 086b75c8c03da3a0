package csv

import (
	"fmt"
	"strings"
	"testing"

	"tfr-build/sources/input"
)

// TestDescribe checks the options for tables, and what is recognized as one.
func TestDescribe(t *testing.T) {
	rows := func(line string) string { return strings.Repeat(line+"\n", 6) }
	for _, tt := range []struct{ name, text, want string }{
		{"csv", "a,b\n1,2\n", "named"},
		{"dat", "a;b\n" + rows("1;2"), "likely delimiter=;"},
		{"txt", "a\tb\n" + rows("1\t2"), "likely delimiter=tab"},
		{"dat", "a\tb\n1\t2\n", "likely delimiter=tab"},
		{"txt", "a\tb\n1\t2\n", "not delimiter=tab"},
		{"txt", "a|b\n" + rows("1|2"), "likely delimiter=|"},
		{"tsv", "a\tb, c, d\n1\tx, y, z\n", "named delimiter=tab"},
		{"csv", "a\n1\n", "named"},
		{"csv", "a, b\n" + rows("1, x"), "named trim=true"},
		{"csv", "a,  b\n" + rows("x,  1"), "named trim=true"},
		{"csv", "a,b\n" + rows("1, x"), "named trim=true"},
		{"csv", "5,b\n" + rows("1, x"), "named header=false columns=[c0 c1]"},
		{"csv", "a,  b\n" + rows("1,  x\n1,x"), "named"},
		{"csv", "a,b\nK\xf6ln,1\n", "named encoding=latin-1"},
		{"csv", "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00", "named encoding=utf-16le"},
		{"csv", "# x\na,b\n" + rows("1,c"), "named skip_lines=1"},
		{"csv", "x\ny\na,b\n" + rows("1,c"), "named skip_lines=2"},
		{"csv", "#,a b,c\n" + rows("1,d e,2"), "named"},
		{"csv", "*;a;b\n" + rows("c;d;2"), "named delimiter=;"},
		{"tsv", "a\tb\n" + rows("1\"\t2"), "named delimiter=tab quotes=none"},
		{"csv", rows("1,c"), "named header=false columns=[c0 c1]"},
		{"csv", "a,2019\n" + rows("b,7"), "named header=true"},
		{"csv", "s,lat,9/2/20,9/1/20\n" + rows("b,7.5,3,4"), "named header=true"},
		{"csv", "time,300,270,x\n" + rows("1,2.5,3,y"), "named header=true"},
		{"csv", "time,300,270,x\n" + rows("1,2.5,3,y") + "no,1,1,y\n", "named header=false columns=[c0 c1 c2 c3]"},
		{"csv", "region,10-14,5-9\n" + rows("R,7,8"), "named header=true"},
		{"csv", "r1,10-14,5-9\n" + rows("R,7,8-9"), "named header=false columns=[c0 c1 c2]"},
		{"tsv", rows("the\tX\n\"\tO\na\tX"), "named delimiter=tab quotes=none header=false columns=[c0 c1]"},
		{"tsv", rows("the\tX\ta\n\"\t\"\tO\na\tX\t"), "named delimiter=tab quotes=none header=true"},
		{"tsv", "a b c d\te f g h\n" + strings.Repeat("i j k l\tm n o p\nq r s t\tu v w x\n", 3),
			"named delimiter=tab header=false columns=[c0 c1]"},
		{"tsv", "a b c d\te\n" + strings.Repeat("i j k l\t5\nq r s t\t6\n", 3), "named delimiter=tab"},
		{"csv", "/m/1k,A\n/m/k,B\n/m/2,C\n/m/kk,D\n/g/1,E\n", "named header=false columns=[c0 c1]"},
		{"csv", "m,A\n/m/k,B\n/m/2,C\n/m/kk,D\n/g/1,E\n", "named"},
		{"csv", "id,text\n" + rows("1,\"a\nb, c\""), "named"},
		{"csv", "id,\"Price\n(EUR)\",qty\n" + rows("1,2.5,3"), "named"},
		{"csv", "# x\n\"Price\r\n(EUR)\",qty\n" + rows("2.5,3"), "named skip_lines=1"},
		{"tsv", "\"\tO\n\"\tO\n" + rows("a\tX\nb\tO"), "named delimiter=tab quotes=none header=false columns=[c0 c1]"},
		{"csv", "id,text\n" + rows("1,\"a, b\"") + "2,5\"\n", "named"},
		{"csv", "id,text\n" + rows("1,a b\n1,a b\n1,a\n1,b") + "2,5\"\n", "named quotes=none"},
		{"tsv", "tok\ttag\n" + rows("\"a\"\tX\nb\tX\nc\tX\nd\tX\ne\tX") + "\"\tX\ng\tX\n\"\tX\n",
			"named delimiter=tab quotes=none header=true"},
		{"csv", "\x7fELF\x00,\x01\n", "named"},
		{"dat", "\x7fELF\x00,\x01\n", "not"},
		{"csv", "%PDF-1", "foreign PDF"},
		{"csv", "{\"a\": 1}\n", "named"},
	} {
		h := &input.FileHead{Name: "a." + tt.name, Ext: tt.name, Bytes: []byte(tt.text), Complete: true}
		m := recognize(h)
		got := map[input.Certainty]string{input.NotRead: "not", input.Likely: "likely", input.Named: "named",
			input.Foreign: "foreign " + m.Problem}[m.Certainty]
		if d, ok := m.Detail.(*dialect); ok {
			for _, o := range d.options() {
				got += fmt.Sprintf(" %s=%v", o.Name, o.Value)
			}
		}
		if got != tt.want {
			t.Errorf("%s: found %s, expected %s", tt.text, got, tt.want)
		}
	}
}

// TestDivide checks which files are of one source.
func TestDivide(t *testing.T) {
	for _, tt := range []struct {
		texts []string
		want  string
	}{
		{[]string{"a,b\n1,2\n", "a;b\n1;2\n", "a,b\n3,4\n"}, "[[0 2] [1]]"},
		{[]string{"a,b\n1,2\n", "# x\na,b\n1,c\n", "# x\n# y\na,b\n1,c\n"}, "[[0 1 2]]"},
		{[]string{"# x\na,b\n1,c\n", "a,b\n1,c\n#2,d\n"}, "[[0] [1]]"},
		{[]string{"# x\na,b\n1,c\n#2,d\n", "a,b\n1,c\n"}, "[[0] [1]]"},
		{[]string{"# x\na,b\n1,c\n", "% x\na,b\n1,c\n"}, "[[0 1]]"},
		{[]string{"# x\na,b\n1,c\n", "% x\n% y\na,b\n1,c\n"}, "[[0] [1]]"},
		{[]string{"a,b\n1,2\n", "1,2\n3,4\n5,5\n"}, "[[0] [1]]"},
		{[]string{"a,b\n1,\"x\"\n", "a,b\n1,\"x\" y\n2,z\"\n", "a,b\n1,\"x, y\"\n"}, "[[0 1] [2]]"},
		{[]string{"1,a\n2,b\n3,a\n", "5,a\n6,a\n7,b\n", "c,2\nd,3\nc,4\n"}, "[[0 1] [2]]"},
		{[]string{"x,y\n", "1,2\n3,4\n5,5\n", "5,6\n7,8\n1,1\n"}, "[[0 1 2]]"},
	} {
		var all []input.Match
		for _, text := range tt.texts {
			all = append(all, recognize(&input.FileHead{Ext: "csv", Bytes: []byte(text), Complete: true}))
		}
		if got := fmt.Sprint(divide(all)); got != tt.want {
			t.Errorf("%q: found %s, expected %s", tt.texts, got, tt.want)
		}
	}
}

// TestEscapes checks that a table with quotes escaped by backslashes is refused, but no other table with backslashes.
func TestEscapes(t *testing.T) {
	for _, tt := range []struct {
		text    string
		refused bool
	}{
		{`"a \"b\" c, d"`, true},
		{`"a \\\"b\\"`, true},
		{`"a \""b\"" c, d"`, false},
		{`a \"b`, false},
		{`"a\\"`, false},
	} {
		text := "id,text\n" + strings.Repeat("1,\"x, y\"\n2,"+tt.text+"\n", 6)
		m := recognize(&input.FileHead{Ext: "csv", Bytes: []byte(text), Complete: true})
		if strings.Contains(m.Problem, "backslashes, first in line 3") != tt.refused {
			t.Errorf("%s: found %q", tt.text, m.Problem)
		}
	}
}

// TestCounted checks that tables without names that have other columns do not share names.
func TestCounted(t *testing.T) {
	var all []input.Match
	for _, text := range []string{"1,a\n2,b\n3,a\n", "c,2,9\nd,3,8\nc,4,7\n"} {
		all = append(all, recognize(&input.FileHead{Ext: "csv", Bytes: []byte(text), Complete: true}))
	}
	divide(all)
	for i, want := range []string{"[c0, c1]", "[d0, d1, d2]"} {
		if _, got := all[i].Detail.(*dialect).counted(); got != want {
			t.Errorf("table %d: found %s, expected %s", i, got, want)
		}
	}
}
