package sources

import (
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

func TestHeadersOfFiles(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		column     string
		want       string
	}{
		{"columns by name", "x,y\n1,2\n", "y,x\n3,4\n", "y", "2 3"},
		{"one file lacks it", "x,y\n1,2\n", "x\n3\n", "y", `b.csv:1:1: no column "y"; found: x`},
		{"a near miss", "x,colour\n1,2\n", "x,colour\n", "color",
			`no column "color"; did you mean "colour"?; found: x, colour [SCHEMA_MISSING_COLUMN]`},
		{"no file has it", "x,yy\n1,2\n", "x,yy\n", "y", `no column "y"; found: x, yy [SCHEMA_MISSING_COLUMN]`},
		{"duplicate and used", "x,x\n1,2\n", "x\n3\n", "x",
			`a.csv:1:1: duplicate column "x" in the header, as cell 1 and 2 [CSV_DUP_HEADER]`},
		{"duplicate and not used", "x,x,y\n1,2,3\n", "y\n4\n", "y", "3 4"},
		{"an empty name", "x,,\n1,2,3\n", "x\n4\n", "x", "1 4"},
		{"BOM", "\ufeffx\n1\n", "x\n2\n", "x", "1 2"},
		{"another delimiter", "x;y\n1;2\n", "x;y\n", "x", "looks `;`-separated"},
		{"another encoding", "x\x00\n\x001\x00\n\x00", "x\n", "x", "UTF-16LE"},
		{"JSON", `{"x": 1}`, "x\n", "x", "JSON"},
		{"CR alone", "x\r1\r", "x\n", "x", "a.csv:1:2: "},
		{"empty among others", "", "x\n1\n", "x", "1"},
		{"all empty", "", "\n\n", "x", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := testenv.Directory(t, map[string]string{"a.csv": tt.a, "b.csv": tt.b})
			s, l, err := bind(below(dir), csvSpec("*.csv"), tt.column)
			if err != nil {
				wantError(t, err, tt.want)
				return
			}
			if got := strings.Join(table(t, s, l, 1), " "); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestColumnsOfTheConfig(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "1,2\n"})
	env, o := below(dir), csvOptions("a.csv")
	spec := &Spec{Kind: Chosen{"csv", o}}
	o.Columns, o.Header = []string{"x", "y"}, false
	s, l := mustBind(t, env, spec, "y", "x")
	wantRows(t, table(t, s, l, 2), "2|1")
	o.Header = true // then they replace the header
	s, l = mustBind(t, env, spec, "y")
	wantRows(t, table(t, s, l, 1))
	o.Columns = []string{"x"}
	_, _, err := bind(env, spec, "x")
	wantError(t, err, "the header has 2 columns, but `columns` names 1")
}
