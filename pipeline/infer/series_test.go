package infer_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestLongSeries has series that are too long for a record, and a table that is not read completely. A
// comment names the columns, and each row is a record.
func TestLongSeries(t *testing.T) {
	for rows, want := range map[int]bool{30_000: false, 550_000: true, 1_000_000: true} {
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
		text := strings.ReplaceAll(string(c.Text), "\n# ", " ")
		if got := strings.Contains(text, note); got != want || strings.Contains(text, "\ngroup:") == want {
			t.Errorf("%d rows: a comment is %v, expected %v\n%s", rows, got, want, c.Text)
		}
	}
}
