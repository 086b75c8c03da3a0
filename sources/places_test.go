package sources

import (
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestPositions requests columns by position, whose header is empty or a duplicate.
func TestPositions(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"pandas.csv": ",a,b\n0,x,y\n1,z,\n", "doubled.csv": "a,b,a\n1,2,3\n", "real.csv": ",@0,b,@3,@3\n1,2,3,4,5\n",
		"all.csv": ",,\n1,2,3\n",
		"r.csv":   ",a,b\n\"0,x,y\n", "bad.csv": ",a,b\n0,x,y\n\xff,x,y\n",
	})
	for _, tt := range []struct {
		file, columns string
		want          []string // or the error
		found         string
	}{
		{"pandas.csv", "@0 a", []string{"0|x", "1|z"}, "a b @0"},
		{"pandas.csv", "@1", []string{`no column "@1"; did you mean "@0"?; found: a, b, "@0" [SCHEMA_MISSING_COLUMN]`},
			"a b @0"},
		{"pandas.csv", "@00", []string{`no column "@00"`}, "a b @0"},
		{"pandas.csv", "@3", []string{`no column "@3"`}, "a b @0"},
		{"doubled.csv", "@0 b @2", []string{"1|2|3"}, "a b @0 @2"},
		{"doubled.csv", "a", []string{`duplicate column "a" in the header, as cell 1 and 3 [CSV_DUP_HEADER]`},
			"a b @0 @2"},
		{"real.csv", "@0 b @4", []string{"2|3|5"}, "@0 b @3 @4"},
		{"real.csv", "@3", []string{`duplicate column "@3"`}, "@0 b @3 @4"},
		{"all.csv", "@2 @0", []string{"3|1"}, "@0 @1 @2"},
		{"bad.csv", "@0", []string{"0", "UTF8_INVALID"}, "a b @0"},
	} {
		columns := strings.Fields(tt.columns)
		s, l, err := bind(below(dir), csvSpec(tt.file), columns...)
		if err != nil {
			wantError(t, err, tt.want[0])
		} else {
			wantRows(t, table(t, s, l, len(columns)), tt.want...)
		}
		if s == nil {
			continue
		}
		if got := strings.Join(s.Columns().Names(), " "); got != tt.found {
			t.Errorf("%s: found %s, want %s", tt.file, got, tt.found)
		}
	}
}

// TestPositionsOfOtherFiles requests positions that some files have and others do not.
func TestPositionsOfOtherFiles(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": ",x\n1,2\n", "b.csv": "y,,x\n3,4,5\n",
		"c.csv": "x,@0\n6,7\n", "d.csv": "n,x\n8,9\n"})
	s, l := mustBind(t, below(dir), csvSpec("[ac].csv"), "@0", "x")
	wantRows(t, table(t, s, l, 2), "1|2", "7|6")
	_, _, err := bind(below(dir), csvSpec("[ab].csv"), "@0")
	wantError(t, err, `b.csv:1:1: no column "@0"; found: y, x, "@1"`)
}

// TestPositionsInSteps renames such columns, joins on them, and hides them by columns of other
// steps.
func TestPositionsInSteps(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"in/a.csv": ",v\n1,x\n", "side.csv": ",w\n1,s\n"})
	env, spec := below(dir), csvSpec("in/a.csv")
	side := csvOptions("side.csv")
	spec.Join = []Join{{Kind: Chosen{"csv", side}, On: On{{"@0", "@0"}}}}
	s, l := mustBind(t, env, spec, "@0", "w")
	wantRows(t, table(t, s, l, 2), "1|s")

	spec.Join[0].On, spec.Join[0].Prefix = On{{"v", "w"}}, "p."
	_, l = mustBind(t, env, spec, "p.@0")
	wantRows(t, table(t, s, l, 1), "-")

	spec.Join[0].Prefix = "" // both tables have an unnamed first column: no clash
	s, l = mustBind(t, env, spec, "@0")
	wantRows(t, table(t, s, l, 1), "1")

	spec.Join, spec.Rename = nil, Pairs{{Key: "@0", Value: "id"}}
	s, l = mustBind(t, env, spec, "id")
	wantRows(t, table(t, s, l, 1), "1")
	_, _, err := bind(env, spec, "@0")
	wantError(t, err, `no column "@0"; found: v, id`)

	spec.Rename, spec.Set = nil, Pairs{{Key: "@0", Value: "set"}}
	s, l = mustBind(t, env, spec, "@0")
	wantRows(t, table(t, s, l, 1), "set")
	if got := strings.Join(s.Columns().Names(), " "); got != "v @0" {
		t.Errorf("columns: %s", got)
	}

	o := csvOptions("in/a.csv")
	o.Columns = []string{"", "v"}
	s, l = mustBind(t, env, &Spec{Kind: Chosen{"csv", o}}, "@0")
	wantRows(t, table(t, s, l, 1), "1")
}
