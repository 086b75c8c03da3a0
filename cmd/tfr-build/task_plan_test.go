package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/sumline"
	"tfr-build/internal/testenv"
)

// planCases are datasets of two files, each of which is scanned.
var planCases = []tasksCase{
	{name: "csv", files: tables,
		config: "source: {csv: {files: ['a.csv', 'b.csv']}}\norder: source\non_error: skip\nfeatures: {id: int64, " +
			"user: bytes}\nshards: 3\n"},
	{
		name: "jsonl", config: "source: {jsonl: {files: '*.jsonl'}}\norder: source\nfeatures: {id: int64}\nshards: 3\n",
		files: func(t *testing.T, dir string) {
			tables(t, dir)
			change(t, filepath.Join(dir, "l.jsonl"), func(data []byte) []byte {
				testenv.Put(t, filepath.Join(dir, "k.jsonl"), string(data))
				return data
			})
		},
	},
	{
		name: "parquet", config: "source: {parquet: {files: '*.parquet'}}\norder: source\nfeatures: {VendorID: " +
			"{}}\nshards: 3\n",
		files: func(t *testing.T, dir string) {
			rides(t, dir)
			change(t, filepath.Join(dir, "rides.parquet"), func(data []byte) []byte {
				testenv.Put(t, filepath.Join(dir, "again.parquet"), string(data))
				return data
			})
		},
	},
}

// resealed returns a plan in which from is replaced by to, with a valid checksum.
func resealed(t *testing.T, plan []byte, from, to string) []byte {
	t.Helper()
	line, listing, _ := bytes.Cut(plan, []byte("\n"))
	text, ok := sumline.Text(append(line, '\n'))
	if !ok || !bytes.Contains(text, []byte(from)) {
		t.Fatalf("the plan lacks %s: %s", from, text)
	}
	return append(sumline.Append(nil, bytes.Replace(text, []byte(from), []byte(to), 1)), listing...)
}

// TestDamagedPlan damages a plan so that a file would be read twice, which nothing else detects.
// Each phase ends with 42 and names the plan, and the hint fixes it. A sample has one damage of
// some datasets.
func TestDamagedPlan(t *testing.T) {
	some := map[string]string{"csv": "a file twice, with a checksum", "parquet": "cut"}
	for _, c := range planCases {
		for name, damage := range map[string]func(plan []byte) []byte{
			"a bit of a number": func(plan []byte) []byte {
				return bytes.Replace(plan, []byte(`{"file":1`), []byte(`{"file":0`),
					1)
			},
			"a bit of a key": func(plan []byte) []byte {
				return bytes.Replace(plan, []byte(`"file":1`), []byte(`"fi|e":1`),
					1)
			},
			"a file twice, with a checksum": func(plan []byte) []byte {
				return resealed(t, plan, `{"file":1`, `{"file":0`)
			},
			"another key, with a checksum": func(plan []byte) []byte {
				return resealed(t, plan, `"file":1`, `"fi|e":1`)
			},
			"the listing": func(plan []byte) []byte {
				plan[len(plan)-9] ^= 1
				return plan
			},
			"cut": func(plan []byte) []byte { return plan[:len(plan)/2] },
		} {
			if !testenv.Exhaustive() && some[c.name] != name {
				continue
			}
			t.Run(c.name+", "+name, func(t *testing.T) {
				t.Parallel()
				dir := c.lay(t)
				program(t, dir, []int{0}, "task", "plan", "-sync=false", "-config", "c.yaml")
				plan := filepath.Join(workOf, "plan", "plan")
				change(t, filepath.Join(dir, plan), damage)
				for _, phase := range []string{"plan", "scan", "merge", "write", "commit"} {
					said := refused(t, dir, 42, "task", phase, "-sync=false", "-config", "c.yaml")
					if !strings.Contains(said, plan+": ") ||
						!strings.Contains(said, "help: tfr-build task clean --config FILE --work DIR ") {
						t.Errorf("task %s says %s", phase, said)
					}
				}
				if _, err := os.Stat(filepath.Join(dir, "out")); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("there is a dataset: %v", err)
				}
				program(t, dir, []int{0}, "clean", "-config", "c.yaml", "-work", workOf)
				phases(t, dir, func(string) {})
				sameDatasets(t, dir, "local", "out")
			})
		}
	}
}

// TestDamagedClaim damages the claim of the tasks: it is not treated as that of other tasks, and
// cleaning removes it.
func TestDamagedClaim(t *testing.T) {
	dir := tasksCases[0].lay(t)
	program(t, dir, []int{0}, "task", "plan", "-sync=false", "-config", "c.yaml")
	claim := filepath.Join(dir, ".out.tfr", "claim")
	change(t, claim, func(data []byte) []byte {
		return bytes.Replace(data, []byte(`"work":"/`), []byte(`"work":"?`), 1)
	})
	for _, args := range [][]string{{"task", "scan"}, {"task", "merge"}} {
		program(t, dir, []int{0}, append(args, "-sync=false", "-work", workOf)...)
	}
	for _, phase := range []string{"write", "commit", "plan"} {
		said := refused(t, dir, 42, "task", phase, "-sync=false", "-config", "c.yaml")
		if want := "the claim of the tasks that make it is damaged"; !strings.Contains(said, want) {
			t.Errorf("task %s says %s", phase, said)
		}
	}
	refused(t, dir, 1, "build", "-sync=false", "c.yaml")
	program(t, dir, []int{0}, "clean", "-work", workOf)
	program(t, dir, []int{0}, "build", "-sync=false", "c.yaml")
	sameDatasets(t, dir, "local", "out")
}
