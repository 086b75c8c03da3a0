package conformance

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestMemoryOfGroups compares the binary with what it says of its memory with `group`: with a group per
// row, with all rows in one group, and with keys of a megabyte. A sample has the first.
func TestMemoryOfGroups(t *testing.T) {
	rows := testenv.Times(20_000, 300_000, 1_000_000)
	const line = len("k0123456,0123456,123.5\n")
	for _, c := range []struct {
		name    string
		key     func(i int) string
		rows    int
		grouped int // rows of the largest group
		largest int // bytes of it
	}{
		{"a group per row", func(i int) string { return fmt.Sprintf("k%07d", i) }, rows, 1, line + 13},
		{"one group", func(int) string { return "a" }, rows, rows, rows * (line + 13)},
		{"huge keys", func(i int) string { return fmt.Sprintf("%02d", i) + strings.Repeat("x", 1_000_000) }, 60, 1, 2 * 1_000_100},
	} {
		for _, memory := range []int64{16_000_000, 64_000_000} {
			if !testenv.Exhaustive() && (c.key(0) != "k0000000" || memory > 16_000_000) {
				continue
			}
			t.Run(fmt.Sprint(c.name, memory), func(t *testing.T) {
				dir := t.TempDir()
				var b strings.Builder
				b.WriteString("k,t,v\n")
				for i := range c.rows {
					fmt.Fprintf(&b, "%s,%d,%d.5\n", c.key(i), i, i%977)
				}
				write(t, dir, "a.csv", []byte(b.String()))
				write(t, dir, "c.yaml", []byte("name: it\noutput: out\nsource: {csv: {files: a.csv}}\nrecord: sequence\nlimits: {record: 1GiB}\n"+
					"group: {by: [k], sort: t}\ncontext: {k: string}\nsequence: {t: int64, v: float}\n"))
				const workers, columns, ofRow, ofValue = 1, 2, 120, 64
				limit := promised(workers, 0, int64(c.largest), memory) + workers*int64(c.grouped)*(ofRow+columns*ofValue)
				keepsTo(t, limit, []string{"-config", filepath.Join(dir, "c.yaml"), "-memory", fmt.Sprint(memory/1_000_000, "MB"), "-workers", fmt.Sprint(workers)})
			})
		}
	}
}
