package pipeline

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"tfr-build/dataset"
	"tfr-build/dataset/provenance"
	"tfr-build/internal/filetest"
	"tfr-build/internal/order"
	"tfr-build/internal/parquettest"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/decide"
	"tfr-build/pipeline/duplicates"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// An appendable is a config whose sources get more files.
type appendable struct {
	config string
	add    func(t *testing.T, r *rand.Rand, n int) map[string]string // more files, by name
	listed bool                                                      // the content equals that of one build
}

// newTable returns a table of some rows, of which a few are invalid.
func newTable(r *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString("id,x,user,part\n")
	for i := range r.IntN(60) {
		x := fmt.Sprint(r.IntN(1000))
		if r.IntN(20) == 0 {
			x = "bad"
		}
		fmt.Fprintf(&b, "%d,%s,u%d,%s\n", n*1000+i, x, r.IntN(9+n),
			[]string{"train", "test", "dev"}[r.IntN(min(3, 1+n))])
	}
	return b.String()
}

func oneTable(_ *testing.T, r *rand.Rand, n int) map[string]string {
	name := fmt.Sprintf("a/%02d-%d.csv", r.IntN(90), n)
	if r.IntN(3) == 0 {
		return map[string]string{name + ".gz": filetest.Gzip(newTable(r, n))}
	}
	return map[string]string{name: newTable(r, n)}
}

// laterTable returns a table that is after the tables of older versions. So of rows that are equal, an old one is
// first.
func laterTable(_ *testing.T, r *rand.Rand, n int) map[string]string {
	return map[string]string{fmt.Sprintf("a/%d-%04d.csv", n, r.IntN(9999)): newTable(r, n)}
}

const appendedTable = "source: {csv: {files: 'a/*'}}\non_error: quarantine\nmax_errors: 100%\n"

func twoSources(t *testing.T, r *rand.Rand, n int) map[string]string {
	files := oneTable(t, r, n)
	files[fmt.Sprintf("b/%d.jsonl", n)] = fmt.Sprintf("{\"id\": %d, \"x\": 2}\n{\"id\": 3, \"x\": %d}\n", n, n)
	return files
}

var appendables = map[string]appendable{
	"fractions": {appendedTable + "split: {train: 70%, test: 30%}\nfeatures: {id: int64, x: float}\nshards: 2\n",
		oneTable, true},
	"folds": {appendedTable + "split: {folds: 3, by: user}\nfeatures: {id: int64, x: float}\norder_key: id\nindex: " +
		"true\n", oneTable, true},
	"column": {appendedTable + "split: {column: part}\nfeatures: {id: int64, x: float}\ncompression: gzip\n", oneTable,
		true},
	"classes": {appendedTable + "features: {id: int64, x: float, user: {classes: auto}}\nshards: {rows: 7}\n", oneTable,
		false},
	"join": {"source: {csv: {files: 'a/*'}, join: {csv: side.csv, on: user}}\nwhere: id % 7 != 0\n" +
		"features: {id: int64, age: {type: int64, missing: omit}}\nshards: {filename: " +
		"'{SPLIT}-{SHARD_X_OF_Y}-{COUNT}', rows: 9}\n",
		oneTable, true},
	"two sources": {"sources: [{csv: {files: 'a/*'}}, {jsonl: {files: 'b/*'}, split: test}]\n" +
		"split: {train: 50%, test: 50%}\n" +
		"features: {id: int64, x: float}\non_error: skip\nmax_errors: 100%\n",
		twoSources, true},
	"one of four sources": {"sources: [{csv: {files: 'a/*'}}, {jsonl: {files: 'b/*'}, join: {csv: side.csv, on: " +
		"user}}, {folder: {dir: pics}, set: {id: '7', x: '1', age: '2'}}, {parquet: {files: 'p/*'}, set: {age: " +
		"'1'}}]\nsplit: {train: 50%, test: 50%}\nfeatures: {id: {type: int64, shape: []}, x: {type: float, shape: " +
		"[]}, age: {type: int64, missing: {default: 0}}}\n",
		func(_ *testing.T, r *rand.Rand, n int) map[string]string {
			number := int64(n)
			all := []map[string]string{
				{fmt.Sprintf("a/%02d-%d.csv", r.IntN(90), n): fmt.Sprintf("id,x,age\n%d,5,\n%d,6,3\n", n, n+1)},
				{fmt.Sprintf("b/%d.jsonl", n): fmt.Sprintf("{\"id\": %d, \"x\": 2, \"user\": \"u%d\"}\n", n, 9*n)},
				{fmt.Sprintf("pics/%d/%d.bin", r.IntN(3), n): "x"},
				{fmt.Sprintf("p/%d.pq", n): string(parquettest.File(2,
					parquettest.Column{Name: "id", Values: []int64{number, 4}},
					parquettest.Column{Name: "x", Values: []float64{1, float64(n)}}))},
			}
			if n > 0 {
				return all[r.IntN(len(all))]
			}
			for _, files := range all[1:] {
				maps.Copy(all[0], files)
			}
			return all[0]
		}, true},
	"files": {"source: {folder: {dir: pics}}\nfeatures: {content: bytes, class: {classes: auto}}\n" +
		"split: {train: 80%, test: 20%}\n",
		func(_ *testing.T, r *rand.Rand, n int) map[string]string {
			files := map[string]string{}
			for i := range 1 + r.IntN(6) {
				files[fmt.Sprintf("pics/%c/%d-%d.bin", 'a'+r.IntN(2+n), r.IntN(9), n*10+i)] = strings.Repeat("x",
					r.IntN(99))
			}
			return files
		}, false},
	"one of six other types": {"sources: [{text: {files: 'w/*'}}, {json: {files: 'j/*', rows: rows}}, {xml: {dir: " +
		"x}}, {images: {dir: i}}, {tfrecord: {files: 'r/*'}}, {zip: {files: 'z/*'}}]\nsplit: {train: 50%, test: " +
		"50%}\nfeatures: {id: {from: '@id', type: string}}\n",
		func(t *testing.T, r *rand.Rand, n int) map[string]string {
			all := []map[string]string{
				{fmt.Sprintf("w/%02d-%d.txt", r.IntN(90), n): strings.Repeat("line\n", 1+r.IntN(9))},
				{fmt.Sprintf("j/%02d-%d.json", r.IntN(90), n): fmt.Sprintf(`{"rows": [{"n": %d}, {"n": 1}]}`, n)},
				{fmt.Sprintf("x/%d/%04d-%d.xml", r.IntN(3), r.IntN(9999), n): fmt.Sprintf("<a><n>%d</n></a>", n)},
				{fmt.Sprintf("i/%d/%04d-%d.png", r.IntN(3), r.IntN(9999), n): pictureOf(t, 3, 1+n)},
				{fmt.Sprintf("r/%02d-%d.tfrecord", r.IntN(90),
					n): string(tfrecord.TFRecord.Append(nil, []byte("\n\x00")))},
				{fmt.Sprintf("z/%02d-%d.zip", r.IntN(90), n): filetest.Zip(t, fmt.Sprint(n, ".txt"), "x",
					"other.txt", "y")},
			}
			if n > 0 {
				return all[r.IntN(len(all))]
			}
			for _, files := range all[1:] {
				maps.Copy(all[0], files)
			}
			return all[0]
		}, true},
	"tar": {"source: {tar: {files: 't/*'}}\nfeatures: {id: {type: int64, from: json.id}, " +
		"data: {type: bytes, from: bin, missing: omit}}\n",
		func(t *testing.T, r *rand.Rand, n int) map[string]string {
			return map[string]string{fmt.Sprintf("t/%02d-%d.tar", r.IntN(90), n): tarOf(t, n*40, n*40+1+r.IntN(30))}
		}, true},
	"provenance": {"provenance: true\n" + appendedTable + "features: {id: int64, x: float}\n", oneTable, true},
	"webdataset": {"format: webdataset\nindex: true\n" + appendedTable + "features: {id: int64, x: float}\n", oneTable,
		true},
	"leakage": {appendedTable + "split: {column: part}\nfeatures: {id: int64, x: float}\nstatistics: false\n" +
		"checks: {leakage: {rows: 3, of: [x], keep_digests: true}}\n", oneTable, true},
	"keys": {appendedTable + "format: webdataset\nwebdataset: {key: '{@id}'}\nfeatures: {id: int64, x: float}\n" +
		"split: {train: 50%, test: 50%}\nshards: 2\n", oneTable, true},
	"dedupe": {appendedTable + "split: {train: 50%, test: 50%}\ndedupe: {by: [x], keep_digests: true}\n" +
		"features: {id: int64, x: float}\n", laterTable, true},
	"strata": {appendedTable + "split: {fractions: {train: 60%, dev: 10%, test: 30%}, stratify: user}\n" +
		"features: {id: int64, x: float}\n", oneTable, false},
	"strata of two sources": {"sources: [{csv: {files: 'a/*'}}, {jsonl: {files: 'b/*'}, split: {folds: 2, " +
		"stratify: x}}]\n" +
		"split: {fractions: {fold_0: 60%, fold_1: 40%}, stratify: part}\nwhere: id % 5 != 1\n" +
		"features: {id: int64, x: float}\non_error: skip\nmax_errors: 100%\norder_key: id\n", twoSources, false},
}

// sideTable returns the lookup table of a config that joins.
func sideTable() string {
	side := "user,age\n"
	for i := range 20 {
		side += fmt.Sprintf("u%d,%d\n", i, 20+i)
	}
	return side
}

// TestAppend builds random histories: versions that append files to the version before, in place, with spilled rows,
// by tasks, and with a run that is killed. All ways have the same files. Each version verifies, has the shards of the
// version before, and has the content of a clean build of all files.
func TestAppend(t *testing.T) {
	side := sideTable()
	names := testenv.Some(0, 4, appendables)
	for name, of := range names {
		const histories = 34
		step := testenv.Times(histories, 6, 1)
		for seed := uint64(testenv.First(0, step)); seed < histories; seed += uint64(step) {
			t.Run(fmt.Sprint(name, seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 54))
				dir := testenv.Directory(t, map[string]string{"side.csv": side})
				outputs := t.TempDir()
				for n := range 2 + r.IntN(testenv.Times(1, 5, 5)) {
					for range 1 + r.IntN(2) {
						for file, text := range of.add(t, r, n) {
							path := filepath.Join(dir, file)
							if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
								t.Fatal(err)
							}
							if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
								t.Fatal(err)
							}
						}
					}
					appendVersion(t, r, dir, outputs, of, n)
				}
			})
		}
	}
}

// appendVersion builds a version in all ways, and checks it.
func appendVersion(t *testing.T, r *rand.Rand, dir, outputs string, of appendable, n int) {
	t.Helper()
	version := fmt.Sprintf("1.%d.0", n)
	text := "name: d\nversion: " + version + "\noutput: out/{version}\n" + of.config
	cfg := load(t, dir, text+"link: current\nappend: current\n")
	run := func(way string) Run {
		return Run{Workers: 1 + r.IntN(7), Memory: plenty, Output: filepath.Join(outputs, way, "{version}")}
	}
	checked := Check(t.Context(), cfg, run("place"))
	planned, err := MakePlan(t.Context(), cfg, run("place"))
	if err = errors.Join(checked, err); err != nil {
		t.Fatal(version, err)
	}
	built, err := Build(t.Context(), cfg, run("place"))
	if err != nil {
		t.Fatal(version, err)
	}
	if planned.Rows != built.RowsWritten {
		t.Errorf("%s: %d rows planned, %d written", version, planned.Rows, built.RowsWritten)
	}
	output := filepath.Join(outputs, "place", version)
	want := tree(t, output)
	spilled := run("spilled")
	spilled.Memory, spilled.Chunk, spilled.runLimit = 0, 777, 20_000
	_, failed := Build(t.Context(), cfg, spilled)
	_ = stopAfter(t, cfg, run("killed"), r.IntN(90)) // the next run finishes it
	_, killed := Build(t.Context(), cfg, run("killed"))
	tasks := run("tasks")
	byTasks := buildByTasks(t, cfg, tasks)
	if err := errors.Join(failed, killed, byTasks); err != nil {
		t.Fatal(version, err)
	}
	for _, way := range []string{"spilled", "killed", "tasks"} {
		if got := tree(t, filepath.Join(outputs, way, version)); got != want {
			t.Errorf("%s, %s:\n%s\nwant\n%s", version, way, got, want)
		}
	}
	checkAppended(t, cfg, outputs, n)
	m := manifestOf(t, output)
	clean := load(t, dir, text)
	w := Run{Workers: 2, Memory: plenty, Output: filepath.Join(outputs, "clean", version)}
	if _, err := Build(t.Context(), clean, w); err != nil {
		t.Fatal(version, err)
	}
	all := manifestOf(t, w.Output)
	if strings.Contains(of.config, "stratify:") { // one build has other rows in a split
		if sum, want := contentOfAll(t, m), contentOfAll(t, all); sum != want {
			t.Errorf("%s: the content of all splits is %x; of one build %x", version, sum, want)
		}
		return
	}
	for i := range all.Splits {
		a := &all.Splits[i]
		k := slices.IndexFunc(m.Splits, func(s dataset.Split) bool { return s.Name == a.Name })
		if k < 0 {
			t.Fatalf("%s: the split %s is missing", version, a.Name)
		}
		if b := &m.Splits[k]; of.listed && a.Content != b.Content || fmt.Sprint(a.Counts) != fmt.Sprint(b.Counts) {
			t.Errorf("%s, %s: content %s, counts %v; of one build %s, %v", version, a.Name, b.Content,
				b.Counts, a.Content, a.Counts)
		}
	}
	sameFinding := func(a, b dataset.Finding) bool { return a.Check == b.Check && a.Found == b.Found }
	if !slices.EqualFunc(m.Findings, all.Findings, sameFinding) { // their texts name splits in another order
		t.Errorf("%s: found %v; one build %v", version, m.Findings, all.Findings)
	}
	if fmt.Sprint(m.Sources) != fmt.Sprint(all.Sources) || fmt.Sprint(m.Joins) != fmt.Sprint(all.Joins) ||
		m.Inputs != all.Inputs {
		t.Errorf("%s: sources %v, joins %v; of one build %v, %v", version, m.Sources, m.Joins, all.Sources, all.Joins)
	}
	if of.listed {
		a, _ := os.ReadFile(filepath.Join(output, dataset.StatisticsName))
		b, _ := os.ReadFile(filepath.Join(w.Output, dataset.StatisticsName))
		sameSplits := len(m.Splits) == len(all.Splits) && m.Splits[0].Name == all.Splits[0].Name
		sampled := strings.Contains(string(b), `"estimated":true`) // the most frequent values are of the base's sample
		if sameSplits && !sampled && string(a) != string(b) {
			t.Errorf("%s: other statistics\n%s\nof one build\n%s", version, a, b)
		}
	}
}

// contentOfAll returns the sum of the contents of all splits.
func contentOfAll(t *testing.T, m *dataset.Manifest) (sum dataset.Content) {
	t.Helper()
	for i := range m.Splits {
		sum.Add(m.Splits[i].Content)
	}
	return sum
}

// checkAppended verifies a version, and compares its first shards with those of the version before.
func checkAppended(t *testing.T, cfg *config.Config, outputs string, n int) {
	t.Helper()
	output := filepath.Join(outputs, "place", cfg.Version)
	_, err := dataset.Verify(t.Context(), output, dataset.VerifyOptions{Deep: true, Record: DatasetRecord, Workers: 2,
		Report: func(d *dataset.DamageError) { t.Error(cfg.Version, d) }})
	if err != nil {
		t.Fatal(err)
	}
	m := manifestOf(t, output)
	checkRebuilt(t, cfg, output, m)
	if n == 0 {
		if m.Base != nil {
			t.Errorf("the first version has the base %v", m.Base)
		}
		return
	}
	before := filepath.Join(outputs, "place", fmt.Sprintf("1.%d.0", n-1))
	if cfg.Provenance {
		checkMaterials(t, output, before)
	}
	for i, c := range manifestOf(t, before).Classes {
		if now := m.Classes[i].Names; !slices.Equal(now[:len(c.Names)], c.Names) {
			t.Errorf("%s: the classes of %s are %q; they were %q", cfg.Version, c.Key, now, c.Names)
		}
	}
	for _, s := range manifestOf(t, before).Splits {
		k := slices.IndexFunc(m.Splits, func(of dataset.Split) bool { return of.Name == s.Name })
		for i, shard := range s.Shards {
			now := &m.Splits[k].Shards[i]
			a, errA := os.Stat(filepath.Join(before, shard.Name))
			b, errB := os.Stat(filepath.Join(output, now.Name))
			if errA != nil || errB != nil || !os.SameFile(a, b) || now.Digest != shard.Digest {
				t.Errorf("%s is not %s of the version before: %v, %v", now.Name, shard.Name, errA, errB)
			}
		}
	}
}

// checkRebuilt makes a version again, and the version before it: files that are newer are not read.
func checkRebuilt(t *testing.T, cfg *config.Config, output string, m *dataset.Manifest) {
	t.Helper()
	shards := 0
	for _, s := range m.Splits {
		shards += len(s.Shards)
	}
	run := Run{Workers: 2, Memory: plenty}
	for _, opt := range []RebuildOptions{{}, {Share: 50_000_000, Seed: 7}} {
		done, list := rebuilt(t, cfg, run, output, opt)
		if list != nil || done.Of != shards || opt.Share == 0 && done.Shards+done.Kept != shards ||
			(done.Base == nil) != (done.Kept == 0) {
			t.Errorf("%s, rebuilt: %+v, %q", cfg.Version, done, list)
		}
	}
	if m.Base == nil {
		return
	}
	older := *cfg
	older.Version = m.Base.Version
	before := filepath.Join(filepath.Dir(output), older.Version)
	if _, list := rebuilt(t, &older, run, before, RebuildOptions{}); list != nil {
		t.Errorf("%s, rebuilt: %q", older.Version, list)
	}
}

// checkMaterials checks that the statement of a version names the manifest of the version before, and no input of it.
// The version has the digests of all inputs.
func checkMaterials(t *testing.T, output, before string) {
	t.Helper()
	manifest, err := os.ReadFile(filepath.Join(before, dataset.ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	of := provenance.FileOf(dataset.ManifestName, dataset.ManifestDigest(manifest))
	of.Key.Key = "append"
	now, was := statementOf(t, output), statementOf(t, before)
	if !slices.Contains(now, of) {
		t.Errorf("%v is not among %v", of, now)
	}
	for _, one := range was {
		if slices.Contains(now, one) {
			t.Errorf("%v is of the version before", one)
		}
	}
	inputs, err := os.ReadFile(filepath.Join(output, dataset.InputsName))
	if err != nil || strings.Contains(string(inputs), " - ") {
		t.Errorf("inputs %s: %v", inputs, err)
	}
	for _, one := range slices.Concat(was, now) {
		if one.Key.Key != "append" && !strings.Contains(string(inputs), " "+one.Digest.SHA256+" ") {
			t.Errorf("%v is not among\n%s", one, inputs)
		}
	}
}

func statementOf(t *testing.T, output string) []provenance.Resource {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(output, provenance.Name))
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := provenance.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s.Predicate.Definition.Inputs
}

// TestAppendToStrata adds rows to strata. Each new row is in the split of the last row before it, of those with which
// the dataset got the stratum.
func TestAppendToStrata(t *testing.T) {
	const text = "name: d\nversion: 1.%d.0\noutput: out/{version}\nappend: 1.%d.0\nsource: {csv: {files: '*.csv'}}\n" +
		"split: {fractions: {a: 50%%, b: 20%%, c: 30%%}, stratify: user}\nfeatures: {id: {from: '@id', type: " +
		"string}, user: string}\n"
	type place struct {
		point uint64
		split string
	}
	dir, outputs := t.TempDir(), t.TempDir()
	r := rand.New(rand.NewPCG(3, 54))
	cuts, places := map[string][]place{}, map[string]string{} // by user; by ID
	id, user := regexp.MustCompile("[0-9a-f]{16}"), regexp.MustCompile("u[0-9]+")
	for n := range testenv.Times(3, 6, 6) {
		var table strings.Builder
		table.WriteString("user\n")
		for range 100 {
			fmt.Fprintf(&table, "u%d\n", n*r.IntN(9)+r.IntN(9))
		}
		testenv.Put(t, filepath.Join(dir, fmt.Sprintf("%d.csv", r.IntN(1000))), table.String())
		run := Run{Workers: 2, Memory: int64(n%2) * plenty, Output: filepath.Join(outputs, "{version}")}
		cfg := load(t, dir, fmt.Sprintf(text, n, max(0, n-1)))
		planned, err := MakePlan(t.Context(), cfg, run)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Build(t.Context(), cfg, run); err != nil {
			t.Fatal(err)
		}
		found := map[string][]place{}
		for split, payloads := range payloadsOf(t, filepath.Join(outputs, fmt.Sprintf("1.%d.0", n))) {
			for _, payload := range payloads {
				id, user := id.FindString(payload), user.FindString(payload)
				if was := places[id]; was != "" {
					if was != split {
						t.Errorf("version %d: the row %s of %s is in %s, and was in %s", n, id, user, split, was)
					}
					continue
				}
				number, err := strconv.ParseUint(id, 16, 64)
				if err != nil {
					t.Fatal(err)
				}
				places[id], found[user] = split, append(found[user], place{order.SplitPoint(number), split})
			}
		}
		for user, list := range found {
			slices.SortFunc(list, func(a, b place) int { return cmp.Compare(a.point, b.point) })
			before := cuts[user]
			if before == nil {
				cuts[user] = list
			}
			for _, of := range list {
				want := "a"
				for _, old := range before {
					if old.point <= of.point {
						want = old.split
					}
				}
				if before != nil && of.split != want {
					t.Errorf("version %d: a row of %s at %x is in %s, expected %s", n, user, of.point, of.split, want)
				}
			}
		}
		for _, s := range manifestOf(t, filepath.Join(outputs, fmt.Sprintf("1.%d.0", n))).Stratified {
			rows := int64(0)
			for i, v := range s.Values {
				if of := planned.Strata[0].Values[i]; of.Value != v.Value || fmt.Sprint(of.Rows) != fmt.Sprint(v.Rows) {
					t.Errorf("version %d: planned %v, expected %v", n, of, v)
				}
				for _, n := range v.Rows {
					rows += n
				}
			}
			if rows != int64(len(places)) || s.Strata != len(cuts) {
				t.Errorf("version %d: %d strata with %d rows, expected %d with %d", n, s.Strata, rows, len(cuts),
					len(places))
			}
		}
	}
}

// TestAppendKilled kills a run that appends at each operation on the file system. The next run makes the version that
// an undisturbed one makes, and the base stays as it was.
func TestAppendKilled(t *testing.T) {
	const text = "name: d\nversion: %s\noutput: out/{version}\nappend: current\nlink: current\nindex: true\nkeep: 2\n" +
		"source: {csv: {files: 'a/*.csv'}}\nsplit: {train: 70%%, test: 30%%}\nfeatures: {id: int64, " +
		"x: {classes: auto}}\nshards: 2\n"
	table := func(from int) string {
		var b strings.Builder
		b.WriteString("id,x\n")
		for i := range 30 {
			fmt.Fprintf(&b, "%d,c%d\n", from+i, (from+i)%7)
		}
		return b.String()
	}
	step := testenv.Times(40, 5, 1)
	finished := false
	for operations := testenv.First(3, step); !finished; operations += step {
		dir := testenv.Directory(t, map[string]string{"a/1.csv": table(0)})
		outputs := t.TempDir()
		run := func(way string) Run {
			return Run{Workers: 2, Memory: plenty, Output: filepath.Join(outputs, way, "{version}")}
		}
		for _, way := range []string{"whole", "killed"} {
			if _, err := Build(t.Context(), load(t, dir, fmt.Sprintf(text, "1.0.0")), run(way)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "a/0.csv"), []byte(table(100)), 0o666); err != nil {
			t.Fatal(err)
		}
		cfg, base := load(t, dir, fmt.Sprintf(text, "1.1.0")), tree(t, filepath.Join(outputs, "whole/1.0.0"))
		if _, err := Build(t.Context(), cfg, run("whole")); err != nil {
			t.Fatal(err)
		}
		finished = stopAfter(t, cfg, run("killed"), operations) == nil
		if _, err := Build(t.Context(), cfg, run("killed")); err != nil {
			t.Fatalf("killed after %d operations: %v", operations, err)
		}
		for version, want := range map[string]string{"1.0.0": base,
			"1.1.0": tree(t, filepath.Join(outputs, "whole/1.1.0"))} {
			if got := tree(t, filepath.Join(outputs, "killed", version)); got != want {
				t.Fatalf("%s, killed after %d operations:\n%s\nwant\n%s", version, operations, got, want)
			}
		}
	}
}

// TestAppendErrors changes something between two versions. Nothing is published, and the base stays as it was.
func TestAppendErrors(t *testing.T) {
	const text = "name: d\nversion: %s\noutput: out/{version}\nappend: current\nlink: current\n" +
		"source: {csv: {files: 'a/*.csv'}, join: {csv: side.csv, on: user}}\nfeatures: {id: int64, age: int64}\n" +
		"load: {pic: {path: '{user}', dir: pics, as: bytes}}\n"
	put := func(name, content string) func(dir, base string) error {
		return func(dir, _ string) error { return os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666) }
	}
	for name, c := range map[string]struct {
		change func(dir, base string) error
		more   string
		want   string // part of the error; empty for none
		notes  string // part of the messages
	}{
		"changed": {put("a/1.csv", "id,user\n7,u\n8,u\n"), "",
			"a/1.csv: out/1.0.0 was built from it, and it changed: it has 16 bytes, and had 12", ""},
		"removed": {func(dir, _ string) error { return os.Remove(filepath.Join(dir, "a/1.csv")) }, "",
			"1.csv: out/1.0.0 was built from it, and it changed: no source lists it", ""},
		"renamed": {func(dir, _ string) error {
			return os.Rename(filepath.Join(dir, "a/1.csv"), filepath.Join(dir, "a/3.csv"))
		}, "", "1.csv: out/1.0.0 was built from it, and it changed: no source lists it", ""},
		"table": {put("side.csv", "user,age\nu,6\n"), "",
			"side.csv: out/1.0.0 was built from it, and it changed: it has another size or digest, of source.join[0]",
			""},
		"config": {nil, "where: id > 0\n",
			"out/1.0.0 cannot be appended to: the config makes other records: where: unset → \"id > 0\"; " +
				"without append, a build makes all records again", ""},
		"a base without append": {nil, "",
			"out/1.0.0 cannot be appended to: it has no _tfr/inputs, because its config had no append", ""},
		"shard": {func(_, base string) error { return os.Truncate(filepath.Join(base, "train-00000-of-00001"), 3) }, "",
			"out/1.0.0: cannot be appended to: train-00000-of-00001 is missing or of another size", ""},
		"summary": {func(_, base string) error {
			return os.WriteFile(filepath.Join(base, dataset.SummaryName), []byte("[]"), 0o666)
		}, "", "out/1.0.0/_tfr/summary.json: cannot be appended to: its content was changed: its digest is not the " +
			"manifest's", ""},
		"summary of another version": {reseal(dataset.SummaryName, `{"splits":{"train":{}}}`), "",
			"out/1.0.0 cannot be appended to: another version of tfr-build wrote its _tfr/summary.json; without " +
				"append, a build makes all records again", ""},
		"inputs of another version": {reseal(dataset.InputsName, "1.csv\n"), "",
			"another version of tfr-build wrote its _tfr/inputs; without append", ""},
		"manifest of another version": {reseal(dataset.ManifestName, `{"format":1,"names":[]}`), "",
			"another version of tfr-build wrote its _tfr/manifest.json; without append", ""},
		"manifest": {func(_, base string) error {
			return os.WriteFile(filepath.Join(base, dataset.ManifestName), []byte("{}"), 0o666)
		}, "", "out/1.0.0/_tfr/manifest.json: cannot be appended to: the manifest has format 0; this program knows 1",
			""},
		"proven: content": {put("a/1.csv", "id,user\n8,u\n"), "",
			"a/1.csv: out/1.0.0 was built from it, and it changed: computed SHA-256 ", ""},
		"proven: loaded content": {put("pics/u", "b"), "",
			"pics/u: out/1.0.0 was built from it, and it changed: computed SHA-256 ", ""},
		"loaded size": {put("pics/u", "aa"), "",
			"u: out/1.0.0 was built from it, and it changed: it has another size or digest, of load.pic", ""},
		"proven: one more loaded": {put("pics/v", "bb"), "", "", "append: keeps 1 shard of 1.0.0, and reads 1 of 2 " +
			"files"},
		"proven: nothing new, other content": {func(dir, base string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "a/2.csv")), put("a/1.csv", "id,user\n8,u\n")(dir, base))
		}, "", "a/1.csv: out/1.0.0 was built from it, and it changed: computed SHA-256 ", ""},
		"nothing new, another table": {func(dir, base string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "a/2.csv")), put("side.csv", "user,age\nu,6\n")(dir, base))
		}, "", "side.csv: out/1.0.0 was built from it, and it changed: it has another size or digest, of " +
			"source.join[0]", ""},
		"nothing new": {func(dir, _ string) error { return os.Remove(filepath.Join(dir, "a/2.csv")) }, "", "",
			"append: out/1.0.0 has all files; a build adds nothing"},
		"new": {nil, "report: false\nshards: 2\nstatistics: {top: 3}\n", "",
			"append: keeps 1 shard of 1.0.0, and reads 1 of 2 files"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := testenv.Directory(t, map[string]string{"a/1.csv": "id,user\n7,u\n", "side.csv": "user,age\nu,5\n",
				"pics/u": "a"})
			text := text
			if strings.HasPrefix(name, "proven") {
				text += "provenance: true\n"
			}
			output := filepath.Join(t.TempDir(), "out")
			run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(output, "{version}")}
			first := text
			if name == "a base without append" {
				first = strings.Replace(text, "append: current\n", "", 1)
			}
			if _, err := Build(t.Context(), load(t, dir, fmt.Sprintf(first, "1.0.0")), run); err != nil {
				t.Fatal(err)
			}
			base := filepath.Join(output, "1.0.0")
			if err := os.WriteFile(filepath.Join(dir, "a/2.csv"), []byte("id,user\n9,u\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			if c.change != nil {
				if err := c.change(dir, base); err != nil {
					t.Fatal(err)
				}
			}
			before := tree(t, base)
			var notes []string
			run.Inform = func(text string) { notes = append(notes, strings.ReplaceAll(text, output, "out")) }
			_, err := Build(t.Context(), load(t, dir, fmt.Sprintf(text, "1.1.0")+c.more), run)
			got := strings.ReplaceAll(fmt.Sprint(err), output, "out")
			if c.want == "" && err != nil || !strings.Contains(got, c.want) ||
				!strings.Contains(strings.Join(notes, "\n"), c.notes) {
				t.Errorf("%s, notes %q\nwant %s, %s", got, notes, c.want, c.notes)
			}
			if _, err := os.Stat(filepath.Join(output, "1.1.0")); (err == nil) != strings.Contains(c.notes, "keeps") {
				t.Errorf("the version: %v", err)
			}
			if tree(t, base) != before {
				t.Error("the base was changed")
			}
		})
	}
}

// reseal returns a function that replaces a file of a dataset, and the digests that depend on its content.
func reseal(name, content string) func(dir, base string) error {
	return func(_, base string) error {
		if err := os.WriteFile(filepath.Join(base, name), []byte(content), 0o666); err != nil {
			return err
		}
		manifest, err := os.ReadFile(filepath.Join(base, dataset.ManifestName))
		if m, err := dataset.ParseManifest(manifest); err == nil {
			for i := range m.Files {
				if sum := sha256.Sum256([]byte(content)); m.Files[i].Name == name {
					m.Files[i].Bytes, m.Files[i].SHA256 = int64(len(content)), hex.EncodeToString(sum[:])
				}
			}
			if manifest, err = m.Bytes(); err != nil {
				return err
			}
		}
		return errors.Join(err, os.WriteFile(filepath.Join(base, dataset.ManifestName), manifest, 0o666),
			os.WriteFile(filepath.Join(base, dataset.SuccessName), []byte(dataset.ManifestDigest(manifest)+"\n"),
				0o666))
	}
}

// TestOlderVersion runs an older version again, while the link names a newer one that has all files.
func TestOlderVersion(t *testing.T) {
	dir := t.TempDir()
	const text = "name: d\nversion: %s\noutput: out/{version}\nappend: current\nlink: current\n" +
		"source: {csv: {files: 'a/*.csv'}}\nfeatures: {id: int64}\n"
	build := func(version string) (*Result, error) {
		return Build(t.Context(), load(t, dir, fmt.Sprintf(text, version)), Run{Workers: 1, Memory: plenty})
	}
	for n, version := range []string{"1.0.0", "1.1.0"} {
		testenv.Put(t, filepath.Join(dir, fmt.Sprintf("a/%d.csv", n)), fmt.Sprintf("id\n%d\n", n))
		if _, err := build(version); err != nil {
			t.Fatal(err)
		}
	}
	r, err := build("1.0.0")
	if _, ok := errors.AsType[*DatasetError](err); !ok || !strings.Contains(err.Error(), "out/1.0.0 holds a dataset") {
		t.Errorf("an older version: %+v, %v", r, err)
	}
	if r, err := build("1.1.0"); err != nil || !r.UpToDate || filepath.Base(r.Output) != "1.1.0" {
		t.Errorf("the same version: %+v, %v", r, err)
	}
	if r, err := build("1.2.0"); err != nil || !r.UpToDate || filepath.Base(r.Output) != "1.1.0" {
		t.Errorf("nothing new: %+v, %v", r, err)
	}
}

// TestAppendToItself plans and builds a version that the link names already: a build does nothing. A version depends
// on the files of its base, and a rebuild does not see files that are newer than it.
func TestAppendToItself(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a/1.csv": "id,pic\n1,x\n", "pics/x": "a", "pics/y": "b"})
	text := "version: %s\nname: d\noutput: out/{version}\nlink: current\nappend: current\n" +
		"features: {id: int64, pic: bytes}\n" +
		"source: {csv: {files: 'a/*.csv'}, load: {pic: {path: '{pic}', dir: pics, as: bytes}}}\nprovenance: true\n"
	run := Run{Workers: 2, Memory: plenty, Depfile: filepath.Join(t.TempDir(), "d")}
	build := func(version string) (*config.Config, *Result) {
		t.Helper()
		cfg := load(t, dir, fmt.Sprintf(text, version))
		done, err := Build(t.Context(), cfg, run)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(done.Inputs, filepath.Join(dir, "a/1.csv")) {
			t.Errorf("%s depends on %q", version, done.Inputs)
		}
		return cfg, done
	}
	build("1.0.0")
	testenv.Put(t, filepath.Join(dir, "a/2.csv"), "id,pic\n2,y\n")
	cfg, done := build("1.1.0")
	if _, again := build("1.1.0"); !again.UpToDate {
		t.Errorf("%+v", again)
	}
	planned, err := MakePlan(t.Context(), cfg, run)
	if err != nil || !slices.Contains(planned.Notes, "append: "+done.Output+" is up to date; a build does nothing") {
		t.Errorf("%+v, %v", planned, err)
	}
	if _, nothing := build("1.2.0"); !nothing.UpToDate || nothing.Output != done.Output {
		t.Errorf("%+v", nothing)
	}
	testenv.Put(t, filepath.Join(dir, "a/3.csv"), "id,pic\n3,z\n")
	testenv.Put(t, filepath.Join(dir, "pics/z"), "c")
	_, failed := Build(t.Context(), cfg, run)
	if _, err := MakePlan(t.Context(), cfg, run); err == nil || failed == nil || err.Error() != failed.Error() {
		t.Errorf("a build says %v, a plan %v", failed, err)
	}
	for _, opt := range []RebuildOptions{{}, {Share: 1_000_000}} {
		if again, list := rebuilt(t, cfg, Run{Workers: 2, Memory: plenty}, done.Output, opt); list != nil ||
			again.Kept != 1 {
			t.Errorf("%+v %q", again, list)
		}
	}
}

// TestAppendToVectors appends rows to a dataset whose vectors have an element per name: with names that it has, and
// with another one.
func TestAppendToVectors(t *testing.T) {
	const text = "name: d\nversion: %s\noutput: out/{version}\n%ssource: {jsonl: {files: 'a/*.jsonl'}}\n" +
		"features: {x: {multi_hot: true, classes: auto}}\n"
	output := filepath.Join(t.TempDir(), "out")
	run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(output, "{version}")}
	dir := testenv.Directory(t, map[string]string{"a/1.jsonl": `{"x": ["b", "a"]}`})
	build := func(version, more string) (*Result, error) {
		return Build(t.Context(), load(t, dir, fmt.Sprintf(text, version, more)), run)
	}
	add := func(name, row string) {
		if err := os.WriteFile(filepath.Join(dir, "a", name), []byte(row), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := build("1.0.0", "append: none\n"); err != nil {
		t.Fatal(err)
	}
	add("2.jsonl", `{"x": ["b"]}`)
	r, err := build("1.1.0", "append: 1.0.0\n")
	all, err2 := build("1.2.0", "")
	if err != nil || err2 != nil || r.Manifest.Splits[0].Content != all.Manifest.Splits[0].Content {
		t.Fatalf("%+v (%v), and of one build %+v (%v)", r, err, all, err2)
	}
	add("3.jsonl", `{"x": ["c"]}`)
	_, err = build("1.3.0", "append: 1.1.0\n")
	if err == nil || !strings.Contains(err.Error(), `features.x.classes: auto: the base does not have the name "c"`) {
		t.Errorf("a new name: %v", err)
	}
}

// TestAppendOtherRecords appends records that the base has: of which the key is twice in a split, or the content in
// another one. A base without digests cannot be compared.
func TestAppendOtherRecords(t *testing.T) {
	const keys = "format: webdataset\nwebdataset: {key: '{id}'}\nstatistics: false\n"
	leakage := func(more string) string { return "on_check: fail\nchecks: {leakage: {" + more + "}}\n" }
	kept := leakage("rows: 0, keep_digests: true")
	for name, c := range map[string]struct{ base, config, rows, want string }{
		"same key": {keys, keys, "5,1,a\n1,8,a\n", "2.csv:3: the key of the record is the key of a record of the " +
			"base in the split \"a\"; its row is in 1.csv, at offset 10 [MEMBER_TWICE]"},
		"key of an older row": {keys, keys, "2,8,b\n", "2.csv:2: the key of the record"},
		"key in two splits":   {keys, keys, "1,1,b\n", ""},
		"leak":                {kept, kept, "1,1,b\n", "2 rows with a content that is also in another split"},
		"no leak":             {kept, kept, "1,1,a\n", ""},
		"leak, allowed":       {kept, leakage("rows: 2, keep_digests: true"), "1,1,b\n", ""},
		"no digests": {"", kept, "1,1,a\n", "it has no digests of what checks.leakage compares; build a version " +
			"without append and with keep_digests: true there"},
		"other features": {kept, leakage("of: [id], keep_digests: true"), "1,1,a\n", "it has no digests of what"},
	} {
		t.Run(name, func(t *testing.T) {
			const head = "name: d\nversion: %s\noutput: out/{version}\nappend: 1.0.0\nsource: {csv: {files: " +
				"'*.csv'}}\nsplit: {column: part}\nfeatures: {id: int64, x: int64}\n"
			dir := testenv.Directory(t, map[string]string{"1.csv": "id,x,part\n1,1,a\n2,2,b\n"})
			output := t.TempDir()
			run := Run{Workers: 2, Memory: plenty, Output: filepath.Join(output, "{version}")}
			if _, err := Build(t.Context(), load(t, dir, fmt.Sprintf(head, "1.0.0")+c.base), run); err != nil {
				t.Fatal(err)
			}
			testenv.Put(t, filepath.Join(dir, "2.csv"), "id,x,part\n"+c.rows)
			_, err := Build(t.Context(), load(t, dir, fmt.Sprintf(head, "1.1.0")+c.config), run)
			if failed, ok := errors.AsType[*ChecksError](err); ok {
				err = errors.New(failed.Findings[0].Text)
			}
			if c.want == "" && err != nil || !strings.Contains(fmt.Sprint(err), c.want) {
				t.Errorf("%v\nwant %s", err, c.want)
			}
			if _, err := os.Stat(filepath.Join(output, "1.1.0")); (err == nil) != (c.want == "") {
				t.Errorf("the version: %v", err)
			}
		})
	}
}

// TestAppendEqualRows appends rows that equal rows of the base, which was built without append. These are skipped,
// also those that are first in source order, and listed with the version that has them.
func TestAppendEqualRows(t *testing.T) {
	const text = "name: d\nversion: %s\noutput: out/{version}\nsource: {csv: {files: '*.csv'}}\n" +
		"features: {id: int64, x: string}\ndedupe: {by: [x], duplicates: list.jsonl%s}\n"
	const keep = ", keep_digests: true"
	long := strings.Repeat("long", 20)
	for _, memory := range []int64{plenty, 0} {
		dir := testenv.Directory(t, map[string]string{"2.csv": "id,x\n1,a\n2,b\n3,a\n4," + long + "\n"})
		run := Run{Workers: 2, Memory: memory, Output: filepath.Join(t.TempDir(), "{version}")}
		for _, base := range []struct{ version, keep string }{{"1.0.0", keep}, {"1.1.0", ""}} {
			if _, err := Build(t.Context(), load(t, dir, fmt.Sprintf(text, base.version, base.keep)), run); err != nil {
				t.Fatal(err)
			}
		}
		testenv.Put(t, filepath.Join(dir, "1.csv"), "id,x\n5,b\n6,c\n7,c\n8,b\n9,"+long+"\n")
		r, err := Build(t.Context(), load(t, dir, fmt.Sprintf(text, "1.2.0", keep)+"append: 1.0.0\n"), run)
		if err != nil {
			t.Fatal(err)
		}
		if s := r.Manifest.Sources[0]; s.Found != 9 || s.Written != 4 || s.Skipped["dedupe"] != 5 {
			t.Errorf("memory %d: %+v", memory, s)
		}
		digests, err := os.ReadFile(filepath.Join(r.Output, dataset.DigestsName))
		if err != nil || len(digests) != 4*decide.KeptSize { // of a, b, c, and the long one
			t.Errorf("memory %d: %d bytes of digests (%v)", memory, len(digests), err)
		}
		list, err := os.ReadFile(filepath.Join(dir, "list.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(string(list)) {
			var e duplicates.Entry
			if err := json.Unmarshal([]byte(line), &e); err != nil || !duplicates.IsFile([]byte(line)) {
				t.Fatalf("%s: %v", line, err)
			}
			if e.Stays != nil {
				got = append(got, fmt.Sprintf("%d of %d", e.Offset, e.Stays.Offset))
			} else {
				got = append(got, fmt.Sprintf("%d in %s", e.Offset, e.Base))
			}
		}
		if want := []string{"5 in 1.0.0", "13 of 9", "17 in 1.0.0", "21 in 1.0.0"}; !slices.Equal(got, want) {
			t.Errorf("memory %d: %q, want %q", memory, got, want)
		}
		_, err = Build(t.Context(), load(t, dir, fmt.Sprintf(text, "1.3.0", keep)+"append: 1.1.0\n"), run)
		if err == nil || !strings.Contains(err.Error(), "cannot be appended to: it has no ") {
			t.Errorf("memory %d: without digests: %v", memory, err)
		}
	}
}

// TestAppendCopies appends where the file system cannot link: shards are copied and compared. A damaged shard, a full
// disk, and a base that another run removed are errors, after which the next run builds the same version.
func TestAppendCopies(t *testing.T) {
	const text = "name: d\nversion: %s\noutput: out/{version}\nappend: 1.0.0\nindex: true\n" +
		"source: {csv: {files: 'a/*.csv'}}\n" +
		"features: {id: int64}\n"
	dir := testenv.Directory(t, map[string]string{"a/1.csv": "id\n1\n2\n"})
	output := t.TempDir()
	run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(output, "{version}")}
	if _, err := Build(t.Context(), load(t, dir, fmt.Sprintf(text, "1.0.0")), run); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a/2.csv"), []byte("id\n3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	shard := filepath.Join(output, "1.0.0/train-00000-of-00001")
	sound, err := os.ReadFile(shard)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(shard)
	if err != nil {
		t.Fatal(err)
	}
	failing := func(kind string, cause error) *store.Storage {
		return store.Over(vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
			switch {
			case op.Kind == "link":
				return syscall.EXDEV
			case op.Kind == kind && strings.Contains(op.Name, "00000-of-00002"):
				return cause
			}
			return nil
		}))
	}
	cfg := load(t, dir, fmt.Sprintf(text, "1.1.0"))
	damaged := slices.Clone(sound)
	damaged[20] ^= 1
	for name, c := range map[string]struct {
		storage *store.Storage
		bytes   []byte
		want    string
	}{
		"damaged": {failing("", nil), damaged, "the bytes differ"},
		"full":    {failing("writeat", syscall.ENOSPC), sound, "no space left"},
	} {
		if err := os.WriteFile(shard, c.bytes, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(shard, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
		again := run
		again.Storage = c.storage
		_, err := Build(t.Context(), cfg, again)
		_, ofBase := errors.AsType[*input.Error](err)
		if err == nil || !strings.Contains(err.Error(), c.want) || ofBase != (name == "damaged") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(output, "1.1.0")); err == nil {
			t.Fatalf("%s: the version exists", name)
		}
	}
	if err := os.WriteFile(shard, sound, 0o666); err != nil {
		t.Fatal(err)
	}
	var notes []string
	run.Inform = func(text string) { notes = append(notes, text) }
	run.Storage = failing("", nil)
	if _, err := Build(t.Context(), cfg, run); err != nil || !slices.Contains(notes,
		"append: 1 shard copied, because the file system cannot link them") {
		t.Fatalf("%v, %q", err, notes)
	}
	if err := os.RemoveAll(filepath.Join(output, "1.0.0")); err != nil {
		t.Fatal(err)
	}
	_, err = dataset.Verify(t.Context(), filepath.Join(output, "1.1.0"), dataset.VerifyOptions{Workers: 1,
		Report: func(d *dataset.DamageError) { t.Error(d) }})
	if err != nil {
		t.Error(err)
	}
}

// TestAppendToRemovedBase has another run remove the base, as keep does, before its first shard is linked. Nothing is
// published; once the base is back, the next run makes the version of an undisturbed one, of the finished shards.
func TestAppendToRemovedBase(t *testing.T) {
	g := newHistory(t, appendables["fractions"], 2)
	outputs, aside := t.TempDir(), filepath.Join(t.TempDir(), "aside")
	base, run := filepath.Join(outputs, "1.0.0"), g.run(filepath.Join(outputs, "{version}"))
	g.have(t, 0)
	if _, err := Build(t.Context(), g.config(t, 0), run); err != nil {
		t.Fatal(err)
	}
	g.have(t, 1)
	remove := sync.OnceValue(func() error { return os.Rename(base, aside) })
	disturbed := run
	disturbed.Storage = store.Over(vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if op.Kind == "link" {
			return remove()
		}
		return nil
	}))
	_, err := Build(t.Context(), g.config(t, 1), disturbed)
	lost, ok := errors.AsType[*input.Error](err)
	if !ok || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(lost.Path, "1.0.0/t") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(outputs, "1.1.0")); err == nil {
		t.Error("a version was published")
	}
	if err := os.Rename(aside, base); err != nil {
		t.Fatal(err)
	}
	var notes []string
	run.Inform = func(text string) { notes = append(notes, text) }
	if _, err := Build(t.Context(), g.config(t, 1), run); err != nil {
		t.Fatal(err)
	}
	if want := tree(t, filepath.Join(g.local, "1.1.0")); tree(t, filepath.Join(outputs, "1.1.0")) != want {
		t.Error("other files than those of an undisturbed run")
	}
	if !slices.ContainsFunc(notes, func(s string) bool { return strings.Contains(s, "resum") }) {
		t.Errorf("the finished shards were not used: %q", notes)
	}
}
