package pipeline

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/message"
)

// A grouped says how a random table is grouped.
type grouped struct {
	Files  []string `json:"files"`
	By     []string `json:"by"`
	Sort   string   `json:"sort"`
	Type   string   `json:"type"`
	Length int      `json:"length"`
	Stride int      `json:"stride"`
	Last   string   `json:"last"`
}

// sortCells are values of a sort column, by its type.
var sortCells = map[string][]string{
	"":        {"b", "a", "é", "e\u0301", "10", "9", "Z", ""},
	"int64":   {"10", "9", "-3", "9007199254740993", "9007199254740992", "-9007199254740993", "0", ""},
	"float64": {"1.5", "1e3", "-0", "0", "-2.25", "nan", "1e-300", ""},
}

// randomGroups writes tables with an id per row, and returns how they are grouped.
func randomGroups(t *testing.T, r *rand.Rand, dir, name string, most int) grouped {
	g := grouped{Type: []string{"", "int64", "float64"}[r.IntN(3)], Last: []string{"drop", "keep", "pad"}[r.IntN(3)]}
	if r.IntN(4) > 0 {
		g.Sort = "s"
	}
	if r.IntN(3) > 0 {
		g.Length = 1 + r.IntN(6)
		g.Stride = 1 + r.IntN(8)
	}
	columns := 1 + r.IntN(3)
	for i := range columns {
		g.By = append(g.By, fmt.Sprint("c", i))
	}
	values, id := 1+r.IntN(len(cells)), 0
	for i := range 1 + r.IntN(3) {
		var b strings.Builder
		b.WriteString("id,s," + strings.Join(g.By, ","))
		for range 1 + r.IntN(most) {
			of := sortCells[g.Type]
			fmt.Fprintf(&b, "\n%d,%s", id, of[r.IntN(len(of))])
			for range columns {
				b.WriteString("," + cells[r.IntN(values)])
			}
			id++
		}
		g.Files = append(g.Files, fmt.Sprintf("%s.%d.csv", name, i))
		testenv.Put(t, filepath.Join(dir, g.Files[i]), b.String()+"\n")
	}
	text, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	testenv.Put(t, filepath.Join(dir, name+".json"), string(text))
	return g
}

// config returns a config of the groups, whose records have the ids of their rows.
func (g *grouped) config() string {
	text := fmt.Sprintf("name: d\noutput: out\nsource: {csv: {files: [%s]}}\nfeatures: {id: {type: int64, pad: -1}}\n", strings.Join(g.Files, ", "))
	text += "on_error: skip\nmax_errors: 100%\ngroup:\n  by: [" + strings.Join(g.By, ", ") + "]\n"
	switch {
	case g.Sort != "" && g.Type != "":
		text += "  sort: {column: s, type: " + g.Type + "}\n"
	case g.Sort != "":
		text += "  sort: s\n"
	}
	if g.Length > 0 {
		text += fmt.Sprintf("  windows: {length: %d, stride: %d, last: %s}\n", g.Length, g.Stride, g.Last)
	}
	return text
}

// idsOf returns the ids of the rows of each record of a split.
func idsOf(t *testing.T, out, split string) (list []string) {
	t.Helper()
	for _, payload := range payloadsOf(t, out)[split] {
		var ids []string
		message.Each(message.Example, []byte(payload), func(_ []byte, f message.Feature) {
			for n := range f.Ints() {
				ids = append(ids, fmt.Sprint(n))
			}
		})
		list = append(list, strings.Join(ids, " "))
	}
	return list
}

// TestGroupsOfPandas compares groups and windows of random tables with those of pandas and NumPy.
func TestGroupsOfPandas(t *testing.T) {
	tftest.Python(t)
	dir, r := t.TempDir(), rand.New(rand.NewPCG(7, 8))
	built := testenv.Times(30, 300, 300)
	var all []grouped
	for i := range built {
		most := 60
		if i == 0 && testenv.Exhaustive() {
			most = 100_000
		}
		all = append(all, randomGroups(t, r, dir, fmt.Sprintf("%03d", i), most))
	}
	tftest.Run(t, filepath.Join("testdata", "grouped.py"), dir)
	records := 0
	for i := range built {
		name := fmt.Sprintf("%03d", i)
		want := string(read(t, dir, name+".want"))
		cfg := load(t, dir, all[i].config()+"order: source\n")
		out, err := buildTo(t, cfg, ways[i%len(ways)])
		if err != nil {
			if want != "" {
				t.Errorf("table %s: %v", name, err)
			}
			continue
		}
		list := idsOf(t, out, "train")
		if got := strings.Join(list, "\n"); got != want {
			t.Errorf("table %s:\n%s\nrecords\n%s\nexpected\n%s", name, all[i].config(), got, want)
		}
		records += len(list)
	}
	if records < built {
		t.Errorf("only %d records", records)
	}
}
