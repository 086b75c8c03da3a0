package pipeline

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestLargeGroups builds a table of which most rows are in two groups that are too large, with more bytes
// than some builds may load. Rows of other groups are written, and the same rows are rejected by each
// way to build.
func TestLargeGroups(t *testing.T) {
	n := testenv.Times(300, 9_000, 60_000)
	var b strings.Builder
	b.WriteString("g,t,x,pad\n")
	padding, others := strings.Repeat("p", 1000), 0
	for i := range n {
		switch {
		case i%10 == 7: // so many that some are in the slot of a large group
			fmt.Fprintf(&b, "other %d,%d,%d,%s\n", i, -i, i, padding)
			others++
		default:
			fmt.Fprintf(&b, "large %d,%d,%d,%s\n", i%2, i, i, padding)
		}
	}
	dir := testenv.Directory(t, map[string]string{"t.csv": b.String()})
	const base = "name: d\noutput: out\nsource: {csv: t.csv}\ngroup: {by: g, sort: {column: t, type: " +
		"int64}}\nfeatures: {x: int64}\n"
	for _, limits := range []string{fmt.Sprintf("{group: %d, record: 1GB}", n/3), "{record: 100KB}"} {
		cfg := base + "limits: " + limits + "\n"
		_, err := buildTo(t, load(t, dir, cfg), ways[5])
		want := fmt.Sprintf("t.csv:2:1: the group has %d rows", n/2)
		if limits == "{record: 100KB}" {
			want = "t.csv:2:1: the group has "
		}
		lines := linesOf(dir, err)
		if !slices.ContainsFunc(lines, func(line string) bool {
			return strings.HasPrefix(line, want) && strings.HasSuffix(line,
				fmt.Sprintf("; the first of %d such rows [LIMIT_GROUP]", n-others))
		}) {
			t.Errorf("%s: %s\nexpected %s", limits, lines, want)
		}
		out := sameEveryWay(t, load(t, dir, cfg+"on_error: quarantine\nmax_errors: 100%\n"))
		counts := manifestOf(t, out).Sources[0].Counts
		if counts.Rejected["LIMIT_GROUP"] != int64(n-others) || counts.Written != int64(others) {
			t.Errorf("%s: %+v", limits, counts)
		}
	}
}

// TestLongKeysOfGroups builds groups whose values are long, and differ in their last bytes or in the
// column that a byte belongs to.
func TestLongKeysOfGroups(t *testing.T) {
	size, groups := testenv.Times(10_000, 1<<20, 4<<20), testenv.Times(3, 6, 30)
	var b strings.Builder
	b.WriteString("a,b,t,x\n")
	long := strings.Repeat("k", size)
	for i := range 3 * groups {
		switch i % 3 {
		case 0:
			fmt.Fprintf(&b, "%s%d,z,%d,%d\n", long, i/6, -i, i)
		case 1:
			fmt.Fprintf(&b, "%s,%dz,%d,%d\n", long, i/6, -i, i)
		default:
			fmt.Fprintf(&b, "z,%s%d,%d,%d\n", long, i/6, -i, i)
		}
	}
	dir := testenv.Directory(t, map[string]string{"t.csv": b.String()})
	out := sameEveryWay(t, load(t, dir,
		"name: d\noutput: out\nsource: {csv: t.csv}\norder: source\ngroup: {by: [a, b], sort: {column: t, type: "+
			"int64}}\nfeatures: {x: int64}\n"))
	var want []string
	for i := 0; i < 3*groups; i += 6 {
		for k := range min(3, 3*groups-i) {
			if i+k+3 < 3*groups {
				want = append(want, fmt.Sprintf("x=%d,%d", i+k+3, i+k))
			} else {
				want = append(want, fmt.Sprintf("x=%d", i+k))
			}
		}
	}
	if got := examplesOf(t, out); !slices.Equal(got, want) {
		t.Errorf("records\n%s\nexpected\n%s", got, want)
	}
}

// TestEqualTimes builds groups whose rows all have one sort value, in files that come in any order: the
// rows stay in source order.
func TestEqualTimes(t *testing.T) {
	n := testenv.Times(200, 20_000, 1_000_000)
	files := map[string]string{}
	for k := range 3 {
		var b strings.Builder
		b.WriteString("g,t,x\n")
		for i := range n {
			fmt.Fprintf(&b, "%d,noon at the long river,%d\n", (i+k)%3, k*n+i)
		}
		files[fmt.Sprintf("%d.csv", k)] = b.String()
	}
	dir := testenv.Directory(t, files)
	out := sameEveryWay(t, load(t, dir, "name: d\noutput: "+filepath.Join(dir,
		"out")+"\nsource: {csv: {files: ['0.csv', '1.csv', '2.csv']}}\norder: source\ngroup: {by: g, sort: "+
		"t}\nfeatures: {x: int64}\n"))
	for i, ids := range idsOf(t, out, "train") {
		last := -1
		for text := range strings.FieldsSeq(ids) {
			var id int
			if _, err := fmt.Sscan(text, &id); err != nil || id <= last || (id%n+id/n)%3 != i {
				t.Fatalf("group %d: row %d after %d, %v", i, id, last, err)
			}
			last = id
		}
	}
}
