package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/dataset/provenance"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/store"
	"tfr-build/internal/store/storetest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
)

// statementIn returns the statement of a dataset. It checks that its subject is every other file.
func statementIn(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, provenance.Name))
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := provenance.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == provenance.Name {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		sum := sha256.Sum256(data)
		found[name] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Subject {
		if found[f.Name] != f.Digest.SHA256 {
			t.Errorf("%s: the statement has %s, the file %s", f.Name, f.Digest.SHA256, found[f.Name])
		}
		delete(found, f.Name)
	}
	if len(found) > 0 {
		t.Errorf("not in the statement: %v", found)
	}
	return string(data)
}

// TestStatementEveryWay builds each config in two directories, with 1 and 8 workers, in little memory, by tasks,
// resumed, and in a bucket. The statements are equal, and no path is in them.
func TestStatementEveryWay(t *testing.T) {
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	buckettest.Env(t, g.URL)
	dir := bucketInput(t)
	upload(t, dir, "s3://data/in")
	moved := filepath.Join(t.TempDir(), "elsewhere", "in")
	if err := os.CopyFS(moved, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	names := map[string]string{"gzip": "", "images": "", "join": "", "load": "", "classes": "", "zip": "",
		"pattern": "", "webdataset": ""}
	if testenv.Exhaustive() {
		names = ofBuckets
	}
	for name := range testenv.Some(0, 3, names) {
		if strings.Contains("tfrecord zlib", name) {
			continue // their input is not made here
		}
		t.Run(name, func(t *testing.T) {
			in := func(dir string) *config.Config {
				return load(t, filepath.Dir(dir), bucketConfig(name, dir)+"provenance: true\nshards: 2\n")
			}
			want := statementIn(t, mustBuild(t, in(dir), way{1, plenty, 0}))
			for _, path := range []string{dir, filepath.Dir(dir), "/tmp", "s3://", g.URL, buckettest.AccessKey,
				buckettest.SecretKey} {
				if strings.Contains(want, path) {
					t.Errorf("the statement has %s:\n%s", path, want)
				}
			}
			same := func(how, got string) {
				t.Helper()
				if got != want {
					t.Errorf("%s: got\n%s\nwant\n%s", how, got, want)
				}
			}
			same("8 workers, elsewhere", statementIn(t, mustBuild(t, in(moved), way{8, plenty, 0})))
			same("little memory", statementIn(t, mustBuild(t, in(dir), way{2, 0, 777})))
			run := Run{Workers: 2, Memory: plenty, Output: filepath.Join(t.TempDir(), "out")}
			if err := buildByTasks(t, in(moved), run); err != nil {
				t.Fatal(err)
			}
			same("tasks", statementIn(t, run.Output))
			run.Output = filepath.Join(t.TempDir(), "out")
			_ = stopAfter(t, in(dir), run, 40)
			if _, err := Build(t.Context(), in(dir), run); err != nil {
				t.Fatal(err)
			}
			same("resumed", statementIn(t, run.Output))
			for _, tasks := range []int{0, 5} {
				same("in a bucket", statementIn(t, builtInBucket(t, g, in("s3://data/in"), fmt.Sprint(name, tasks),
					tasks)))
			}
		})
	}
}

// TestProvenanceReadsObjectsOnce counts the requests for objects: they are hashed while they are read. Objects that are
// read by ranges are the exception: Parquet, XML, and tables that are grouped.
func TestProvenanceReadsObjectsOnce(t *testing.T) {
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	buckettest.Env(t, g.URL)
	upload(t, bucketInput(t), "s3://data/in")
	p := g.Proxy(t)
	buckettest.Env(t, p.URL)
	names := maps.Clone(ofBuckets)
	for _, name := range []string{"parquet", "xml", "grouped", "tfrecord", "zlib"} {
		delete(names, name) // the input of the last two is not made here
	}
	if !testenv.Exhaustive() {
		names = map[string]string{"load": "", "classes": ""}
	}
	for name := range testenv.Some(0, 1, names) {
		requests := func(key string) int {
			p.Reset()
			builtInBucket(t, g, load(t, t.TempDir(), bucketConfig(name, "s3://data/in")+key), name+"-"+key[:4], 0)
			return p.Count("GET", "/in/")
		}
		if with, without := requests("provenance: true\n"), requests("shards: 1\n"); with != without {
			t.Errorf("%s: %d requests with provenance, %d without", name, with, without)
		}
	}
}

// TestStatementOfVersions builds three versions with a link, and keeps two of them: their statements are equal to the
// statements of builds without link and keep. A rebuild through the link proves the version that it names.
func TestStatementOfVersions(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "id\n1\n2\n"})
	text := func(version int) string {
		return fmt.Sprintf("name: d\nversion: %d.0.0\nsource: {csv: a.csv}\nfeatures: {id: int64}\nprovenance: true\n",
			version)
	}
	run := Run{Workers: 2, Memory: plenty}
	for version := range 3 {
		cfg := load(t, dir, text(version)+"output: 'out/{version}'\nlink: current\nkeep: 2\n")
		if _, err := Build(t.Context(), cfg, run); err != nil {
			t.Fatal(err)
		}
		want := statementIn(t, mustBuild(t, load(t, dir, text(version)+"output: other\n"), ways[0]))
		if got := statementIn(t, filepath.Join(dir, "out/current")); got != want {
			t.Errorf("version %d: got\n%s\nwant\n%s", version, got, want)
		}
		if done, list := rebuilt(t, cfg, run, filepath.Join(dir, "out/current"), RebuildOptions{}); list != nil ||
			done.Records != 2 {
			t.Errorf("version %d: %+v %q", version, done, list)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "out/[0-9c]*")); err != nil || len(left) != 3 {
		t.Errorf("%v: %q, expected two versions and the link", err, left)
	}
}

// TestStatementOfHostileNames has files whose names are no JSON, or look like paths.
func TestStatementOfHostileNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"in/a\xff%/b\n1.txt", "in/a/<&>\u2028.txt", "in/a..b/c..txt", "labels/\"x\".txt",
		"side/x.txt"} {
		testenv.Put(t, filepath.Join(dir, name), "x\n")
	}
	cfg := load(t, filepath.Join(dir, "sub"), "name: d\noutput: out\nsource: {folder: {dir: ../in}}\nprovenance: "+
		"true\nfeatures: {content: bytes, class: {classes: '"+dir+"/labels/\"x\".txt', missing: {default: x}, from: "+
		"none}}\nset: {none: x}\njoin: {text: {files: ['"+dir+"/side/x.txt']}, on: {none: text}}\n")
	text := statementIn(t, mustBuild(t, cfg, way{2, plenty, 0}))
	want := "a..b/c..txt|a/<&>\u2028.txt|a%FF%25/b%0A1.txt|\"x\".txt|x.txt"
	if got := strings.Join(inputsOf(t, text), "|"); got != want || strings.Contains(text, dir) {
		t.Errorf("%s, expected %s", got, want)
	}
}

// TestStatementOfHostileObjects has objects with such names, in a store that asks for credentials in its config.
func TestStatementOfHostileObjects(t *testing.T) {
	objects := &storetest.Memory{}
	for _, name := range []string{"%2e%2e/%41.txt", "../../etc/passwd", "./x.txt", "//x.txt", "a\n\x1b[31m\u0085.txt",
		"b\xff.txt"} {
		_, err := objects.Put(t.Context(), "s3://data/in/"+name, strings.NewReader("x\n"), 2, store.Condition{})
		if err != nil {
			t.Fatal(err)
		}
	}
	cfg := load(t, t.TempDir(), "name: d\noutput: out\nsource: {folder: {dir: s3://data/in}}\nprovenance: true\n"+
		"features: {path: bytes}\nstore: {s3: {endpoint: 'https://secret.example.org', region: secret-1}}\n")
	run := Run{Workers: 2, Memory: plenty, Output: filepath.Join(t.TempDir(), "out"),
		Storage: store.OS().With("s3", objects)}
	if _, err := Build(t.Context(), cfg, run); err != nil {
		t.Fatal(err)
	}
	text := statementIn(t, run.Output)
	const want = "%252e%252e/%2541.txt|a%0A%1B[31m%C2%85.txt|b%FF.txt" // names that are no paths are not listed
	if got := strings.Join(inputsOf(t, text), "|"); got != want || strings.Contains(text, "secret") {
		t.Errorf("%s, expected %s:\n%s", got, want, text)
	}
	if done, list := rebuilt(t, cfg, run, run.Output, RebuildOptions{}); list != nil || done.Records != 3 {
		t.Errorf("%+v %q", done, list)
	}
}

// inputsOf returns the names of the inputs in a statement.
func inputsOf(t *testing.T, statement string) (names []string) {
	t.Helper()
	s, _, err := provenance.Parse([]byte(statement))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Predicate.Definition.Inputs {
		names = append(names, r.Name)
	}
	return names
}

// TestVariablesInStatement checks that the statement has the names of variables, and not their values.
func TestVariablesInStatement(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "id\n1\n"})
	env := func(name string) (string, bool) {
		return map[string]string{"DATA": dir, "SEED": "7"}[name], name != "UNSET"
	}
	cfg, err := config.Parse(filepath.Join(dir, "c.yaml"),
		[]byte("name: d\noutput: '${DATA}/out'\nsource: {csv: '${DATA}/${UNSET:-a.csv}'}\n"+
			"seed: ${SEED}\nfeatures: {id: int64}\nprovenance: true\n"), env)
	if err != nil {
		t.Fatal(err)
	}
	text := statementIn(t, mustBuild(t, cfg, way{1, plenty, 0}))
	if !strings.Contains(text, `"variables":["DATA","SEED","UNSET"]`) || strings.Contains(text, dir) {
		t.Error(text)
	}
}

// TestVerifyStatement changes a statement, or the dataset: verify names the file.
func TestVerifyStatement(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "id\n1\n"})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: a.csv}\nfeatures: {id: int64}\nprovenance: true\n")
	out := mustBuild(t, cfg, way{1, plenty, 0})
	name := filepath.Join(out, provenance.Name)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	damages := func() (list []string) {
		_, err := dataset.Verify(t.Context(), out,
			dataset.VerifyOptions{Report: func(d *dataset.DamageError) { list = append(list, d.Error()) }})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if list := damages(); list != nil {
		t.Fatal(list)
	}
	step := testenv.Times(37, 1, 1)
	for bit := testenv.First(len(t.Name()), step); bit < 8*len(data); bit += step {
		data[bit/8] ^= 1 << (bit % 8)
		testenv.Put(t, name, string(data))
		if list := damages(); len(list) != 1 || !strings.Contains(list[0], provenance.Name) {
			t.Fatalf("bit %d: %q", bit, list)
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if list := damages(); len(list) != 1 || !strings.Contains(list[0], provenance.Name) {
		t.Errorf("removed: %q", list)
	}
	if result, err := Build(t.Context(), cfg, Run{Workers: 1, Memory: plenty, Output: out,
		Overwrite: true}); err != nil || result.UpToDate {
		t.Errorf("a dataset without its statement is up to date: %v", err)
	}
}
