package lossless

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestRandomTables makes tables of random columns in random dialects, with a header of names.
func TestRandomTables(t *testing.T) {
	n := testenv.Times(3, 150, 3000)
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 48))
			dir := t.TempDir()
			text, d := randomTable(r)
			file := put(t, dir, "t.csv", text)
			rows, err := ReadTable(file, text, d)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			a := check(t, dir, []string{file}, rows)
			if t.Failed() {
				t.Logf("%.2000s\n%s", text, a.Config)
			}
		})
	}
}

// headerNames are names of columns as people write them.
var headerNames = []string{"id", "name", "Date of birth", "x", "y2", "y 2019", "temp (°C)", "user.id", "a_b", "LABEL", "first", "n", "value", "share in %", "", "é", "city", "p-value", "type", "from"}

func randomTable(r *rand.Rand) (string, Dialect) {
	d := Dialect{Delimiter: ",;\t|"[r.IntN(4)]}
	end := []string{"\n", "\r\n"}[r.IntN(2)]
	all := r.IntN(4) == 0 // cells are quoted
	rows := []int{3, 12, 60, 300}[r.IntN(4)]
	width := 2 + r.IntN(6)
	names := r.Perm(len(headerNames))[:width]
	var list [][]string
	header := make([]string, width)
	for i := range width {
		header[i] = headerNames[names[i]]
		cells := columns[r.IntN(len(columns))].texts()
		if r.IntN(3) == 0 {
			r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		}
		for k := range cells {
			if r.IntN(40) == 0 && i > 0 {
				cells[k] = ""
			}
		}
		list = append(list, cells)
	}
	var b strings.Builder
	if r.IntN(6) == 0 {
		b.WriteString("\ufeff")
	}
	write := func(cells []string) {
		for i, cell := range cells {
			if i > 0 {
				b.WriteByte(d.Delimiter)
			}
			if all || strings.ContainsAny(cell, "\"\r\n"+string(d.Delimiter)) || cell == "" && i == 0 {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			b.WriteString(cell)
		}
		b.WriteString(end)
	}
	write(header)
	for k := range rows {
		cells := make([]string, width)
		for i := range cells {
			cells[i] = list[i][k]
		}
		write(cells)
	}
	return b.String(), d
}
