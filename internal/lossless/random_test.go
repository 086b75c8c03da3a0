package lossless

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/infer"
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
var headerNames = []string{"id", "name", "Date of birth", "x", "y2", "y 2019", "temp (°C)", "user.id", "a_b", "LABEL",
	"first", "n", "value", "share in %", "", "é", "city", "p-value", "type", "from"}

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

// TestRandomDocuments makes rows of JSON with random keys, some of which rows lack.
func TestRandomDocuments(t *testing.T) {
	n := testenv.Times(3, 150, 3000)
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 84))
			dir := t.TempDir()
			shape := randomShape(r, 0)
			shape.kind = "object"
			var texts []string
			for i := range []int{3, 12, 60}[r.IntN(3)] {
				texts = append(texts, shape.json(r, i))
			}
			name, text := "t.jsonl", strings.Join(texts, "\n")+"\n"
			if seed%3 == 1 {
				name, text = "t.json", `{"version": 1, "rows": [`+strings.Join(texts, ", ")+"]}"
			}
			file := put(t, dir, name, text)
			rows := must(ReadLines(file, []byte(strings.Join(texts, "\n"))))
			if _, err := infer.Inspect(t.Context(), []string{file}, infer.Options{Dir: dir, Workers: 1}); err != nil {
				if !strings.Contains(err.Error(), "no column can be a feature") {
					t.Errorf("%v\n%s", err, text)
				}
				return
			}
			a := check(t, dir, []string{file}, rows)
			if t.Failed() {
				t.Logf("%.3000s\n%s", text, a.Config)
			}
		})
	}
}

// TestRandomSeries makes readings of stations, some of which have the same value in all rows.
func TestRandomSeries(t *testing.T) {
	for seed := range testenv.Times(2, 60, 1000) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 17))
			dir := t.TempDir()
			text := randomSeries(r)
			file := put(t, dir, "t.csv", text)
			a := check(t, dir, []string{file}, must(ReadTable(file, text, Dialect{Delimiter: ','})))
			if t.Failed() {
				t.Logf("%.2000s\n%s", text, a.Config)
			}
		})
	}
}

func randomSeries(r *rand.Rand) string {
	by := []string{"sensor", "station_id", "user", "ticker", "g"}[r.IntN(5)]
	sort := []string{"time", "date", "step", "year"}[r.IntN(4)]
	stations, steps := 2+r.IntN(8), 5+r.IntN(30)
	var kinds []func(station, step int) string
	header := by + "," + sort
	for i := range 1 + r.IntN(4) {
		cells := columns[r.IntN(len(columns))].texts()
		perStation, missing := r.IntN(3) == 0, []int{0, 0, 10}[r.IntN(3)]
		header += fmt.Sprintf(",c%d", i)
		kinds = append(kinds, func(station, step int) string {
			switch n := station*steps + step; {
			case perStation:
				return cells[station]
			case missing > 0 && r.IntN(missing) == 0:
				return ""
			default:
				return cells[n%len(cells)]
			}
		})
	}
	var rows []string
	for step := range steps {
		for station := range stations {
			if r.IntN(12) == 0 {
				continue // a gap
			}
			name := fmt.Sprintf("s%d", station)
			if by == "station_id" {
				name = fmt.Sprint(1000 + station)
			}
			when := map[string]string{
				"time": fmt.Sprintf("2024-01-%02d %02d:00:00", 1+step/24, step%24),
				"date": fmt.Sprintf("2024-%02d-%02d", 1+step/28, 1+step%28),
				"step": fmt.Sprint(step), "year": fmt.Sprint(1980 + step),
			}[sort]
			row := name + "," + when
			for _, kind := range kinds {
				row += `,"` + strings.ReplaceAll(kind(station, step), `"`, `""`) + `"`
			}
			rows = append(rows, row)
		}
	}
	if r.IntN(3) == 0 {
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	}
	return header + "\n" + strings.Join(rows, "\n") + "\n"
}

// A shape is how values of a key are made.
type shape struct {
	kind    string
	keys    []string
	inner   []*shape
	missing int // one of so many rows has no value; 0 if each has one
	cells   []string
}

func randomShape(r *rand.Rand, depth int) *shape {
	kinds := []string{"int", "float", "text", "text", "bool", "wide", "mixed", "null", "list", "list",
		"object", "object"}
	s := &shape{kind: kinds[r.IntN(len(kinds))], missing: []int{0, 0, 0, 5}[r.IntN(4)]}
	if depth > 2 && (s.kind == "list" || s.kind == "object") {
		s.kind = "int"
	}
	switch {
	case s.kind == "object" || depth == 0:
		for _, i := range r.Perm(len(headerNames))[:1+r.IntN(5)] {
			s.keys, s.inner = append(s.keys, headerNames[i]), append(s.inner, randomShape(r, depth+1))
		}
	case s.kind == "list":
		s.inner = []*shape{randomShape(r, depth+1)}
	case s.kind == "text":
		s.cells = columns[r.IntN(len(columns))].texts()
	}
	return s
}

// json returns the value of row i.
func (s *shape) json(r *rand.Rand, i int) string {
	var list []string
	switch s.kind {
	case "int":
		return fmt.Sprint(r.IntN(200) - 50)
	case "float":
		return fmt.Sprintf("%.2f", r.Float64()*30)
	case "wide":
		return fmt.Sprint(1250180000000000000 + r.IntN(1000))
	case "bool":
		return fmt.Sprint(r.IntN(2) == 0)
	case "text":
		return string(must(json.Marshal(s.cells[i%len(s.cells)])))
	case "mixed":
		return []string{"1", `"a"`, "2.5", "true", "[3]", `{"a": 4}`}[r.IntN(6)]
	case "list":
		for range r.IntN(4) {
			list = append(list, s.inner[0].json(r, i))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case "object":
		for k, key := range s.keys {
			inner := s.inner[k]
			switch {
			case inner.missing == 0 || r.IntN(inner.missing) > 0:
				list = append(list, fmt.Sprintf("%s: %s", must(json.Marshal(key)), inner.json(r, i)))
			case r.IntN(2) == 0:
				list = append(list, fmt.Sprintf("%s: null", must(json.Marshal(key))))
			}
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	return "null"
}
