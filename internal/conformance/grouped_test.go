package conformance

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline"
)

// groupedWindows are the ways to cut groups that grouped.py knows.
var groupedWindows = []string{"whole", "drop", "keep", "pad"}

// layGroups makes the datasets that grouped.py of testdata reads: groups of a table, and windows of them,
// as SequenceExamples and as Examples.
func layGroups(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	r := rand.New(rand.NewPCG(12, 13))
	var b strings.Builder
	b.WriteString("number,name,time,value,code,x,y\n")
	for range 120 {
		g := r.IntN(15)
		fmt.Fprintf(&b, "%d,élan %d,%d,%d.5,%c,%d,%d\n", g, g, r.IntN(40)-20, r.IntN(100), 'a'+r.IntN(3), r.IntN(9),
			r.IntN(9))
	}
	write(t, dir, "table.csv", []byte(b.String()))
	const once = "number: int64, name: string, n: {from: '@steps', type: int64}, last: {from: value, type: float, " +
		"take: last}"
	const each = "value: {type: float, pad: -1}, code: {classes: [none, a, b, c], pad: none}, "
	for _, last := range groupedWindows {
		text := "name: d\noutput: out\nsource: {csv: table.csv}\norder: source\nshards: 2\nindex: true\nsplit: " +
			"{fractions: {train: 70%, test: 30%}}\ngroup:\n  by: [number, name]\n  sort: {column: time, type: int64}\n"
		if last != "whole" {
			text += "  windows: {length: 4, stride: 3, last: " + last + "}\n"
		}
		for form, features := range map[string]string{
			"sequence": "context: {" + once + "}\nsequence: {" + each + "pair: {from: [x, y], type: int64, pad: 0}}\n",
			"example":  "features: {" + once + ", " + each + "pair: {from: [x, y], type: int64, shape: [2], pad: 0}}\n",
		} {
			name := last + "_" + form
			write(t, dir, name+".yaml", []byte(text+"record: "+form+"\n"+features))
			build(t, filepath.Join(dir, name+".yaml"), filepath.Join(dir, name, "1.0.0"), pipeline.Run{})
		}
	}
	return dir
}

// TestGroupsAreRead has each program read grouped datasets; the script compares every value with the
// table. A sample has NumPy.
func TestGroupsAreRead(t *testing.T) {
	dir := layGroups(t)
	for i, reader := range []reader{"numpy", "tensorflow", "torch", "dali"} {
		if !testenv.Exhaustive() && i > 0 {
			continue
		}
		t.Run(string(reader), func(t *testing.T) { reader.read(t, filepath.Join("testdata", "grouped.py"), dir) })
	}
}
