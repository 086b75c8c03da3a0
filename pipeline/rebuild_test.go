package pipeline

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/dataset/provenance"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
)

// rebuilt rebuilds the dataset in dir, and returns the differences, with the error as the last one.
func rebuilt(t *testing.T, cfg *config.Config, run Run, dir string, opt RebuildOptions) (done *Rebuilt, list []string) {
	t.Helper()
	opt.Report = func(d *dataset.DamageError) { list = append(list, d.Error()) }
	done, err := Rebuild(t.Context(), cfg, run, dir, opt)
	if int64(len(list)) != done.Differences {
		t.Errorf("%d differences reported, %d counted", len(list), done.Differences)
	}
	if err != nil {
		list = append(list, "error: "+err.Error())
	}
	checkNoRebuild(t, dir)
	return done, list
}

// checkNoRebuild checks that no temporary directory is left next to a dataset.
func checkNoRebuild(t *testing.T, dir string) {
	t.Helper()
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "*.rebuild*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), ".*.rebuild*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

const rebuildConfig = `name: d
output: out
source: {csv: {files: "a/*.csv"}, join: {csv: side.csv, on: user}}
split: {train: 80%, test: 20%}
features: {id: int64, x: float, label: {classes: labels.txt}, age: int64}
shards: 3
`

// rebuildInput are the files of rebuildConfig.
func rebuildInput() map[string]string {
	var rows, more strings.Builder
	rows.WriteString("id,x,label,user\n")
	more.WriteString("id,x,label,user\n")
	for i := range 120 {
		to := &rows
		if i >= 100 {
			to = &more
		}
		fmt.Fprintf(to, "%d,%d.5,%s,u%d\n", i, i*7, []string{"cat", "dog"}[i%2], i%3)
	}
	return map[string]string{"a/1.csv": rows.String(), "a/2.csv": more.String(),
		"side.csv": "user,age\nu0,10\nu1,11\nu2,12\n", "labels.txt": "cat\ndog\n"}
}

// TestRebuild rebuilds datasets of all source types and ways: nothing differs.
func TestRebuild(t *testing.T) {
	dir := bucketInput(t)
	for name := range testenv.Some(0, 5, ofBuckets) {
		if strings.Contains("tfrecord zlib", name) {
			continue // their input is not made here
		}
		t.Run(name, func(t *testing.T) {
			for i, more := range []string{"provenance: true\nshards: 3\n", "shards: 2\n"} {
				cfg := load(t, t.TempDir(), bucketConfig(name, dir)+more)
				out := mustBuild(t, cfg, way{2, plenty, 0})
				before := tree(t, out)
				of := 3 - i
				for _, run := range []Run{{Workers: 3, Memory: plenty}, {Workers: 1},
					{Workers: 2, Memory: plenty, Scratch: t.TempDir()}} {
					if done, list := rebuilt(t, cfg, run, out, RebuildOptions{}); list != nil || done.Shards != of ||
						done.Of != of {
						t.Errorf("%s: %+v %q", more, done, list)
					}
					sample := RebuildOptions{Share: 1_000_000, Seed: uint64(i)}
					if done, list := rebuilt(t, cfg, run, out, sample); list != nil || done.Shards != 1 ||
						done.Of != of {
						t.Errorf("%s, 1%%: %+v %q", more, done, list)
					}
				}
				if tree(t, out) != before {
					t.Error("the dataset changed")
				}
			}
		})
	}
}

// TestRebuildNamesFlips flips bits of the inputs, the config, and all files of a dataset: each is named.
func TestRebuildNamesFlips(t *testing.T) {
	for name, more := range map[string]string{
		"records": "",
		"webdataset": "index: true\nformat: webdataset\nwebdataset: {key: \"{id}\", members: {cls: label, " +
			"json: [id, x, age]}}\n",
	} {
		t.Run(name, func(t *testing.T) { nameFlips(t, rebuildConfig+"provenance: true\n"+more, "out", 120) })
	}
	t.Run("append", func(t *testing.T) {
		nameFlips(t, strings.Replace(rebuildConfig, "output: out", "output: 'out/{version}'\nversion: 1.1.0\n"+
			"append: 1.0.0", 1)+
			"provenance: true\n", "out/1.1.0", 20)
	})
}

// nameFlips flips bits of a dataset of a config, and of what it was made from. So many records are made again. With
// append, its base has the first table.
func nameFlips(t *testing.T, text, output string, records int64) {
	dir := testenv.Directory(t, rebuildInput())
	out := filepath.Join(dir, output)
	run := Run{Workers: 2, Memory: plenty}
	appends := strings.Contains(text, "append:")
	parse := func(text string) (*config.Config, error) {
		return config.Parse(filepath.Join(dir, "c.yaml"), []byte(text), func(string) (string, bool) {
			return "", false
		})
	}
	cfg, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if appends {
		later := filepath.Join(dir, "a/2.csv")
		if err := os.Remove(later); err != nil {
			t.Fatal(err)
		}
		before, err := parse(strings.Replace(text, "1.1.0", "1.0.0", 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Build(t.Context(), before, run); err != nil {
			t.Fatal(err)
		}
		testenv.Put(t, later, rebuildInput()["a/2.csv"])
	}
	if _, err := Build(t.Context(), cfg, run); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(53, uint64(testenv.First(0, 1000)))) // other bits with each commit
	var files []string
	_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, _ error) error {
		if !d.IsDir() && !strings.Contains(name, ".tfr/") && !strings.HasPrefix(name, "out/1.0.0") {
			files = append(files, name)
		}
		return nil
	})
	files = append(files, "c.yaml", "c.yaml", provenance.Name, provenance.Name)
	for n := range testenv.Times(30, 200, 6000) {
		name := files[n%len(files)]
		if strings.HasPrefix(name, "_tfr") {
			name = output + "/" + name
		}
		if name == "c.yaml" {
			changed := []byte(text)
			bit := r.IntN(8 * len(changed))
			changed[bit/8] ^= 1 << (bit % 8)
			now, err := parse(string(changed))
			if err != nil {
				if !strings.Contains(err.Error(), "c.yaml") {
					t.Errorf("bit %d of the config: %v", bit, err)
				}
				continue
			}
			same := bytes.Equal(now.Canonical(func(string) []string { return nil }),
				cfg.Canonical(func(string) []string { return nil }))
			if _, list := rebuilt(t, now, run, out, RebuildOptions{}); (list == nil) != same {
				t.Errorf("bit %d of the config, %q: %q", bit, changed, list)
			}
			continue
		}
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) == 0 { // a shard without records
			continue
		}
		bit := r.IntN(8 * len(data))
		data[bit/8] ^= 1 << (bit % 8)
		testenv.Put(t, path, string(data))
		opt := RebuildOptions{}
		// a sample reads neither all shards nor the input of the base
		if n%3 == 0 && !strings.Contains(name, "-0") && (!appends || name != "a/1.csv") {
			opt = RebuildOptions{Share: 20_000_000, Seed: uint64(n)}
		}
		now, err := parse(text) // its class file is read again
		if err != nil {
			t.Fatal(err)
		}
		_, list := rebuilt(t, now, run, out, opt)
		named := strings.Contains(strings.Join(list, "\n"),
			strings.TrimPrefix(strings.TrimPrefix(name, output+"/"), "a/"))
		if len(list) == 0 || !named {
			t.Errorf("bit %d of %s: %q", bit, name, list)
		}
		data[bit/8] ^= 1 << (bit % 8)
		testenv.Put(t, path, string(data))
	}
	if done, list := rebuilt(t, cfg, run, out, RebuildOptions{}); list != nil || done.Records != records {
		t.Errorf("all is as before: %+v %q", done, list)
	}
}

// TestRebuildNamesFiles adds, removes, and changes files of the inputs, two of which have one name: each is named.
func TestRebuildNamesFiles(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a/1.txt": "one", "a/3.txt": "three", "a/5.txt": "five",
		"l/names": "a\n",
		"m/names": "a\nb\n"})
	text := "name: d\noutput: out\nprovenance: true\nsource: {folder: {dir: a}}\nfeatures:\n  x: " +
		"{from: content, type: string}\n" +
		"  k: {value: a, classes: {file: l/names}}\n  l: {value: a, classes: {file: m/names}}\n"
	out := mustBuild(t, load(t, dir, text), way{2, plenty, 0})
	testenv.Put(t, filepath.Join(dir, "a/0.txt"), "zero")
	testenv.Put(t, filepath.Join(dir, "a/5.txt"), "FIVE")
	testenv.Put(t, filepath.Join(dir, "a/7.txt"), "seven")
	testenv.Put(t, filepath.Join(dir, "m/names"), "a\nc\n")
	if err := os.Remove(filepath.Join(dir, "a/3.txt")); err != nil {
		t.Fatal(err)
	}
	_, list := rebuilt(t, load(t, dir, text), Run{Workers: 2, Memory: plenty}, out, RebuildOptions{})
	wants := []string{"names of features.l.classes changed", "0.txt of source is new", "3.txt of source is missing",
		"5.txt of source changed", "7.txt of source is new", "another config: features.l.classes.names[1]: b → c"}
	if len(list) != len(wants) {
		t.Fatalf("%q", list)
	}
	for i, want := range wants {
		if !strings.Contains(list[i], want) {
			t.Errorf("%q, want %s", list[i], want)
		}
	}
}

// TestRebuildMissesStatement removes the statement of a dataset, and its digest from the manifest: a sample, too,
// names it.
func TestRebuildMissesStatement(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "id\n1\n"})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\nfeatures: {id: int64}\nprovenance: true\n")
	out := mustBuild(t, cfg, way{1, plenty, 0})
	records, err := dataset.OpenDataset(store.OS(), out)
	if err != nil {
		t.Fatal(err)
	}
	records.Manifest.Provenance = ""
	sealed, err := records.Manifest.Seal()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range sealed {
		testenv.Put(t, filepath.Join(out, f.Name), string(f.Data))
	}
	if err := os.Remove(filepath.Join(out, provenance.Name)); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []RebuildOptions{{}, {Share: 1_000_000}} {
		_, list := rebuilt(t, cfg, Run{Workers: 1, Memory: plenty}, out, opt)
		if len(list) != 1 || !strings.Contains(list[0], "the manifest no digest of a statement") {
			t.Errorf("%q", list)
		}
	}
}

// TestRebuildNamesDamagedInputs changes compressed files, so that the sources cannot be opened: the statement names the
// file that changed, and nothing else is an error.
func TestRebuildNamesDamagedInputs(t *testing.T) {
	packed := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, err := z.Write([]byte(text))
		if err = cmp.Or(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	dir := testenv.Directory(t, map[string]string{"a.csv.gz": packed("id,u\n1,x\n"), "b.csv.gz": packed("id,u\n2,x\n"),
		"side.csv.gz": packed("u,age\nx,3\n")})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: '[ab].csv.gz'}, join: {csv: side.csv.gz, on: "+
		"u}}\nfeatures: {id: int64, age: int64}\nprovenance: true\n")
	out := mustBuild(t, cfg, way{1, plenty, 0})
	for name, key := range map[string]string{"a.csv.gz": "source.csv", "side.csv.gz": "source.join[0].csv"} {
		edit(t, filepath.Join(dir, name), "\x1f\x8b\x08", "\x1f\x8b\x09")
		want := "the input " + name + " of " + key + " changed, or is new"
		_, list := rebuilt(t, cfg, Run{Workers: 2, Memory: plenty}, out, RebuildOptions{})
		if len(list) != 1 || !strings.Contains(list[0], want) {
			t.Errorf("%q, expected %s", list, want)
		}
		edit(t, filepath.Join(dir, name), "\x1f\x8b\x09", "\x1f\x8b\x08")
	}
}

// TestRebuildNamesWarnings adds a file that is not an input, and removes it: the warning about it is named.
func TestRebuildNamesWarnings(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a/1.txt": "one"})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {folder: {dir: a, extensions: [txt]}}\nfeatures: {path: "+
		"bytes}\nprovenance: true\n")
	run, other := Run{Workers: 1, Memory: plenty, Overwrite: true, Fresh: true}, filepath.Join(dir, "a/2.md")
	for _, want := range []string{"it does not have the warning", "it has the warning"} {
		if _, err := Build(t.Context(), cfg, run); err != nil {
			t.Fatal(err)
		}
		if want == "it has the warning" {
			if err := os.Remove(other); err != nil {
				t.Fatal(err)
			}
		} else {
			testenv.Put(t, other, "two")
		}
		_, list := rebuilt(t, cfg, run, filepath.Join(dir, "out"), RebuildOptions{})
		if len(list) != 2 || !strings.Contains(list[0], want+` "1 file of another extension skipped"`) {
			t.Errorf("%q", list)
		}
	}
}

// TestRebuildNamesRecords changes something, without a statement: the first record that differs is named, with its row.
func TestRebuildNamesRecords(t *testing.T) {
	for _, test := range []struct {
		name, config, want string
		change             func(t *testing.T, dir string)
	}{
		{"a value", "", "it is not the record that 1.csv:52", func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "a/1.csv"), "\n50,350.5,", "\n50,351.5,")
		}},
		{"a lookup table", "", "the input, the program, or the shard is another one", func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "side.csv"), "u1,11", "u1,12")
		}},
		{"a class file", "", "_tfr/config.yaml: c.yaml is another config: ", func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "labels.txt"), "dog", "eel")
		}},
		{"the seed", "seed: 8\n", "c.yaml is another config: seed: 0 → 8", nil},
		{"an invalid row", "", "error: the dataset cannot be made again: ", func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "a/1.csv"), "\n50,350.5,", "\n50,x,")
		}},
		{"bytes after a shard", "", "make no record here; the shard was changed", func(t *testing.T, dir string) {
			name := filepath.Join(dir, "out/train-00000-of-00003")
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			testenv.Put(t, name, string(data)+"x")
		}},
		{"a row more", "", "2.csv:22", func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "a/2.csv"), "\n119,", "\n118,1.5,cat,u0\n119,")
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := testenv.Directory(t, rebuildInput())
			out := filepath.Join(dir, "out")
			run := Run{Workers: 2, Memory: plenty}
			if _, err := Build(t.Context(), load(t, dir, rebuildConfig), run); err != nil {
				t.Fatal(err)
			}
			if test.change != nil {
				test.change(t, dir)
			}
			for _, run := range []Run{run, {Workers: 3}} {
				_, list := rebuilt(t, load(t, dir, rebuildConfig+test.config), run, out, RebuildOptions{})
				if !strings.Contains(strings.Join(list, "\n"), test.want) {
					t.Errorf("%q, expected %s", list, test.want)
				}
			}
		})
	}
}

// edit replaces a text of a file once.
func edit(t *testing.T, path, from, to string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), from) {
		t.Fatalf("%s has no %q: %v", path, from, err)
	}
	testenv.Put(t, path, strings.Replace(string(data), from, to, 1))
}

// TestRebuildInBucket rebuilds a dataset in a bucket from inputs in it.
func TestRebuildInBucket(t *testing.T) {
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	buckettest.Env(t, g.URL)
	dir := filepath.Join(t.TempDir(), "in")
	for name, text := range rebuildInput() {
		testenv.Put(t, filepath.Join(dir, name), text)
	}
	upload(t, dir, "s3://data/in")
	text := strings.NewReplacer(`"a/`, `"s3://data/in/a/`, "csv: side", "csv: s3://data/in/side", "classes: labels",
		"classes: s3://data/in/labels").Replace(rebuildConfig)
	cfg := load(t, t.TempDir(), text+"provenance: true\n")
	built := builtInBucket(t, g, cfg, "rebuilt", 0)
	storage := objects.Reach(t.Context(), store.OS(), cfg.Stores())
	defer storage.Close()
	run := Run{Workers: 2, Memory: plenty, Scratch: t.TempDir(), Storage: storage}
	for _, opt := range []RebuildOptions{{}, {Share: 1_000_000}} {
		if done, list := rebuilt(t, cfg, run, "s3://data/rebuilt/out", opt); list != nil || done.Of != 6 {
			t.Errorf("%+v %q", done, list)
		}
	}
	name := filepath.Join(built, "train-00001-of-00003")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	testenv.Put(t, name, string(data))
	if _, list := rebuilt(t, cfg, run, "s3://data/rebuilt/out", RebuildOptions{}); len(list) != 2 ||
		!strings.Contains(list[1], ".csv:") {
		t.Errorf("a changed shard: %q", list)
	}
}

// TestRebuildOfLongName rebuilds a dataset whose name is as long as a build accepts.
func TestRebuildOfLongName(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "id\n1\n"})
	cfg := load(t, dir, "name: d\noutput: "+strings.Repeat("x", 250)+"\nsource: {csv: a.csv}\nfeatures: {id: int64}\n")
	run := Run{Workers: 1, Memory: plenty}
	built, err := Build(t.Context(), cfg, run)
	if err != nil {
		t.Fatal(err)
	}
	if done, list := rebuilt(t, cfg, run, built.Output, RebuildOptions{}); list != nil || done.Records != 1 {
		t.Errorf("%+v %q", done, list)
	}
}

// TestRebuildOfBase makes a version again whose base is missing, or has other shards than the version says.
func TestRebuildOfBase(t *testing.T) {
	const text = "name: d\nversion: %s\noutput: out/{version}\nappend: 1.0.0\nsource: {csv: {files: 'a/*.csv'}}\n" +
		"features: {id: int64}\n"
	run := Run{Workers: 1, Memory: plenty}
	chain := func(first string) (dir, base string) {
		dir = testenv.Directory(t, map[string]string{"a/1.csv": first})
		for n := range 2 {
			r, err := Build(t.Context(), load(t, dir, fmt.Sprintf(text, fmt.Sprintf("1.%d.0", n))), run)
			if err != nil {
				t.Fatal(err)
			}
			if n == 0 {
				testenv.Put(t, filepath.Join(dir, "a/2.csv"), "id\n9\n")
				text, err := os.ReadFile(filepath.Join(r.Output, dataset.ManifestName))
				if err != nil {
					t.Fatal(err)
				}
				base = dataset.ManifestDigest(text)
			}
		}
		return dir, base
	}
	dir, base := chain("id\n7\n")
	other, otherBase := chain("id\n8\n")
	out := filepath.Join(dir, "out/1.1.0")
	cfg := load(t, dir, fmt.Sprintf(text, "1.1.0"))
	fails := func(want string) {
		t.Helper()
		_, list := rebuilt(t, cfg, run, out, RebuildOptions{})
		if got := strings.ReplaceAll(strings.Join(list, "\n"), dir, ""); !strings.Contains(got, want) {
			t.Errorf("%s, expected %s", got, want)
		}
	}
	if err := os.Rename(filepath.Join(dir, "out/1.0.0"), filepath.Join(dir, "aside")); err != nil {
		t.Fatal(err)
	}
	fails("error: the dataset cannot be made again: by _tfr/manifest.json, its first shards are of version 1.0.0 " +
		"with the digest " + base + ", which is not at /out/1.0.0: ")
	if err := os.Rename(filepath.Join(other, "out/1.0.0"), filepath.Join(dir, "out/1.0.0")); err != nil {
		t.Fatal(err)
	}
	fails("the digest of the dataset there is " + otherBase)
	name := filepath.Join(out, dataset.ManifestName)
	edit(t, name, base, otherBase)
	manifest, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	testenv.Put(t, filepath.Join(out, dataset.SuccessName), dataset.ManifestDigest(manifest)+"\n")
	fails("train-00000-of-00002: it is not train-00000-of-00001 of /out/1.0.0")
}
