package pipeline

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
	"tfr-build/sink"
)

// invalidRows returns a table in which about one row in ten is invalid, for one of
// several reasons.
func invalidRows(n int) string {
	r := rand.New(rand.NewPCG(5, 6))
	var b strings.Builder
	b.WriteString("id,part,user,text\n")
	for i := range n {
		part := []string{"train", "test"}[r.IntN(2)]
		switch r.IntN(60) {
		case 0:
			fmt.Fprintf(&b, "x%d,%s,u,t\n", i, part)
		case 1:
			fmt.Fprintf(&b, "%d,%s\n", i, part)
		case 2:
			fmt.Fprintf(&b, "%d,%s,u,\"open\n", i, part)
		case 3:
			fmt.Fprintf(&b, "%d,no split!,u,t\n", i)
		case 4:
			fmt.Fprintf(&b, "%d,%s,,t\n", i, part)
		case 5:
			fmt.Fprintf(&b, "%d,%s,u,\xff\n", i, part)
		default:
			fmt.Fprintf(&b, "%d,%s,u%d,\"some\ntext\"\n", i, part, r.IntN(9))
		}
	}
	return b.String()
}

const badFeatures = "on_error: quarantine\nmax_errors: 100%\nfeatures: {id: int64, text: bytes, user: bytes}\n"

// manifestOf reads the manifest of a dataset.
func manifestOf(t testing.TB, output string) *dataset.Manifest {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(output, dataset.ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	m, err := dataset.ParseManifest(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// rejectsOf reads the file of rejects next to a dataset.
func rejectsOf(t testing.TB, output string) []Reject {
	t.Helper()
	f, err := os.Open(output + ".rejects.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []Reject
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var r Reject
		dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// TestRejects builds tables with invalid rows in all ways: the dataset and the rejects are the
// same, and every row is accounted for.
func TestRejects(t *testing.T) {
	text := invalidRows(6000)
	dir := testenv.Directory(t, map[string]string{"a.csv": text, "b.csv.gz": filetest.Gzip(invalidRows(500))})
	csv := "source:\n  csv: {files: [a.csv, b.csv.gz]}\n"
	for name, config := range testenv.Some(1, 2, map[string]string{
		"fixed":     csv + "shards: 3\n",
		"fractions": csv + "split: {fractions: {train: 50%, test: 50%}}\nshards: 2\n",
		"column":    csv + "split: {column: part}\nshards: 2\n",
		"by":        csv + "split: {fractions: {train: 50%, test: 50%}, by: user}\n",
		"key":       csv + "order_key: user\n",
		"source":    csv + "order: source\nshards: 4\n",
	}) {
		t.Run(name, func(t *testing.T) {
			output := sameEveryWay(t, load(t, dir, "name: d\noutput: out\n"+config+badFeatures))
			list, m := rejectsOf(t, output), manifestOf(t, output)
			byCode := map[string]int64{}
			for i, r := range list {
				byCode[r.Code]++
				if i > 0 && (r.File < list[i-1].File || r.File == list[i-1].File && r.Offset <= list[i-1].Offset) {
					t.Fatalf("line %d is out of order", i+1)
				}
				if r.File != "a.csv" {
					continue
				}
				raw := r.Raw
				if r.RawBase64 != nil {
					raw = string(r.RawBase64)
				}
				if !strings.HasPrefix(text[r.Offset:], raw+"\n") {
					t.Fatalf("line %d: %q is not at %d", i+1, raw, r.Offset)
				}
			}
			counts := m.Sources[0].Counts
			if fmt.Sprint(byCode) != fmt.Sprint(counts.Rejected) || counts.Found != 6500 ||
				counts.Found != counts.Written+int64(len(list)) {
				t.Errorf("%d lines, by code %v; the manifest has %+v", len(list), byCode, counts)
			}
			if len(byCode) < 5 {
				t.Errorf("only %v", byCode)
			}
		})
	}
}

// TestRejectsMoveNothing checks that a rejected row moves no other row: valid rows have the order
// and the shards that they have next to valid rows.
func TestRejectsMoveNothing(t *testing.T) {
	good := "id,text\n"
	for i := range 500 {
		good += fmt.Sprintf("%04d,t\n", i)
	}
	config := "name: d\noutput: out\non_error: skip\nmax_errors: 100%\nsource: {csv: {files: a.csv}}\nfeatures: {id: " +
		"bytes, text: {type: bytes}}\nshards: 4\n"
	payloads := func(text string) (all []string) {
		output := mustBuild(t, load(t, testenv.Directory(t, map[string]string{"a.csv": text}), config),
			way{2, plenty, 0})
		for _, s := range manifestOf(t, output).Splits[0].Shards {
			data, err := os.ReadFile(filepath.Join(output, s.Name))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, string(data))
		}
		return all
	}
	want, got := payloads(good), payloads(strings.Replace(good, "0123,t\n", "0123\"t\n", 1)) // of the same length
	without := 0
	for i := range want {
		if at := strings.Index(want[i], "0123"); at >= 0 {
			size := len(want[i]) - len(got[i]) // of one record: all are of one size
			from := at / size * size
			want[i] = want[i][:from] + want[i][from+size:]
			without++
		}
		if want[i] != got[i] {
			t.Errorf("shard %d differs", i)
		}
	}
	if without != 1 {
		t.Errorf("%d shards lack the row", without)
	}
}

func TestTooManyRejects(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": invalidRows(3000)})
	for _, w := range everyWay(t) {
		for _, most := range []string{"0", "7", "1%"} {
			cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: a.csv}}\non_error: "+
				"quarantine\nmax_errors: "+most+"\nfeatures: {id: int64, text: bytes, user: bytes}\n")
			output, err := buildTo(t, cfg, w)
			var many *TooManyError
			var first *RowsError
			if !errors.As(err, &many) || !errors.As(err, &first) {
				t.Fatalf("%+v, %s: %v", w, most, err)
			}
			allowed := map[string]int{"0": 0, "7": 7, "1%": 30}[most]
			if n := len(rejectsOf(t, output)); n <= allowed {
				t.Errorf("%+v: %d rejects to look at, where %d are allowed", w, n, allowed)
			}
			if _, err := os.Stat(output); err == nil {
				t.Error("the dataset is visible")
			}
		}
	}
}

func TestRejectsFileInTheWay(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "a\n1\nx\n", "mine.txt": "mine\n"})
	head := "name: d\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {a: int64}\nmax_errors: 100%\n"
	quarantine := load(t, dir, head+"on_error: quarantine\nrejects: mine.txt\n")
	_, err := buildTo(t, quarantine, ways[0])
	if !errors.Is(err, sink.ErrNotOwned) {
		t.Errorf("%v", err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "mine.txt")); err != nil || string(data) != "mine\n" {
		t.Errorf("%q, %v", data, err)
	}
	if err := Check(t.Context(), quarantine, Run{Workers: 1, Memory: plenty,
		Output: filepath.Join(t.TempDir(), "out")}); !errors.Is(err, sink.ErrNotOwned) {
		t.Errorf("check: %v", err)
	}
	// An older file of tfr-build is removed if nothing is quarantined any more.
	output := filepath.Join(t.TempDir(), "out")
	run := ways[0].run(output)
	run.Overwrite = true
	for _, text := range []string{"a\n1\nx\n", "a\n1\n2\n"} {
		testenv.Put(t, filepath.Join(dir, "a.csv"), text)
		if _, err := Build(t.Context(), load(t, dir, head+"on_error: quarantine\n"), run); err != nil {
			t.Fatal(err)
		}
		_, err := os.Stat(output + ".rejects.jsonl")
		if (err == nil) != strings.Contains(text, "x") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestRemovedLists removes the lists next to a dataset. A build that is up to date names them, as it does not write
// them again; it names none that no row needs.
func TestRemovedLists(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "a\n1\nx\n1\n2\n", "b.csv": "a\n3\n"})
	for file, rejected := range map[string]bool{"a.csv": true, "b.csv": false} {
		cfg := load(t, dir, "name: d\noutput: "+file+".out\non_error: quarantine\nmax_errors: 1\nsource: {csv: "+file+
			"}\nfeatures: {a: int64}\ndedupe: {duplicates: "+file+".list}\n")
		build := func() (upToDate bool, notes string) {
			run := Run{Workers: 1, Memory: plenty, Inform: func(text string) {
				if strings.Contains(text, "does not exist") {
					notes += strings.ReplaceAll(text, dir+"/", "") + "\n"
				}
			}}
			result, err := Build(t.Context(), cfg, run)
			if err != nil {
				t.Fatal(err)
			}
			return result.UpToDate, notes
		}
		for range 2 {
			if _, notes := build(); notes != "" {
				t.Errorf("with its lists: %s", notes)
			}
		}
		want := ""
		if rejected {
			const again = "; --fresh --overwrite builds again and writes it\n"
			want = file + ".out.rejects.jsonl does not exist (1 row rejected)" + again +
				file + ".list does not exist (1 row skipped by dedupe)" + again
			for _, list := range []string{file + ".out.rejects.jsonl", file + ".list"} {
				if err := os.Remove(filepath.Join(dir, list)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if upToDate, notes := build(); !upToDate || notes != want {
			t.Errorf("up to date: %v; said %q, want %q", upToDate, notes, want)
		}
	}
}

func TestPositionsOfRejects(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": "a\n1\nx\n", "pics/cat/1.bin": "x"})
	table := "source: {csv: {files: a.csv}}\nfeatures: {a: int64}\n"
	for text, want := range map[string]string{
		table + "rejects: a.csv\n":       "is an input",
		table + "rejects: out/r.jsonl\n": "is inside the output",
		table + "rejects: .out.tfr/r\n":  "is inside the output",
		table + "rejects: out\n":         "is inside the output",
		"source: {folder: {dir: pics}}\nfeatures: {content: {from: content}}\n" +
			"rejects: pics/cat/r.jsonl\n": "is inside",
		"source: {csv: {files: '**/a.csv'}}\nfeatures: {a: int64}\noutput: ../o\n" +
			"rejects: deep/er/r.jsonl\n": "is inside",
	} {
		if !strings.Contains(text, "output:") {
			text = "output: out\n" + text
		}
		cfg := load(t, dir, "name: d\non_error: quarantine\n"+text)
		_, err := Build(t.Context(), cfg, Run{Workers: 1, Memory: plenty})
		var place *BadPathError
		if !errors.As(err, &place) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
