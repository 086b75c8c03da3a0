package dataset

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tfr-build/dataset/provenance"
	"tfr-build/tfrecord"
)

// stated returns a dataset with a statement of provenance.
func stated(t *testing.T) (fsys fstest.MapFS, m *Manifest) {
	predicate := provenance.NewDefinition("name: small\n", nil, nil).By(provenance.ProgramOf("v1", 1))
	sum, err := predicate.Digest()
	if err != nil {
		t.Fatal(err)
	}
	m = &Manifest{DigestAlgorithm: "sha256", Provenance: sum}
	info := &Info{Name: "small", Version: "1.0.0"}
	fsys = finish(t, info, m, []testSplit{{"train", [][][]byte{{[]byte("a")}, {[]byte("b")}}}})
	file, err := m.Statement(predicate)
	if err != nil {
		t.Fatal(err)
	}
	fsys[file.Name] = &fstest.MapFile{Data: file.Data}
	return fsys, m
}

// TestStatementNamesAllFiles finds each file of a dataset, except the statement, in the statement.
func TestStatementNamesAllFiles(t *testing.T) {
	fsys, _ := stated(t)
	if found := damages(t, fsys, 1); found != nil {
		t.Errorf("clean: %q", found)
	}
	s, _, err := provenance.Parse(fsys[provenance.Name].Data)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range s.Subject {
		names = append(names, file.Name)
	}
	for name := range fsys {
		if name != provenance.Name && !slices.Contains(names, name) {
			t.Errorf("%s is not in %q", name, names)
		}
	}
	if len(names) != len(fsys)-1 {
		t.Errorf("%d files, expected %d", len(names), len(fsys)-1)
	}
}

// TestChangedStatement changes a statement in each of its parts.
func TestChangedStatement(t *testing.T) {
	for _, change := range [][2]string{
		{"name: small", "name: large"}, {`"v1"`, `"v2"`}, {`"train-00000-of-00002"`, `"train-00000-of-00003"`},
		{"in-toto.io/Statement", "in-toto.io/statement"}, {"{", ""},
	} {
		fsys, _ := stated(t)
		file := fsys[provenance.Name]
		changed := bytes.Replace(file.Data, []byte(change[0]), []byte(change[1]), 1)
		if bytes.Equal(changed, file.Data) {
			t.Fatalf("there is no %s in %s", change[0], file.Data)
		}
		fsys[provenance.Name] = &fstest.MapFile{Data: changed}
		found := damages(t, fsys, 1)
		if len(found) != 1 || !strings.HasPrefix(found[0], provenance.Name) {
			t.Errorf("%s ► %s: %q", change[0], change[1], found)
		}
	}
}

// TestProvenanceOfManifest has manifests whose provenance cannot be right.
func TestProvenanceOfManifest(t *testing.T) {
	for _, provenance := range []string{"x", strings.Repeat("A", 64), strings.Repeat("a", 62)} {
		_, m := stated(t)
		m.Provenance = provenance
		if err := m.check(); err == nil || !strings.Contains(err.Error(), "expected SHA-256") {
			t.Errorf("%s: %v", provenance, err)
		}
	}
}

// TestDifference compares files of records.
func TestDifference(t *testing.T) {
	_, m := stated(t)
	file := func(payloads ...string) (data []byte) {
		for _, p := range payloads {
			data = tfrecord.TFRecord.Append(data, []byte(p))
		}
		return data
	}
	all := file("aa", "bb", "cc")
	size := int64(len(all)) / 3
	damaged := bytes.Clone(all)
	damaged[size+12]++
	for _, tt := range []struct {
		name           string
		found, made    []byte
		record, offset int64
	}{
		{"equal", all, all, Unknown, Unknown},
		{"another record", file("aa", "xx", "cc"), all, 1, size},
		{"a record more", file("aa", "bb", "cc", "dd"), all, 3, 3 * size},
		{"a record fewer", file("aa", "bb"), all, 2, 2 * size},
		{"damaged", damaged, all, 1, size},
	} {
		record, offset, err := m.Difference(t.Context(), "s", bytes.NewReader(tt.found), bytes.NewReader(tt.made))
		if record != tt.record || offset != tt.offset || err != nil {
			t.Errorf("%s: record %d at %d, %v; expected %d at %d", tt.name, record, offset, err, tt.record, tt.offset)
		}
	}
	if _, _, err := m.Difference(t.Context(), "s", bytes.NewReader(all), bytes.NewReader(damaged)); err == nil {
		t.Error("expected an error of the file that was made, which is damaged")
	}
	broken := io.MultiReader(bytes.NewReader(all[:size]), iotestError{})
	if _, _, err := m.Difference(t.Context(), "s", broken, bytes.NewReader(all)); err == nil {
		t.Error("expected an error of the file that cannot be read")
	}
}

// iotestError fails each read.
type iotestError struct{}

func (iotestError) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestSampleFiles compares the files for programs that read samples of archives. The files for
// Energon do not name shards without records.
func TestSampleFiles(t *testing.T) {
	info := &Info{Name: "pets", Splits: []Split{
		{Name: "train", Records: 3, Shards: []Shard{{Name: "a.tar", Records: 3, Bytes: 9}, {Name: "b.tar"}}},
		{Name: "val"},
	}}
	files, err := info.sampleFiles()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range files {
		got[f.Name] = strings.Join(strings.Fields(string(f.Data)), " ")
	}
	for name, want := range map[string]string{
		".nv-meta/split.yaml":   `exclude: [] split_parts: "train": - "a.tar" "val": []`,
		".nv-meta/.info.json":   `{ "shard_counts": { "a.tar": 3 } }`,
		".nv-meta/dataset.yaml": "__module__: megatron.energon __class__: CrudeWebdataset",
		"_tfr/wids/train.json": `{ "__kind__": "wids-shard-index-v1", "wids_version": 1, "name": "pets-train", ` +
			`"shardlist": [ { "url": "../../a.tar", "nsamples": 3, "filesize": 9 } ] }`,
		"_tfr/wids/val.json": `{ "__kind__": "wids-shard-index-v1", "wids_version": 1, "name": "pets-val", ` +
			`"shardlist": [] }`,
	} {
		if got[name] != want {
			t.Errorf("%s: %s, want %s", name, got[name], want)
		}
	}
	if len(files) != 5 {
		t.Errorf("%d files", len(files))
	}
}
