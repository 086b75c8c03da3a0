package pipeline

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/bucket"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/filetest"
	"tfr-build/internal/parquettest"
	"tfr-build/internal/store"
	"tfr-build/internal/store/storetest"
	"tfr-build/internal/testenv"
)

// ofBuckets has configs with input in DIR, for each source type and each way to name files.
var ofBuckets = map[string]string{
	"csv":      `source: {csv: {files: DIR/t-1.csv}}`,
	"pattern":  "source: {csv: {files: \"DIR/t-[0-9].csv\"}}\nindex: true",
	"deep":     `source: {csv: {files: "DIR/deep/**/*.csv", root: DIR}}`,
	"list":     `source: {csv: {files: [DIR/t-2.csv, DIR/t-1.csv], root: DIR}}`,
	"gzip":     `source: {csv: {files: "DIR/*.csv.gz"}}`,
	"jsonl":    `source: {jsonl: {files: DIR/t.jsonl}}`,
	"document": "source: {json: {files: DIR/d.json, rows: data.rows}}",
	"shaped": "source: {csv: {files: \"DIR/t-[0-9].csv\"}}\nderive: {half: \"id / 2\"}\nwhere: \"half < " +
		"4000\"\nsample: 70%\nlimit: {train: 3000}\nfeatures: {id: int64, half: float}",
	"deduped": "source: {csv: {files: \"DIR/t-[0-9].csv\"}}\ndedupe: {by: [name]}",
	"grouped": "source: {csv: {files: \"DIR/t-[0-9].csv\"}}\ngroup: {by: name, windows: {length: 4, last: keep}}",
	"photos": "source: {images: {dir: DIR/photos}}\ndedupe: {by: [image]}\nfeatures: {image: {from: image}, path: " +
		"bytes}",
	"text":     "source: {text: {files: DIR/t-1.csv}}\nrecord: {text: text}",
	"latin":    `source: {csv: {files: DIR/t-1.csv, encoding: latin-1}}`,
	"tfrecord": "source: {tfrecord: {files: \"DIR/*.tfrecord\"}}\nrecord: {bytes: record}",
	"zlib":     "source: {tfrecord: {files: DIR/packed.records}}\nrecord: {bytes: record}",
	"npy":      "source: {arrays: {columns: {id: DIR/id.npy, name: DIR/name.npy}, rows: [100, 900]}}",
	"parquet": "source: {parquet: {files: \"DIR/*.parquet\"}, join: [{parquet: {files: DIR/side.pq}, on: " +
		"id}]}\nfeatures: {id: {}, name: {}, half: {type: float, missing: omit}}",
	"npz": `source: {arrays: {columns: {id: "DIR/all.npz#id", name: "DIR/all.npz#name"}}}`,
	"tar": "source: {tar: {files: \"DIR/*.tar\"}}\nfeatures: {id: {type: int64, from: json.id}, key: bytes}",
	"tar.gz": "source: {tar: {files: DIR/packed.tar.gz}}\nfeatures: {id: {type: int64, from: json.id}, bin: {type: " +
		"bytes, missing: omit}}",
	"zip": "source: {zip: {files: DIR/all.zip}}\nfeatures: {content: {}, path: bytes}",
	"images": "source: {images: {dir: DIR/photos, class_per_file: DIR/labels.txt}}\nfeatures: {image: {from: image}, " +
		"class: bytes, path: bytes}",
	"converted": "source: {images: {dir: DIR/photos, convert: {resize: {short: 16}}}}\nfeatures: {image: {from: " +
		"image}, label: {from: class, classes: auto}}",
	"xml": "source: {xml: {dir: DIR/voc}, join: {xml: {dir: DIR/voc, exclude: [\"b/*\"]}, on: stem, prefix: " +
		"j.}}\nfeatures: {n: {from: a.o.*.n, type: int64}, w: {from: a.@w, type: string}, j: {from: j.a.@w, type: " +
		"string}, path: bytes}",
	"folder": "source: {folder: {dir: DIR/deep, exclude: [\"b/*\"]}}\nfeatures: {content: bytes, path: bytes}",
	"join": "source: {csv: {files: DIR/t-1.csv}}\njoin: [{csv: {files: [DIR/side-1.csv, DIR/side-2.csv]}, on: " +
		"name}]\nfeatures: {id: int64, more: {type: bytes, missing: {default: none}}}",
	"tables": "source: {csv: {files: DIR/t-1.csv}, set: {one: a, two: b}}\njoin: [{text: {files: " +
		"\"DIR/side-*.csv\"}, from_path: \"side-{n}.csv\", derive: {x: '\"a\"', y: '\"b\"'}, where: \"contains(text, " +
		"',')\", on: {one: x, two: y}, many: {sort: n, type: int64}, prefix: s.}]\nderive: {sizes: \"s.text.map(t, " +
		"size(t))\"}\nfeatures: {id: int64, sizes: {type: int64}, n: {from: s.n, type: int64}}",
	"load": "source: {csv: {files: DIR/names.csv}}\nload: {image: {path: \"{file}\", dir: DIR/photos}}\nfeatures: " +
		"{image: {from: image}, file: bytes}",
	"loads": "source: {jsonl: {files: DIR/lists.jsonl}}\nload: {image: {path: \"{files.*}\", dir: " +
		"DIR/photos}}\nfeatures: {image: {}, height: {from: image.height}, files: {type: bytes, shape: [-1]}}",
	"classes": "source: {jsonl: {files: DIR/t.jsonl}}\nfeatures: {name: {classes: {file: DIR/names.txt}}}",
	"webdataset": "source: {jsonl: {files: DIR/t.jsonl}}\nformat: webdataset\nwebdataset: {key: \"{id}\", " +
		"members: {txt: " +
		"name, json: [id]}}\nindex: true",
	"rejects": "source: {csv: {files: DIR/bad.csv}}\non_error: quarantine\nmax_errors: 50%",
}

// bucketInput returns a directory with their input.
func bucketInput(t *testing.T) string {
	files := map[string]string{}
	table := func(from, to int) string {
		var b strings.Builder
		b.WriteString("id,name\n")
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "%d,\"n%d\n, é\"\n", i, i%7)
		}
		return b.String()
	}
	files["t-1.csv"], files["t-2.csv"] = table(0, 5000), table(5000, 9000)
	files["deep/a/1.csv"], files["deep/b/2.csv"], files["deep/.hidden/3.csv"] = table(0, 100), table(100, 200),
		table(0, 1)
	files["voc/a/1.xml"], files["voc/b/2.xml"] = "<a w='x'><o><n>1</n></o><o><n>2</n></o></a>", "<?xml version='1.0' "+
		"encoding='latin1'?><a w='\xe9'/>"
	files["voc/c/2.xml"] = "<a w='y'/>"
	files["a.csv.gz"] = filetest.Gzip(table(0, 3000))
	files["bad.csv"] = table(0, 100) + "x\n" + table(100, 120)
	var lines, names, classes, labels, ids, texts strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&lines, `{"id": %d, "name": "n%d"}`+"\n", i, i)
		ids.Write([]byte{byte(i), byte(i >> 8), 0, 0, 0, 0, 0, 0})
		fmt.Fprintf(&texts, "n%03d", i)
		fmt.Fprintf(&classes, "n%d\n", i)
	}
	files["t.jsonl"] = lines.String()
	files["d.json"] = `{"data": {"rows": [` + strings.Join(strings.Split(strings.TrimSpace(lines.String()), "\n"),
		", ") + `]}}`
	files["id.npy"], files["name.npy"] = filetest.NPY("<i8", "(1000,)", ids.String()), filetest.NPY("|S4", "(1000,)",
		texts.String())
	numbers, named, halves := make([]int64, 5000), make([]string, 5000), make([]float64, 5000)
	for i := range numbers {
		numbers[i], named[i], halves[i] = int64(i), fmt.Sprint("row ", i), float64(i)/2
	}
	of, half := parquettest.Column{Name: "id", Values: numbers}, parquettest.Column{Name: "half", Values: halves}
	files["all.parquet"] = string(parquettest.File(700, of, parquettest.Column{Name: "name", Values: named}))
	files["side.pq"] = string(parquettest.File(1000, of, half))
	files["all.npz"] = archive(t, files, "id.npy", "name.npy")
	files["1.tar"], files["packed.tar.gz"], files["all.zip"] = tarOf(t, 0, 300), filetest.Gzip(tarOf(t, 0, 200)),
		zipOf(t, 300)
	files["side-1.csv"], files["side-2.csv"] = "name,more\n\"n1\n, é\",one\n", "name,more\n\"n2\n, é\",two\n"
	files["names.txt"] = classes.String()
	names.WriteString("file\n")
	photos := filepath.Join("..", "testdata", "photos")
	for _, name := range []string{"portrait/Portrait_2.jpg", "portrait/Portrait_7.jpg", "landscape/Landscape_3.jpg"} {
		data, err := os.ReadFile(filepath.Join(photos, name))
		if err != nil {
			t.Fatal(err)
		}
		files["photos/"+name] = string(data)
		fmt.Fprintf(&names, "%s\n", name)
		fmt.Fprintf(&labels, "label\n")
	}
	list := strings.ReplaceAll(strings.TrimSpace(names.String()[len("file\n"):]), "\n", `", "`)
	files["lists.jsonl"] = strings.Repeat(`{"files": ["`+list+`"]}`+"\n", 12) + `{"files": []}` + "\n"
	files["names.csv"], files["labels.txt"] = names.String(), labels.String()
	dir := filepath.Join(t.TempDir(), "in") // a directory is part of a dataset by its last name
	for name, text := range files {
		testenv.Put(t, filepath.Join(dir, name), text)
	}
	return dir
}

// archive writes a zip archive of files; only the first is compressed.
func archive(t *testing.T, files map[string]string, names ...string) string {
	t.Helper()
	w := filetest.NewZip(t)
	for i, name := range names {
		add := w.Store
		if i == 0 {
			add = w.Add
		}
		add(name, files[name])
	}
	return w.Finish()
}

// upload copies a directory into a bucket.
func upload(t testing.TB, dir, to string) {
	t.Helper()
	c, err := bucket.New(bucket.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	u, _, err := bucket.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			_, err = c.Put(context.Background(), u.Join(strings.TrimPrefix(path, dir+"/")), bytes.NewReader(data),
				int64(len(data)), bucket.Terms{})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestBuckets builds datasets from files in a bucket, with the bytes of builds from local copies.
func TestBuckets(t *testing.T) {
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	buckettest.Env(t, g.URL)
	dir := bucketInput(t)
	records := mustBuild(t, load(t, dir, bucketConfig("csv",
		dir)+"\nshards: {filename: \"{SPLIT}-{SHARD_X_OF_Y}\", count: 2}"), ways[1])
	for i, name := range []string{"train-00000-of-00002", "train-00001-of-00002"} {
		data, err := os.ReadFile(filepath.Join(records, name))
		if err != nil {
			t.Fatal(err)
		}
		testenv.Put(t, filepath.Join(dir, fmt.Sprintf("%d.tfrecord", i)), string(data))
		if i == 0 {
			testenv.Put(t, filepath.Join(dir, "packed.records"), filetest.Gzip(string(data)))
		}
	}
	upload(t, dir, "s3://data/in")
	// which no store knows an ETag of
	if err := os.CopyFS(filepath.Join(g.Dir, "data/there/in"), os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	zipped := zipStore(t, dir)
	nth := 1
	if testing.Short() { // with the race detector, this test took a quarter of the time of the package
		nth = 3
	}
	names := slices.Sorted(maps.Keys(ofBuckets))
	for i := testenv.First(0, nth); i < len(names); i += nth {
		name := names[i]
		t.Run(name, func(t *testing.T) {
			want := tree(t, mustBuild(t, load(t, dir, bucketConfig(name, dir)), ways[1]))
			want = strings.ReplaceAll(want, dir, "s3://data/in")
			there := load(t, t.TempDir(), bucketConfig(name, "s3://data/in"))
			for _, w := range []way{ways[1], ways[5]} { // in memory, and streamed
				if got := tree(t, mustBuild(t, there, w)); got != want {
					t.Errorf("%+v: got\n%s\nwant\n%s", w, got, want)
				}
			}
			there = load(t, t.TempDir(), bucketConfig(name, "s3://data/there/in"))
			if got := strings.ReplaceAll(tree(t, mustBuild(t, there, ways[1])), "data/there/in",
				"data/in"); got != want {
				t.Errorf("without ETags: got\n%s\nwant\n%s", got, want)
			}
			if !testenv.Exhaustive() && !strings.Contains("csv images join load parquet", name) {
				return
			}
			output := filepath.Join(t.TempDir(), "out")
			run := ways[1].run(output)
			run.Storage = store.OS().With("s3", zipped)
			if _, err := Build(t.Context(), load(t, t.TempDir(), bucketConfig(name, "s3://data/in")), run); err != nil {
				t.Fatal(err)
			}
			if got := tree(t, output); got != want {
				t.Errorf("from a zip archive: got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// zipStore is a store that only tests have: it reads s3://data/in from a zip archive of a directory.
func zipStore(t *testing.T, dir string) storetest.Zip {
	t.Helper()
	w := filetest.NewZip(t)
	if err := w.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	data := w.Finish()
	r, err := zip.NewReader(strings.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return storetest.Zip{Reader: r, Root: "s3://data/in/"}
}

// TestFailingStore builds from a store with one failing operation after another: each build fails
// and publishes nothing.
func TestFailingStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "in")
	testenv.Put(t, filepath.Join(dir, "t-1.csv"), "id,name\n1,a\n2,b\n")
	testenv.Put(t, filepath.Join(dir, "side-1.csv"), "name,more\na,one\n")
	testenv.Put(t, filepath.Join(dir, "side-2.csv"), "name,more\nb,two\n")
	cfg := load(t, t.TempDir(), bucketConfig("join", "s3://data/in"))
	broken := errors.New("broken")
	for n := 0; ; n++ {
		failing := storetest.NewFailing(zipStore(t, dir), func(i int, op storetest.Op) error {
			if i == n {
				return broken
			}
			return nil
		})
		run := ways[1].run(filepath.Join(t.TempDir(), "out"))
		run.Storage = store.OS().With("s3", failing)
		_, err := Build(t.Context(), cfg, run)
		ops := failing.Ops()
		if len(ops) <= n {
			if err != nil || n == 0 {
				t.Errorf("%d operations: %v", n, err)
			}
			return
		}
		_, missing := os.Lstat(run.Output)
		if closes := ops[n].Kind == "close"; !closes && (!errors.Is(err, broken) || missing == nil) ||
			closes && err != nil && !errors.Is(err, broken) {
			t.Errorf("operation %d of %d, %v, fails: %v", n, len(ops), ops[n], err)
		}
	}
}

// TestInputWithoutETags has files that existed before a gateway was started over them. Their times
// and sizes decide whether a dataset is up to date.
func TestInputWithoutETags(t *testing.T) {
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	buckettest.Env(t, g.URL)
	file := filepath.Join(g.Dir, "data/in/t-1.csv")
	testenv.Put(t, file, "id,name\n1,a\n2,b\n")
	cfg := load(t, t.TempDir(), bucketConfig("csv", "s3://data/in"))
	build := func(upToDate bool) {
		t.Helper()
		result, err := Build(t.Context(), cfg, Run{Workers: 2, Memory: MinMemory, Overwrite: true})
		if err != nil || result.UpToDate != upToDate {
			t.Fatalf("%+v, %v", result, err)
		}
	}
	build(false)
	build(true)
	testenv.Put(t, file, "id,name\n1,a\n3,b\n")
	later := time.Now().Add(3 * time.Second)
	if err := os.Chtimes(file, later, later); err != nil {
		t.Fatal(err)
	}
	build(false)
	build(true)
}

func bucketConfig(name, dir string) string {
	text := "name: d\noutput: out\nsplit: train\n" + strings.ReplaceAll(ofBuckets[name], "DIR", dir) + "\n"
	if !strings.Contains(text, "features:") && !strings.Contains(text, "record:") {
		text += "features: {id: int64, name: bytes}\n"
	}
	return text
}
