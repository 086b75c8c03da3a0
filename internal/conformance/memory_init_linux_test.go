package conformance

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestMemoryOfInit compares the memory of init with what docs/reference/init.md says: for long strings that all differ,
// and for many columns. The sample has a hundredth of the values.
func TestMemoryOfInit(t *testing.T) {
	const base, perColumn = 64 << 20, 25 << 10
	bin := testenv.Program(t)
	for _, tt := range []struct{ rows, columns, width int }{
		{testenv.Times(250, 25_000, 25_000), 20, 60},
		{testenv.Times(10, 600, 600), testenv.Times(500, 5000, 5000), 9},
	} {
		var csv strings.Builder
		for i := range tt.columns {
			fmt.Fprintf(&csv, "c%d,", i)
		}
		csv.WriteString("end\n")
		for i := range tt.rows {
			for k := range tt.columns {
				fmt.Fprintf(&csv, "%0*x,", tt.width, i*tt.columns*7919+k*104729)
			}
			csv.WriteString("x\n")
		}
		dir := testenv.Directory(t, map[string]string{"t.csv": csv.String()})
		peak := peakMemory(t, exec.Command(bin, "init", filepath.Join(dir, "t.csv"), "-o",
			filepath.Join(dir, "c.yaml")))
		most := int64(base + tt.columns*perColumn)
		t.Logf("%d rows, %d columns: %d bytes of %d", tt.rows, tt.columns, peak, most)
		if peak > most {
			t.Errorf("init of %d rows with %d columns took %d bytes, more than %d", tt.rows, tt.columns, peak, most)
		}
	}
}
