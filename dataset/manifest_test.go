package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"tfr-build/framing"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// exampleManifest returns a manifest with something in every field.
func exampleManifest() *Manifest {
	return &Manifest{
		Format: ManifestFormat, BytesVersion: 1, Tool: "tfr-build", Name: "penguins", Version: "1.0.0",
		ConfigDigest: "sha256:00ff", Order: "shuffled", Seed: math.MaxUint64,
		Compression: "gzip", DigestAlgorithm: "xxh128", Inputs: 2,
		Splits: []Split{
			{Name: "train", Counts: Counts{Found: 6, Written: 3,
				Rejected: map[string]int64{"MISSING": 1, "INT_RANGE": 2}},
				Records: 3, Content: Content{1, 1}, Shards: []Shard{
					{Name: "train-00000-of-00002.gz", Records: 2, Bytes: 300, CRC32C: "0badcafe",
						Digest: "000102030405060708090a0b0c0d0e0f", Content: Content{0, math.MaxUint64}},
					{Name: "train-00001-of-00002.gz", Records: 1, Bytes: 200, CRC32C: "00000001",
						Digest: "100102030405060708090a0b0c0d0e0f", Content: Content{0, 2}},
				}},
			{Name: "test"},
		},
		WithoutSplit: &Counts{Found: 1, Rejected: map[string]int64{"MISSING": 1}},
		Sources: []Source{
			{Index: 0, Name: "", Kind: "csv", Counts: Counts{Found: 7, Written: 3,
				Rejected: map[string]int64{"MISSING": 2, "INT_RANGE": 2}}, BlankLines: 4},
			{Index: 1, Name: "<new>", Kind: "jsonl"},
		},
		Files: []FileEntry{{ConfigName, 12, ManifestDigest(nil)}, {ReaderName, 13, ManifestDigest(nil)}},
	}
}

func TestManifestGolden(t *testing.T) {
	got, err := exampleManifest().Bytes()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "manifest.json", got)
	m, err := ParseManifest(got)
	if err != nil {
		t.Fatal(err)
	}
	again, err := m.Bytes()
	if err != nil || !bytes.Equal(again, got) {
		t.Errorf("a manifest comes back as\n%s", again)
	}
	if m.Seed != math.MaxUint64 || m.Splits[0].Rejected["INT_RANGE"] != 2 || m.WithoutSplit.Found != 1 {
		t.Errorf("a manifest comes back as %+v", m)
	}
}

func TestSeal(t *testing.T) {
	files, err := exampleManifest().Seal()
	if err != nil || len(files) != 2 || files[0].Name != ManifestName || files[1].Name != SuccessName {
		t.Fatalf("%v, %v", files, err)
	}
	if want := ManifestDigest(files[0].Data) + "\n"; string(files[1].Data) != want || len(want) != 65 {
		t.Errorf("%s holds %q, want %q", SuccessName, files[1].Data, want)
	}
}

// TestManifestChecks breaks one rule at a time.
func TestManifestChecks(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(*Manifest)
		want   string
	}{
		{"format", func(m *Manifest) { m.Format = 2 }, "the manifest has format 2; this program knows 1"},
		{"compression", func(m *Manifest) { m.Compression = "zip" },
			`the manifest's compression: unknown compression "zip"; expected none, gzip or zlib`},
		{"digest", func(m *Manifest) { m.DigestAlgorithm = "md5" },
			`the manifest's digest_algorithm: unknown digest "md5"; expected xxh128 or sha256`},
		{"found", func(m *Manifest) {
			m.Splits[0].Found++
		}, "split train: 7 rows found are not 3 written and 3 rejected"},
		{"rejected", func(m *Manifest) { m.Sources[0].Rejected["MISSING"]++ },
			"source 0: 7 rows found are not 3 written and 5 rejected"},
		{"rejected nothing", func(m *Manifest) {
			m.Sources[0].Rejected["SHAPE"] = 0
		}, "source 0: 0 rows rejected for SHAPE"},
		{"rejected less", func(m *Manifest) {
			m.Sources[0].Rejected["SHAPE"] = -1
		}, "source 0: -1 rows rejected for SHAPE"},
		{"records", func(m *Manifest) { m.Splits[0].Records++ },
			"split train: 3 rows are written, and the shards hold 3 records of 4"},
		{"shard", func(m *Manifest) { m.Splits[0].Shards[0].Records++ },
			"split train: 3 rows are written, and the shards hold 4 records of 3"},
		{"negative", func(m *Manifest) { m.Splits[0].Shards[0].Bytes = -1 },
			"split train: train-00000-of-00002.gz: a negative count"},
		{"negative rows", func(m *Manifest) { m.Splits[1].Found, m.Splits[1].Written = -1, -1 },
			"split test: a negative count"},
		{"overflow", func(m *Manifest) { m.Splits[0].Rejected["MISSING"] = math.MaxInt64 },
			"split train: more rows than can be counted"},
		{"sources and splits", func(m *Manifest) { m.WithoutSplit = nil },
			"the sources have 7 rows found, 3 written, 4 rejected, and the splits 6 rows found, 3 written, 3 rejected"},
		{"source index", func(m *Manifest) { m.Sources[1].Index = 0 }, "source 1 has the index 0"},
		{"split twice", func(m *Manifest) { m.Splits[1].Name = "train" }, `the manifest lists the split "train" twice`},
		{"shard twice", func(m *Manifest) { m.Splits[0].Shards[1].Name = m.Splits[0].Shards[0].Name },
			`the manifest lists "train-00000-of-00002.gz" twice`},
		{"shard elsewhere", func(m *Manifest) { m.Splits[0].Shards[1].Name = "../train" },
			`the manifest lists "../train", which is not a valid file name in a dataset`},
		{"shard in directories", func(m *Manifest) { m.Splits[0].Shards[1].Name = "a/b/c" },
			`the manifest lists "a/b/c", which is not a valid file name in a dataset`},
		{"shard in a hidden directory", func(m *Manifest) { m.Splits[0].Shards[1].Name = ".a/b" },
			`the manifest lists ".a/b", which is not a valid file name in a dataset`},
		{"shard in a reader's directory", func(m *Manifest) { m.Splits[0].Shards[1].Name = "_tfr/b" },
			`the manifest lists "_tfr/b", which is not a valid file name in a dataset`},
		{"shard without a name", func(m *Manifest) { m.Splits[0].Shards[1].Name = "" },
			`the manifest lists "", which is not a valid file name in a dataset`},
		{"file elsewhere", func(m *Manifest) { m.Files[0].Name = "/etc/passwd" },
			`the manifest lists "/etc/passwd", which is not a valid file name in a dataset`},
		{"file NUL", func(m *Manifest) { m.Files[0].Name = "a\x00b" },
			`the manifest lists "a\x00b", which is not a valid file name in a dataset`},
		{"the manifest itself", func(m *Manifest) { m.Files[0].Name = ManifestName },
			`the manifest lists "_tfr/manifest.json" twice`},
		{"a file for a directory", func(m *Manifest) { m.Splits[0].Shards[1].Name = "_tfr" },
			`the manifest lists "_tfr", which would be a file and a directory`},
		{"a directory for a file", func(m *Manifest) { m.Files[0].Name = m.Splits[0].Shards[0].Name + "/a" },
			`the manifest lists "train-00000-of-00002.gz/a", which would be a file and a directory`},
		{"record", func(m *Manifest) { m.Record = "example" }, `the manifest's record: unknown record "example"`},
		{"framing", func(m *Manifest) { m.Framing = "tfrecord" },
			`the manifest's framing: unknown framing "tfrecord"; expected none, webdataset, ofrecord or array_record`},
		{"framing of records", func(m *Manifest) { m.Record, m.Framing = "json", "ofrecord" },
			"the manifest's framing is ofrecord, whose records cannot be json"},
		{"framing of compressed files", func(m *Manifest) { m.Framing = "ofrecord" },
			`the manifest's compression: unknown compression "gzip"; expected none`},
		{"compression of array_record", func(m *Manifest) { m.Framing = "array_record" },
			`the manifest's compression: unknown compression "gzip"; expected none or zstd`},
		{"another content", func(m *Manifest) { m.Splits[0].Content.low++ }, "split train: the content is " +
			"00000000000000010000000000000002, and that of the shards 00000000000000010000000000000001"},
		{"files in another order", func(m *Manifest) { m.Files[0].Name = "z" },
			"the manifest's files are not in the order of their names"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := exampleManifest()
			c.damage(m)
			data, err := m.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ParseManifest(data); err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if _, err := m.Seal(); m.Format == ManifestFormat && (err == nil || err.Error() != c.want) {
				t.Errorf("Seal: %v", err)
			}
		})
	}
}

// TestRecordsOfAManifest has every record and framing that there are.
func TestRecordsOfAManifest(t *testing.T) {
	for message, name := range map[schema.Message]framing.Name{
		schema.ExampleMessage: "tfrecord", schema.SequenceMessage: "tfrecord", schema.OFRecordMessage: "ofrecord",
		schema.JSONExampleMessage: "tfrecord", schema.JSONMessage: "tfrecord", schema.TextMessage: "tfrecord",
		schema.BytesMessage: "tfrecord",
	} {
		m := exampleManifest()
		m.Compression = "none"
		m.SetRecords(message, name.Format())
		data, err := m.Bytes()
		if err == nil {
			m, err = ParseManifest(data)
		}
		if err != nil {
			t.Error(err)
			continue
		}
		if gotMessage, gotFraming := m.Records(); gotMessage != message || gotFraming != name.Format() {
			t.Errorf("%v in %v comes back as %v in %v", message, name, gotMessage, gotFraming.Name)
		}
		if message == schema.ExampleMessage && (bytes.Contains(data, []byte(`"record"`)) ||
			bytes.Contains(data, []byte(`"framing"`))) {
			t.Errorf("a manifest of Examples has keys that it did not have:\n%s", data)
		}
	}
}

// TestShardsInDirectories has names that shards of an OFRecord dataset may have, and
// others.
func TestShardsInDirectories(t *testing.T) {
	for name, ok := range map[string]bool{
		"train/part-00000": true, "part-00000": true, "a/b/c": false, "../part-0": false, "a/..": false, "a//b": false,
		"/a": false, "a/": false,
		".hidden/part-0": false, "_tfr/part-0": false, "_x/part-0": false, "a/.b": false, `a\b/c`: false,
		"_SUCCESS/part-0":  false,
		"train/part-00001": false, // there already
		"train":            false, // a directory
	} {
		m := exampleManifest()
		m.Compression = "none"
		m.SetRecords(schema.OFRecordMessage, framing.Name("ofrecord").Format())
		m.Splits[0].Shards[0].Name, m.Splits[0].Shards[1].Name = "train/part-00001", name
		if _, err := m.Seal(); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestManifestIsStrict has JSON that a lenient decoder takes for the same.
func TestManifestIsStrict(t *testing.T) {
	data, err := exampleManifest().Bytes()
	if err != nil {
		t.Fatal(err)
	}
	edit := func(old, new string) string {
		s := strings.Replace(string(data), old, new, 1)
		if s == string(data) {
			t.Fatalf("no %q in the manifest", old)
		}
		return s
	}
	for name, s := range map[string]string{
		"empty":              "",
		"null":               "null",
		"an array":           "[]",
		"cut":                string(data[:len(data)/2]),
		"unknown key":        edit(`"format": 1`, `"format": 1, "x": 1`),
		"key in other case":  edit(`"tool"`, `"Tool"`),
		"key twice":          edit(`"format": 1`, `"format": 7, "format": 1`),
		"other spaces":       edit(`"format": 1`, `"format":1`),
		"a second document":  string(data) + "{}",
		"a BOM":              "\ufeff" + string(data),
		"escaped":            edit(`"tool": "t`, `"tool": "\u0074`),
		"a float":            edit(`"inputs": 2`, `"inputs": 2.0`),
		"a large number":     edit(`"inputs": 2`, `"inputs": 99999999999999999999`),
		"a number as text":   edit(`"inputs": 2`, `"inputs": "2"`),
		"null for a list":    edit(`"shards": []`, `"shards": null`),
		"null for no object": edit(`"rejected": {}`, `"rejected": null`),
		"no newline":         strings.TrimSuffix(string(data), "\n"),
	} {
		if m, err := ParseManifest([]byte(s)); err == nil {
			t.Errorf("%s: taken as %+v", name, m)
		}
	}
}

func FuzzParseManifest(f *testing.F) {
	data, err := exampleManifest().Bytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	empty, err := (&Manifest{Format: 1, Compression: "none", DigestAlgorithm: "sha256"}).Bytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(empty)
	f.Add([]byte(`{"splits":[{"shards":[{}]}]}`))
	for _, c := range []tfrecord.Compression{tfrecord.None, tfrecord.Gzip} {
		fsys, _ := small(f, 2, 2, c)
		f.Add(fsys[ManifestName].Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := ParseManifest(data)
		runtime.ReadMemStats(&after)
		// The smallest shard, {}, takes some 100 bytes, and its list grows by copies.
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20+1000*uint64(len(data)) {
			t.Fatalf("allocated %d bytes for %d", n, len(data))
		}
		if err != nil {
			return
		}
		again, err := m.Bytes()
		if err != nil || !bytes.Equal(again, data) {
			t.Errorf("taken, and written as %s", again)
		}
	})
}

var update = flag.Bool("update", false, "write the golden files in testdata/golden")

// golden compares got with a file below testdata/golden. With -update it writes the file.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, got, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is now\n%s\ngo test ./dataset -update writes it", path, got)
	}
}

func TestManifestIsJSON(t *testing.T) {
	_, m := small(t, 2, 2, tfrecord.None)
	data, err := m.Bytes()
	if err != nil || !json.Valid(data) || !bytes.HasSuffix(data, []byte("}\n")) {
		t.Errorf("%v\n%s", err, data)
	}
}
