package conformance

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// TestReader has TensorFlow read what reader.py gives beyond one record after the
// other: batches, shuffled orders, images, and what Keras trains with.
func TestReader(t *testing.T) {
	tftest.Python(t)
	dir := t.TempDir()
	write(t, dir, "table.csv", csvOf(t, trips(100, 4), false))
	write(t, dir, "rows.jsonl", []byte(messageRows(20)))
	write(t, dir, "table.yaml",
		[]byte("name: table\noutput: out\nsource: {csv: {files: table.csv, null_values: [NA]}}\nshards: 3\nsplit: "+
			"train"+
			strings.Replace(tripFeatures, "{classes: auto}", "{classes: {names: [CMT, DDS, VTS], first: 1}}", 1)))
	write(t, dir, "splits.yaml",
		[]byte("name: splits\noutput: out\nsource: {csv: {files: table.csv, null_values: [NA]}}\nshards: 2\n"+
			"split: {fractions: {train: 60%, validation: 20%, test: 20%}}"+tripFeatures))
	write(t, dir, "few.csv", []byte("a,b,c\n1,2,x\n,3,y\n"))
	write(t, dir, "few.yaml", []byte("name: few\noutput: out\nsource: {csv: {files: few.csv}}\norder: source\n"+
		"features: {a: {type: int64, missing: omit, null_values: ['']}, b: uint8, c: {classes: [x, y]}}\n"))
	write(t, dir, "raw.yaml", []byte("name: raw\noutput: out\nsource: {jsonl: {files: rows.jsonl}}\n"+
		"features: {id: int64, u: {from: i2, type: uint32, shape: [2, 3], raw: true}, poly: {type: float, shape: [-1, "+
		"-1]}}\n"))
	layLacking(t, dir)
	formOf("images").lay(t, dir, 12)
	for _, name := range []string{"table", "splits", "raw", "few", "lacking", "lacking_json",
		"lacking_without_statistics", "mixed"} {
		build(t, filepath.Join(dir, name+".yaml"), filepath.Join(dir, name), pipeline.Run{})
	}
	build(t, filepath.Join(dir, "dataset.yaml"), filepath.Join(dir, "images"), pipeline.Run{})
	tftest.Run(t, filepath.Join("testdata", "reader.py"), dir)
}

// layLacking makes rows of which some of the split train lack a label, and configs for
// them: of 40 rows 9 have no pay, 4 no mass and 2 no note.
func layLacking(t *testing.T, dir string) {
	t.Helper()
	var table, lines strings.Builder
	table.WriteString("id,pay,mass,note,tags,part\n")
	for i := range 60 {
		pay, mass, note, part := []string{"card", "cash", "none"}[i%3], strconv.Itoa(i), "n"+strconv.Itoa(i), "train"
		switch {
		case i >= 40:
			part = "test"
		case i < 9:
			pay = ""
		case i < 13:
			mass = ""
		case i < 15:
			note = "NA"
		}
		fmt.Fprintf(&table, "%d,%s,%s,%s,,%s\n", i, pay, mass, note, part)
		row := map[string]any{"id": i, "part": part, "tags": []string{}}
		for key, value := range map[string]string{"pay": pay, "note": strings.TrimPrefix(note, "NA")} {
			if value != "" {
				row[key] = value
			}
		}
		if mass != "" {
			row["mass"] = i
		}
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&lines, "%s\n", line)
	}
	write(t, dir, "lacking.csv", []byte(table.String()))
	write(t, dir, "lacking.jsonl", []byte(lines.String()))
	const features = `split: {column: part}
shards: 2
features:
  id: int64
  pay: {classes: {names: [card, cash, none], first: 1}, missing: omit}
  mass: {type: float, missing: omit}
  note: {type: string, missing: omit}
  tags: {type: string, shape: [-1], missing: empty_list%s}
`
	csv := "output: out\nsource: {csv: {files: lacking.csv, null_values: [NA]}}\n" +
		fmt.Sprintf(features, ", separator: ;")
	write(t, dir, "lacking.yaml", []byte("name: lacking\n"+csv))
	write(t, dir, "lacking_without_statistics.yaml", []byte("name: lacking\nstatistics: false\n"+csv))
	write(t, dir, "lacking_json.yaml",
		[]byte("name: lacking\noutput: out\nsource: {jsonl: {files: lacking.jsonl}}\nrecord: "+
			"json_example\n"+fmt.Sprintf(features, "")))
	write(t, dir, "mixed.json", []byte(`[{"id": 1, "a": 5}, {"id": 2, "a": {"b": "x"}}, {"id": 3}]`))
	write(t, dir, "mixed.yaml",
		[]byte("name: mixed\noutput: out\norder: source\nsource: {json: {files: mixed.json, mixed: empty}}\n"+
			"features: {id: int64, a.b: {classes: [x, y], missing: omit}}\n"))
}
