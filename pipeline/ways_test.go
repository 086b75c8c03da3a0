package pipeline

import (
	"archive/zip"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
)

// rowsCSV is a table of n rows with quoted cells, line ends in them, and blank
// lines between.
func rowsCSV(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("id,part,user,x,text\r\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,%s,u%d,%g,", i, []string{"train", "test", "dev"}[r.IntN(3)], r.IntN(20), r.Float64())
		switch r.IntN(4) {
		case 0:
			fmt.Fprintf(&b, "\"a \"\"quoted\"\"\nline %d\"\n", i)
		case 1:
			b.WriteString("\n\n")
		default:
			fmt.Fprintf(&b, "%s\n", strings.Repeat("word ", r.IntN(30)))
		}
	}
	return b.String()
}

func rowsJSONL(n int) string {
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id": %d, "user": "u%d", "x": %g, "part": "train", "text": "\u00e4 %s"}`+"\n", i, r.IntN(20),
			r.Float64(), strings.Repeat("y", r.IntN(50)))
	}
	return b.String()
}

const tableFeatures = `
features:
  id: int64
  x: {type: float}
  text: {type: bytes, missing: omit}
  user: {classes: auto}
`

// TestSameBytesEveryWay builds each config with several workers and chunk sizes, and with spill
// files.
func TestSameBytesEveryWay(t *testing.T) {
	n := testenv.Times(1000, 9000, 9000)
	dir := testenv.Directory(t, map[string]string{
		"a.csv": rowsCSV(n), "more/b.csv": rowsCSV(300), "more/c.csv.gz": filetest.Gzip(rowsCSV(200)),
		"few.csv.gz":     filetest.Gzip("id,user,x,text\n1,u,2,a\n2,v,3,b\n"),
		"d.jsonl":        rowsJSONL(testenv.Times(1000, 5000, 5000)),
		"pics/cat/1.bin": strings.Repeat("cat", 1000), "pics/dog/2.bin": "dog",
		"pics/dog/3.bin": strings.Repeat("d", 1<<20),
		"pics/dog/4.bin": "",
	})
	csv := "source:\n  csv: {files: a.csv}\n"
	for name, text := range testenv.Some(0, 3, map[string]string{
		"csv": csv + "shards: 3",
		"fractions": csv + "split: {fractions: {train: 80%, test: 15%, dev: 5%}}\nshards: {count: {train: 3, test: " +
			"1, dev: 2}}",
		"by a column": csv + "split: {fractions: {train: 50%, test: 50%}, by: user}",
		"folds":       csv + "split: {folds: 3}\nshards: 2",
		"stratified": csv + "split: {fractions: {train: 80%, test: 15%, dev: 5%}, stratify: part}\nshards: {size: " +
			"30KB}",
		"groups": csv + "split: {folds: 3, by: user, stratify: part}\norder_key: id\nshards: 2",
		"two strata": "sources:\n- csv: {files: more/*.csv}\n- csv: {files: more/*.gz}\n  split: {fractions: {dev: " +
			"50%, test: 50%}, by: user, stratify: x}\n- split: dev\n  jsonl: {files: d.jsonl}\nsplit: {fractions: " +
			"{train: 90%, test: 10%}, stratify: part}\norder: source\nshards: 2",
		"column":         csv + "split: {column: part}\nshards: 2",
		"source order":   csv + "order: source\nshards: 5",
		"order_key":      csv + "order_key: user\nshards: 2",
		"one key":        csv + "order_key: k\nset: {k: same}\nshards: 2",
		"an empty split": csv + "split: {fractions: {train: 99.999999%, test: 0.000001%}}\nshards: 3",
		"gzip":           csv + "compression: gzip\nshards: 2",
		"empty gzip": csv + "split: {fractions: {train: 99.999999%, test: 0.000001%}}\nshards: 2\ncompression: " +
			"gzip",
		"zlib":         csv + "compression: zlib\ndigest: sha256",
		"by size":      csv + "shards: {size: 300KB}",
		"jsonl":        "source:\n  jsonl: {files: d.jsonl}\nseed: 7\nshards: 2",
		"empty shards": "source:\n  csv: {files: few.csv.gz}\nshards: 5",
		"many sources": "sources:\n- name: one\n  csv: {files: more/*.csv}\n- name: two\n  split: {column: part}\n  " +
			"csv: {files: more/*.gz}\n- split: dev\n  jsonl: {files: d.jsonl}\norder: source\nshards: 2",
	}) {
		t.Run(name, func(t *testing.T) {
			sameEveryWay(t, load(t, dir, "name: d\noutput: out\n"+text+tableFeatures))
		})
	}
	t.Run("text", func(t *testing.T) {
		sameEveryWay(t, load(t, dir,
			"name: d\noutput: out\nsource:\n  text: {files: [a.csv, more/c.csv.gz], skip_blank: true}\nfeatures: "+
				"{text: string, \"@file\": {classes: auto}}\nshards: 2\n"))
	})
	tree := "folder: {dir: pics}\n"
	files := "features:\n  content: bytes\n  class: {classes: auto}\nshards: 2\n"
	t.Run("files", func(t *testing.T) {
		sameEveryWay(t, load(t, dir, "name: d\noutput: out\nsource:\n  "+tree+files))
	})
	t.Run("files and tables", func(t *testing.T) {
		sameEveryWay(t, load(t, dir,
			"name: d\noutput: out\nsources:\n- "+tree+"- csv: {files: a.csv}\n  rename: {text: content, part: class}\n"+
				strings.Replace(files, "content: bytes", "content: {type: bytes, missing: omit}", 1)))
	})
}

// TestArchivesEveryWay builds datasets of archives, also compressed ones, in the same ways: the
// shards are the same.
func TestArchivesEveryWay(t *testing.T) {
	n := testenv.Times(100, 3000, 3000)
	half := tarOf(t, 0, n/2)
	dir := testenv.Directory(t, map[string]string{
		"plain/a.tar": half, "plain/b.tar": tarOf(t, n/2, n), "packed/a.tar.gz": filetest.Gzip(half),
		"packed/b.tar": tarOf(t, n/2, n), "a.zip": zipOf(t, n), "texts.csv": "id,text\n1,one\n2,two\n",
	})
	t.Run("zip", func(t *testing.T) {
		sameEveryWay(t, load(t, dir,
			"name: d\noutput: out\nsource:\n  zip: {files: a.zip}\nfeatures:\n  content: bytes\n  class: {classes: "+
				"auto, missing: omit}\nshards: 2\n"))
	})
	want := ""
	for _, directory := range []string{"plain", "packed"} {
		for i, more := range []string{"shards: 3\nsplit: {fractions: {train: 80%, test: 20%}, by: class}",
			"order: source\nshards: 2", "join: [{csv: {files: texts.csv}, on: {cls: id}}]"} {
			text := "name: d\noutput: out\nsource:\n  tar: {files: \"" + directory +
				"/*.tar*\"}\nfeatures:\n  id: {type: int64, from: json.id}\n  cls: {classes: auto}\n  data: {type: " +
				"bytes, from: bin, missing: omit}\n  key: bytes\n"
			cfg := load(t, dir, text+more)
			t.Run(fmt.Sprint(directory, i), func(t *testing.T) { sameEveryWay(t, cfg) })
			if i == 0 {
				got := shards(t, cfg, 0)
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%s: other bytes", directory)
				}
			}
		}
	}
}

// tarOf is an archive of rows, some without bytes, with litter between.
func tarOf(t *testing.T, from, to int) string {
	w := filetest.NewTar(t)
	r := rand.New(rand.NewPCG(5, uint64(from)))
	for i := from; i < to; i++ {
		key := fmt.Sprintf("%c/%04d", 'a'+i%7, i)
		w.Add(key+".json", fmt.Sprintf(`{"id": %d}`, i))
		if i%5 > 0 {
			w.Add(key+".bin", strings.Repeat("b", r.IntN(3000)))
		}
		if i%11 == 0 {
			w.Add("._litter", "")
		}
		w.Add(key+".cls", fmt.Sprintln(i%3))
	}
	return w.Finish()
}

// zipOf is an archive of n rows, every other one deflated.
func zipOf(t *testing.T, n int) string {
	w := filetest.NewZip(t)
	r := rand.New(rand.NewPCG(6, 7))
	for i := range n {
		h := &zip.FileHeader{Name: fmt.Sprintf("%c/%d.bin", 'a'+i%5, i), Method: []uint16{zip.Store, zip.Deflate}[i%2]}
		w.AddHeader(h, strings.Repeat("z", r.IntN(2)*r.IntN(3000)))
	}
	return w.Finish()
}

// TestPartitionsAreRepartitioned has so little memory that partitions are partitioned again
// several times, down to rows of one key.
func TestPartitionsAreRepartitioned(t *testing.T) {
	n := testenv.Times(1_000, 30_000, 30_000)
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(n), "a.csv.gz": filetest.Gzip(rowsCSV(n))})
	for i, text := range []string{"shards: 3", "order: source\nshards: 3", "order_key: user\nshards: 3",
		"set: {k: same}\norder_key: k", "limit: {train: {rows: 900, per: user}}\nset: {k: same}\norder_key: k"} {
		if i%testenv.Times(2, 1, 1) != 0 {
			continue
		}
		var want string
		for _, file := range []string{"a.csv", "a.csv.gz"} {
			cfg := load(t, dir, "name: d\noutput: out\nsource:\n  csv: {files: "+file+"}\n"+text+tableFeatures)
			for _, limit := range []int64{0, int64(10 * n / 3), int64(30 * n)} {
				got := shards(t, cfg, limit)
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%s, %s, parts of %d: other bytes", text, file, limit)
				}
			}
		}
	}
}

// shards builds cfg with partitions of at most limit bytes and returns a digest of the shards. The
// metadata is not included: it names the input file, which differs.
func shards(t *testing.T, cfg *config.Config, limit int64) string {
	t.Helper()
	w := way{workers: 2, memory: plenty}
	run := w.run(t.TempDir() + "/out")
	run.runLimit = limit
	if limit > 0 {
		run.Memory = 0
	}
	if _, err := Build(t.Context(), cfg, run); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, l := range strings.Split(tree(t, run.Output), "\n") {
		if strings.HasPrefix(l, "/train-") {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		t.Fatal("no shards")
	}
	return strings.Join(lines, "\n")
}

// TestTasksOfArchives builds datasets of archives by tasks that share only a directory: the bytes
// are those of one process.
func TestTasksOfArchives(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"a.tar": tarOf(t, 0, 60), "b.tar.gz": filetest.Gzip(tarOf(t, 60, 150)), "a.zip": zipOf(t, 60),
		"z/b.zip": zipOf(t, 90),
	})
	for name, source := range map[string]string{
		"tar": "tar: {files: \"*.tar*\"}\nfeatures: {id: {type: int64, from: json.id}, cls: {classes: auto}, bin: " +
			"{type: bytes, missing: omit}}\n",
		"zip": "zip: {files: \"**/*.zip\"}\nfeatures: {content: {}, class: {classes: auto}, path: bytes}\n",
	} {
		text := "name: d\noutput: out\nshards: 3\nsource:\n  " + source
		want := tree(t, mustBuild(t, load(t, dir, text), ways[0]))
		run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")}
		w := filepath.Join(t.TempDir(), "w")
		if _, err := PlanTasks(t.Context(), load(t, dir, text), run, w); err != nil {
			t.Fatal(err)
		}
		for _, phase := range Phases() {
			if err := oneTask(t, w, phase); err != nil {
				t.Fatalf("%s, %s: %v", name, phase, err)
			}
		}
		if got := tree(t, run.Output); got != want {
			t.Errorf("%s: other bytes:\n%s\nwant\n%s", name, got, want)
		}
	}
}
