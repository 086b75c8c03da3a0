package infer_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestLongSeries has a table of long series that is read completely, and one that is not. The comment proposes windows.
func TestLongSeries(t *testing.T) {
	for _, rows := range []int{30_000, 1_000_000} {
		if rows > 100_000 && !testenv.Exhaustive() {
			continue
		}
		var b strings.Builder
		b.WriteString("sensor,time,value,other\n")
		for i := range rows {
			fmt.Fprintf(&b, "s%d,%d,%d.5,a longer string %d\n", min(1, i%50), i, i%10, i%3)
		}
		dir := testenv.Directory(t, map[string]string{"t.csv": b.String()})
		c := written(t, dir, filepath.Join(dir, "t.csv"))
		const note = "`group: {by: sensor, sort: {column: time, type: int64}, windows: {length: 100}}`"
		if text := strings.ReplaceAll(string(c.Text), "\n# ", " "); !strings.Contains(text, note) {
			t.Errorf("%d rows: no %s\n%s", rows, note, c.Text)
		}
	}
}
