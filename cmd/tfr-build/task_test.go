package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
)

// A tasksCase is a dataset that tasks make.
type tasksCase struct {
	name   string
	config string // without name and output
	files  func(t *testing.T, dir string)
}

// tables writes two CSV files, and what else the cases read.
func tables(t *testing.T, dir string) {
	var a, b, lines strings.Builder
	a.WriteString("id,user,part,x\n")
	b.WriteString("id,user,part,x\n")
	for i := range 3000 {
		part := []string{"train", "train", "val"}[i%3]
		fmt.Fprintf(&a, "%d,u%d,%s,%d.5\n", i, i*7%40, part, i%11)
		x := strconv.Itoa(i % 13)
		if i%500 == 7 {
			x = "none"
		}
		fmt.Fprintf(&b, "%d,u%d,%s,%s\n", 10_000+i, i*3%50, part, x)
		fmt.Fprintf(&lines, "{\"id\": %d, \"text\": \"line %d\", \"tags\": [\"a%d\", \"b\"]}\n", i, i, i%9)
	}
	testenv.Put(t, filepath.Join(dir, "a.csv"), a.String())
	testenv.Put(t, filepath.Join(dir, "b.csv"), b.String())
	testenv.Put(t, filepath.Join(dir, "l.jsonl"), lines.String())
	testenv.Put(t, filepath.Join(dir, "users.csv"), "user,age\nu1,10\nu2,20\nu3,30\n")
}

const tinyGIF = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff," +
	"\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

func pictures(t *testing.T, dir string) {
	for i := range 60 {
		testenv.Put(t, filepath.Join(dir, "pics", []string{"cat", "dog", "owl"}[i%3], fmt.Sprintf("%d.gif", i)),
			tinyGIF)
	}
	testenv.Put(t, filepath.Join(dir, "pics", "owl", "bad.gif"), "no image")
}

func compressed(t *testing.T, dir string) {
	tables(t, dir)
	text, err := os.ReadFile(filepath.Join(dir, "a.csv"))
	if err != nil {
		t.Fatal(err)
	}
	testenv.Put(t, filepath.Join(dir, "a.csv.gz"), filetest.Gzip(string(text)))
}

// records writes TFRecord files, by building them.
func records(t *testing.T, dir string) {
	tables(t, dir)
	testenv.Put(t, filepath.Join(dir, "r.yaml"),
		"name: r\noutput: recs\nsource: {csv: {files: a.csv}}\nfeatures: {id: int64, user: bytes}\nshards: 3\n")
	program(t, dir, []int{0}, "build", "-sync=false", "r.yaml")
}

// rides writes a Parquet file.
func rides(t *testing.T, dir string) {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "taxi", "yellow_tripdata.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	testenv.Put(t, filepath.Join(dir, "rides.parquet"), string(data))
}

// documents writes a JSON document with rows in it.
func documents(t *testing.T, dir string) {
	text := `{"about": {"n": [1]}, "rows": [{"id": 0}`
	for i := range 2000 {
		text += fmt.Sprintf(",\n{\"id\": %d, \"tags\": [\"a%d\", \"b\"]}", i+1, i%7)
	}
	testenv.Put(t, filepath.Join(dir, "d.json"), text+"]}")
}

// arrays writes two arrays of bytes.
func arrays(t *testing.T, dir string) {
	const n = 2000
	for _, name := range []string{"x.idx", "y.idx"} {
		data := []byte{0, 0, 8, 1, 0, 0, n >> 8, n & 0xff}
		for i := range n {
			data = append(data, byte(i*7))
		}
		testenv.Put(t, filepath.Join(dir, name), string(data))
	}
}

var tasksCases = []tasksCase{
	{name: "csv", files: tables,
		config: "source: {csv: {files: a.csv}}\nfeatures: {id: int64, user: bytes, x: float32}\nshards: 5\n"},
	{
		name: "quarantine, split by column, classes", files: tables,
		config: "source: {csv: {files: ['a.csv', 'b.csv']}}\nsplit: {column: part}\non_error: quarantine\n" +
			"features: {id: int64, user: {classes: auto}, x: float32}\nshards: 3\n" +
			"checks: {features: {id: {min: 5}}}\n",
	},
	{name: "order_key, gzip shards", files: tables,
		config: "source: {csv: {files: a.csv}}\norder_key: user\nfeatures: {id: int64, user: bytes}\nshards: " +
			"4\ncompression: gzip\n"},
	{name: "source order", files: tables,
		config: "source: {jsonl: {files: l.jsonl}}\norder: source\nfeatures: {id: int64, text: string}\nshards: 4\n"},
	{
		name: "leakage, fractions", files: tables,
		config: "source: {csv: {files: a.csv}}\nsplit: {fractions: {train: 80%, test: 20%}, by: user}\nchecks: " +
			"{leakage: 0}\nfeatures: {x: float32}\nshards: 2\n",
	},
	{name: "gzip csv", files: compressed,
		config: "source: {csv: {files: 'a.csv.gz'}}\nfeatures: {id: int64, user: {classes: auto}}\nshards: 3\n"},
	{
		name: "two kinds", files: tables,
		config: "sources:\n- {csv: {files: 'b.csv'}, name: b}\n- {jsonl: {files: 'l.jsonl'}, name: l}\non_error: " +
			"skip\nfeatures: {id: int64}\nshards: 3\n",
	},
	{
		name: "joins", files: tables,
		config: "source: {csv: {files: a.csv}, join: [{csv: {files: users.csv}, on: user}]}\nfeatures: {id: int64, " +
			"age: {type: int64, missing: {default: 0}}}\nshards: 2\n",
	},
	{name: "records", files: records,
		config: "source: {tfrecord: {files: 'recs/*-of-*'}}\nfeatures: {id: int64, user: bytes}\nshards: 2\n"},
	{name: "arrays", files: arrays,
		config: "source: {arrays: {columns: {x: x.idx, y: y.idx}}}\nfeatures: {x: int64, y: int64}\nshards: 3\n"},
	{
		name: "parquet, where and derive", files: rides,
		config: "source: {parquet: {files: rides.parquet}}\nderive: {share: {expr: 'tip_amount / fare_amount', type: " +
			"float}}\nwhere: 'fare_amount > 0'\n" +
			"features: {VendorID: {}, share: {}, PULocationID: {}}\nshards: 3\n",
	},
	{
		name: "a document, sample and limit", files: documents,
		config: "source: {json: {files: d.json, rows: rows}}\nsplit: {fractions: {train: 70%, test: 30%}}\nsample: " +
			"80%\nlimit: {train: 700}\n" +
			"features: {id: int64, tags: {type: bytes, from: 'tags.*', missing: empty_list}}\nshards: 2\n",
	},
	{
		name: "where, on spilled rows", files: compressed,
		config: "source: {csv: {files: 'a.csv.gz'}}\nwhere: 'x >= 3 && part == \"train\"'\norder_key: user\nlimit: " +
			"{train: 900}\nfeatures: {id: int64, user: {classes: auto}}\nshards: 3\n",
	},
	{
		name: "images and tables", files: func(t *testing.T, dir string) { tables(t, dir); pictures(t, dir) },
		config: "sources:\n- {csv: {files: a.csv}, name: b, rename: {user: name}}\n- {folder: {dir: pics}, name: p, " +
			"rename: {filename: name}}\nfeatures: {name: bytes}\nshards: 3\n",
	},
	{
		name: "images", files: pictures,
		config: "source: {images: {dir: pics}}\non_error: quarantine\nmax_errors: 5%\nsplit: {fractions: {train: " +
			"70%, test: 30%}}\nfeatures: {image: bytes, class: {classes: auto}, filename: bytes}\nshards: 3\n",
	},
}

// TestPipesAreRefused names a pipe that no process writes to in each command that opens files.
func TestPipesAreRefused(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "p"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"inspect", "verify", "stats", "index", "init", "report", "write -o out", "diff p",
		"locate x=1"} {
		program(t, dir, []int{5}, append(strings.Fields(command), "p")...)
	}
}

// TestTasksOfASmallInput plans more of them than there are without -tasks. A sample has
// TestRequestedTasks of package pipeline alone.
func TestTasksOfASmallInput(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("does 140 tasks: " + testenv.ExhaustiveVar + "=1")
	}
	dir := t.TempDir()
	testenv.Put(t, filepath.Join(dir, "a.jsonl"), strings.Repeat("{\"x\": 1}\n", 300_000)) // 2.7 MB
	testenv.Put(t, filepath.Join(dir, "c.yaml"),
		"name: d\noutput: out\nsource: {jsonl: {files: a.jsonl}}\nfeatures: {x: int64}\nshards: 140\n")
	program(t, dir, []int{0}, "build", "-sync=false", "-output", "alone", "c.yaml")
	if said := program(t, dir, []int{0}, "task", "plan", "-sync=false", "-config", "c.yaml", "-output",
		"few"); !strings.Contains(said, " scan=32 ") {
		t.Errorf("without -tasks: %s", said)
	}
	if said := program(t, dir, []int{0}, "task", "plan", "-sync=false", "-config", "c.yaml", "-tasks",
		"70"); !strings.Contains(said, " scan=71 ") {
		t.Errorf("with -tasks 70: %s", said)
	}
	said := program(t, dir, []int{0}, "task", "all", "-sync=false", "-work", "out/../.out.tfr/work", "-index", "0",
		"-of", "1")
	if !strings.Contains(said, "write: 70 tasks done") {
		t.Errorf("with -tasks 70: %s", said)
	}
	program(t, dir, []int{2}, "task", "plan", "-config", "c.yaml", "-tasks", "0")
	program(t, dir, []int{0}, "diff", "alone", "out")
}

// program runs tfr-build in dir, and wants it to end with one of the codes.
func program(t *testing.T, dir string, codes []int, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "tfr-build", args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		t.Error(err)
	}
	for _, c := range codes {
		if c == code {
			return stdout.String()
		}
	}
	t.Errorf("tfr-build %q ended with %d, want one of %d\n%s%s", args, code, codes, stdout.String(), stderr.String())
	return ""
}

// everything returns the files below dir/name and next to it, with their contents.
func everything(t *testing.T, dir, name string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Join(dir, name), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, filepath.Join(dir, name))] = string(data)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, name+".rejects.jsonl")); err == nil {
		all["rejects"] = string(data)
	}
	return all
}

// sameDatasets compares the dataset of tasks with that of one process.
func sameDatasets(t *testing.T, dir, local, tasks string) {
	t.Helper()
	want, got := everything(t, dir, local), everything(t, dir, tasks)
	for name := range want {
		if want[name] != got[name] {
			t.Errorf("%s differs", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is there", name)
		}
	}
}

// lay writes the files of a case and builds it by one process.
func (c *tasksCase) lay(t *testing.T) (dir string) {
	dir = t.TempDir()
	c.files(t, dir)
	testenv.Put(t, filepath.Join(dir, "c.yaml"), "name: d\noutput: out\n"+c.config)
	program(t, dir, []int{0}, "build", "-sync=false", "-output", "local", "c.yaml")
	return dir
}

// TestFourProcesses has four processes make each dataset, all at once.
func TestFourProcesses(t *testing.T) {
	for _, c := range sampleOf("images and tables") {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := c.lay(t)
			done := make(chan bool)
			for i := range 4 {
				go func() {
					program(t, dir, []int{0}, "task", "all", "-config", "c.yaml", "-sync=false", "-index",
						strconv.Itoa(i), "-of", "4", "-wait", "60s")
					done <- true
				}()
			}
			for range 4 {
				<-done
			}
			sameDatasets(t, dir, "local", "out")
			program(t, dir, []int{0}, "build", "-sync=false", "c.yaml")
		})
	}
}

// phases runs the phases of the tasks in dir one after another, and calls between after
// each.
func phases(t *testing.T, dir string, between func(phase string)) {
	t.Helper()
	program(t, dir, []int{0}, "task", "plan", "-sync=false", "-config", "c.yaml")
	between("plan")
	for _, phase := range []string{"scan", "merge", "write", "commit"} {
		for i := range 2 {
			program(t, dir, []int{0}, "task", phase, "-sync=false", "-work", workOf, "-index", strconv.Itoa(i), "-of",
				"2")
		}
		between(phase)
	}
}

// workOf is the work directory of the output out.
const workOf = ".out.tfr/work"

// sampleOf are some of the cases, or all.
func sampleOf(names ...string) (list []tasksCase) {
	for _, c := range tasksCases {
		if testenv.Exhaustive() || slices.Contains(names, c.name) {
			list = append(list, c)
		}
	}
	return list
}

// TestKilledTasks kills tasks at random moments and has them done again.
func TestKilledTasks(t *testing.T) {
	const each = 5 // kills a dataset
	seed := uint64(13)
	for _, c := range sampleOf("quarantine, split by column, classes", "images") {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := c.lay(t)
			random := rand.New(rand.NewPCG(seed, uint64(len(c.name))))
			for range testenv.Times(1, 4, 40) {
				for kill := range each {
					cmd := exec.CommandContext(t.Context(), "tfr-build", "task", "all", "-config", "c.yaml",
						"-wait", "20s")
					cmd.Dir = dir
					if err := cmd.Start(); err != nil {
						t.Fatal(err)
					}
					time.Sleep(time.Duration(random.IntN(15*(kill+1))) * time.Millisecond)
					_ = cmd.Process.Kill()
					_ = cmd.Wait()
					if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
						sameDatasets(t, dir, "local", "out") // complete, no matter which process was killed
					}
				}
				program(t, dir, []int{0}, "task", "all", "-config", "c.yaml", "-wait", "20s")
				sameDatasets(t, dir, "local", "out")
				nothingLeft(t, dir)
				if err := errors.Join(os.RemoveAll(filepath.Join(dir, "out")),
					os.RemoveAll(filepath.Join(dir, ".out.tfr"))); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// nothingLeft fails if a file remains that tasks should have removed.
func nothingLeft(t *testing.T, dir string) {
	t.Helper()
	for directory, want := range map[string][]string{".out.tfr": {"lock", "state.json", "work"},
		workOf: {"committed"}} {
		entries, err := os.ReadDir(filepath.Join(dir, directory))
		if err != nil {
			t.Error(err)
		}
		for _, e := range entries {
			if !slices.Contains(want, e.Name()) {
				t.Errorf("%s is left in %s", e.Name(), directory)
			}
		}
	}
}

// TestConcurrentTasks has two processes do the same tasks at once.
func TestConcurrentTasks(t *testing.T) {
	for _, c := range sampleOf("quarantine, split by column, classes") {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := c.lay(t)
			for _, phase := range []string{"plan", "scan", "merge", "write", "commit"} {
				args := []string{"task", phase, "-sync=false", "-config", "c.yaml"}
				done := make(chan bool)
				for range 2 {
					go func() {
						program(t, dir, []int{0, 75}, args...) // the second to commit is to try again
						done <- true
					}()
				}
				<-done
				<-done
				program(t, dir, []int{0}, args...)
			}
			sameDatasets(t, dir, "local", "out")
			nothingLeft(t, dir)
		})
	}
}

// TestTaskAfterCommit runs tasks of a published dataset.
func TestTaskAfterCommit(t *testing.T) {
	dir := tasksCases[0].lay(t)
	phases(t, dir, func(string) {})
	before := everything(t, dir, "")
	for _, phase := range []string{"scan", "merge", "write", "commit", "all"} {
		out := program(t, dir, []int{0}, "task", phase, "-sync=false", "-work", workOf, "-index", "1", "-of", "2")
		if !strings.HasPrefix(out, "built before out train=3000") {
			t.Errorf("task %s says %q", phase, out)
		}
	}
	if after := everything(t, dir, ""); !maps.Equal(before, after) {
		t.Error("they changed something")
	}
}

// TestDamagedRun damages a spill run between two phases.
func TestDamagedRun(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"a bit": func(path string) error {
			data, err := os.ReadFile(path)
			if err == nil {
				data[bytes.Index(data, []byte(",u"))+2] ^= 4 // which makes another user of it
				err = os.WriteFile(path, data, 0o666)
			}
			return err
		},
		"the index": func(path string) error {
			data, err := os.ReadFile(path)
			if err == nil {
				data[len(data)-9] ^= 4
				err = os.WriteFile(path, data, 0o666)
			}
			return err
		},
		"cut":  func(path string) error { return os.Truncate(path, 1000) },
		"gone": os.Remove,
	} {
		for _, after := range []string{"scan", "merge"} {
			if some := name + after; !testenv.Exhaustive() && some != "a bitscan" {
				continue
			}
			t.Run(name+" after "+after, func(t *testing.T) {
				t.Parallel()
				c := tasksCases[1]
				dir := c.lay(t)
				phases(t, dir, func(phase string) {
					if phase != after {
						return
					}
					runs, err := filepath.Glob(filepath.Join(dir, workOf, "runs", "scan-1-*"))
					if err != nil || len(runs) != 1 {
						t.Fatalf("%q, %v", runs, err)
					}
					if err := damage(runs[0]); err != nil {
						t.Fatal(err)
					}
				})
				sameDatasets(t, dir, "local", "out")
			})
		}
	}
}

// TestLostShard removes a shard that a task has made: it is made again.
func TestLostShard(t *testing.T) {
	dir := tasksCases[0].lay(t)
	phases(t, dir, func(phase string) {
		if phase != "write" {
			return
		}
		if err := os.Truncate(filepath.Join(dir, ".out.tfr/data/train-00001-of-00005"), 10); err != nil {
			t.Fatal(err)
		}
		program(t, dir, []int{75}, "task", "commit", "-sync=false", "-work", workOf)
		program(t, dir, []int{0}, "task", "write", "-sync=false", "-work", workOf)
	})
	sameDatasets(t, dir, "local", "out")
}

// TestClocksApart sets the file server's clock, and so the times of all files, an hour ahead or
// behind in each phase.
func TestClocksApart(t *testing.T) {
	dir := tasksCases[1].lay(t)
	hour := time.Hour
	phases(t, dir, func(string) {
		hour = -hour
		err := filepath.WalkDir(filepath.Join(dir, ".out.tfr"), func(path string, d fs.DirEntry, err error) error {
			if err == nil {
				err = os.Chtimes(path, time.Now().Add(hour), time.Now().Add(hour))
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	})
	sameDatasets(t, dir, "local", "out")
}
