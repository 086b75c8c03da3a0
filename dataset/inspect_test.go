package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"tfr-build/schema"
	"tfr-build/schema/tfpb"
	"tfr-build/tfrecord"
)

func inspectString(t *testing.T, data []byte, opt InspectOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Inspect(&b, bytes.NewReader(data), "f", opt); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func inspectedPayloads(t *testing.T) [][]byte {
	many := make([]int64, 1000)
	for i := range many {
		many[i] = int64(i)
	}
	return [][]byte{
		example(t, map[string]values{
			"feature0": []int64{0}, "feature1": []int64{4}, "feature2": [][]byte{[]byte("goat")},
			"feature3": []float32{0.9876},
		}),
		example(t, map[string]values{
			"": []int64{}, "a key": []int64{math.MinInt64, math.MaxInt64}, "<&>\n": [][]byte{[]byte("ü\xff\x00"), nil},
			"floats": []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e21, 1e-7, 0.1,
				float32(math.Copysign(0, -1))},
			"long": [][]byte{bytes.Repeat([]byte("é"), 100)}, "many": many, "none": []float32{},
		}),
		[]byte("no Example"),
		{},
	}
}

func TestInspectText(t *testing.T) {
	data, _ := shardFile(t, inspectedPayloads(t), tfrecord.None)
	golden(t, "inspect.txt", []byte(inspectString(t, data, InspectOptions{})))
}

func TestInspectJSON(t *testing.T) {
	payloads := inspectedPayloads(t)
	data, _ := shardFile(t, payloads, tfrecord.Zlib)
	lines := strings.Split(strings.TrimSuffix(inspectString(t, data, InspectOptions{Form: ProtoForm}), "\n"), "\n")
	if len(lines) != len(payloads) {
		t.Fatalf("%d lines for %d records", len(lines), len(payloads))
	}
	const tutorial = `{"features":{"feature":{"feature0":{"int64List":{"value":["0"]}},"feature1":{"int64List":{"value":` +
		`["4"]}},` +
		`"feature2":{"bytesList":{"value":["Z29hdA=="]}},"feature3":{"floatList":{"value":[0.9876]}}}}}`
	if lines[0] != tutorial {
		t.Errorf("got  %s\nwant %s", lines[0], tutorial)
	}
	for i, payload := range payloads[:2] {
		var want, got tfpb.Example
		if err := proto.Unmarshal(payload, &want); err != nil {
			t.Fatal(err)
		}
		if err := protojson.Unmarshal([]byte(lines[i]), &got); err != nil || !proto.Equal(&got, &want) {
			t.Errorf("%v: protobuf reads %s as %v", err, lines[i], &got)
		}
	}
	if want := `{"payload":"bm8gRXhhbXBsZQ=="}`; lines[2] != want {
		t.Errorf("no Example is %s, want %s", lines[2], want)
	}
	if want := `{}`; lines[3] != want {
		t.Errorf("an empty payload is %s, want %s", lines[3], want)
	}
}

func TestInspectSkipAndLimit(t *testing.T) {
	var payloads [][]byte
	for i := range 6 {
		payloads = append(payloads, example(t, map[string]values{"i": []int64{int64(i)}}))
	}
	data, _ := shardFile(t, payloads, tfrecord.Gzip)
	for _, c := range []struct {
		skip, limit int64
		want        string
	}{
		{0, 0, "012345"}, {0, 2, "01"}, {2, 2, "23"}, {4, 9, "45"}, {6, 1, ""}, {9, 0, ""},
		{math.MaxInt64, math.MaxInt64, ""},
	} {
		var got strings.Builder
		for line := range strings.Lines(inspectString(t, data, InspectOptions{Skip: c.skip, Limit: c.limit})) {
			if value, ok := strings.CutPrefix(line, "  i: int64 "); ok {
				got.WriteString(strings.TrimSpace(value))
			}
		}
		if got.String() != c.want {
			t.Errorf("skip %d, limit %d: %q, want %q", c.skip, c.limit, got.String(), c.want)
		}
	}
}

// TestInspectStopsReading has damage after the last record that is printed.
func TestInspectStopsReading(t *testing.T) {
	data, _ := shardFile(t, inspectedPayloads(t), tfrecord.None)
	if got := inspectString(t, data[:len(data)-1], InspectOptions{Limit: 1}); !strings.HasPrefix(got,
		"record 0 at byte 0, 84 bytes\n") {
		t.Errorf("got %s", got)
	}
}

func TestInspectBareExample(t *testing.T) {
	bare := inspectedPayloads(t)[0]
	want := "a bare Example, 84 bytes\n  feature0: int64 0\n  feature1: int64 4\n  feature2: bytes \"goat\"\n  " +
		"feature3: float 0.9876\n"
	if got := inspectString(t, bare, InspectOptions{}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	large := example(t, map[string]values{"b": [][]byte{make([]byte, 1<<20)}})
	if got := inspectString(t, large, InspectOptions{}); !strings.HasSuffix(got, "… 1048576 bytes\n") {
		t.Errorf("a large one: %s", got)
	}
	if got := inspectString(t, bare, InspectOptions{Skip: 1}); got != "" {
		t.Errorf("skipped: %s", got)
	}
}

func TestInspectErrors(t *testing.T) {
	data, _ := shardFile(t, inspectedPayloads(t), tfrecord.None)
	data[84+16+12] ^= 1
	for _, c := range []struct {
		name    string
		data    []byte
		printed string
		want    string
	}{
		{"text", []byte("id,name\n1,Ann\n"), "",
			"f: record 0 at byte 0: the length's checksum is wrong: this may be no TFRecord file"},
		{"like an Example", []byte("\n\x08 and so on, and on"), "",
			"f: record 0 at byte 0: the length's checksum is wrong: this may be no TFRecord file"},
		{"damaged", data, "record 0 at byte 0, 84 bytes\n", "f: record 1 at byte 100: the payload's checksum is"},
	} {
		var b bytes.Buffer
		err := Inspect(&b, bytes.NewReader(c.data), "f", InspectOptions{})
		var corrupt *tfrecord.CorruptError
		if !errors.As(err, &corrupt) || !strings.HasPrefix(err.Error(), c.want) ||
			!strings.HasPrefix(b.String(), c.printed) {
			t.Errorf("%s: printed %q and returned %v", c.name, b.String(), err)
		}
	}
	if got := inspectString(t, nil, InspectOptions{}); got != "" {
		t.Errorf("an empty file: %q", got)
	}
}

var forms = []Form{TextForm, PlainForm, ProtoForm}

var errPipe = errors.New("broken pipe")

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errPipe }

func TestInspectReportsBrokenPipe(t *testing.T) {
	data, _ := shardFile(t, inspectedPayloads(t), tfrecord.None)
	for _, form := range forms {
		if err := Inspect(brokenPipe{}, bytes.NewReader(data), "f", InspectOptions{Form: form}); !errors.Is(err,
			errPipe) {
			t.Errorf("form %d: %v", form, err)
		}
		if err := PrintRecord(brokenPipe{}, &schema.Record{}, inspectedPayloads(t)[0], form); !errors.Is(err, errPipe) {
			t.Errorf("form %d: PrintRecord: %v", form, err)
		}
	}
}

// FuzzInspect prints anything, in each form, and makes of the JSON of protobuf a file
// of which the same is printed.
func FuzzInspect(f *testing.F) {
	f.Add([]byte("\x0a\x08"))
	f.Add(tfrecord.TFRecord.Append(nil, []byte("no Example")))
	f.Add(tfrecord.TFRecord.Append(nil, example(f, map[string]values{"a": []float32{1}})))
	f.Add(tfrecord.TFRecord.Append(nil, sequence(f, 3)))
	f.Add(sequence(f, 3))
	f.Add(ofRecord(3))
	f.Add(ofFile(ofRecord(0), ofRecord(3)))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, form := range forms {
			var b bytes.Buffer
			err := Inspect(&b, bytes.NewReader(data), "f", InspectOptions{Form: form})
			var corrupt *tfrecord.CorruptError
			if err != nil && !errors.As(err, &corrupt) &&
				!strings.Contains(err.Error(), "none of more than 256 MiB is parsed") {
				t.Error(err)
			}
			switch {
			case err != nil || form == TextForm:
				continue
			case form == PlainForm:
				for line := range bytes.Lines(b.Bytes()) {
					if !json.Valid(line) {
						t.Errorf("%x is %s", data, line)
					}
				}
				continue
			}
			again := inspectString(t, rewritten(t, data, WriteOptions{}), InspectOptions{Form: ProtoForm})
			if again != b.String() {
				t.Errorf("%x is\n%s and, written again,\n%s", data, &b, again)
			}
		}
	})
}

// TestInspectDataset has files of a dataset that are not valid: a pipe is not waited
// for, and a device, which has no end, is not read.
func TestInspectDataset(t *testing.T) {
	fsys, m := small(t, 2, 3, tfrecord.None)
	first, second := m.Splits[0].Shards[0].Name, m.Splits[0].Shards[1].Name
	whole := t.TempDir()
	put(t, fsys, whole)
	var b bytes.Buffer
	var titles []string
	title := func(path string) { titles = append(titles, filepath.Base(path)) }
	if err := InspectDataset(&b, whole, InspectOptions{Skip: 2, Limit: 2}, title); err != nil ||
		!slices.Equal(titles, []string{first, second}) {
		t.Errorf("%v: %q", err, titles)
	}
	if got := b.String(); strings.Count(got, "\n") != 4 || !strings.Contains(got, "shard 0 record 2") ||
		!strings.Contains(got, "shard 1 record 0") {
		t.Errorf("printed %s", got)
	}
	for _, c := range []struct {
		name string
		put  func(path string) error
		want map[string]string // by the file that it takes the place of
	}{
		{"nothing", func(string) error { return nil }, map[string]string{
			ManifestName: "no dataset: _tfr/manifest.json: no such file or directory",
			second:       "stat DIR/" + second + ": no such file or directory"}},
		{"a pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }, map[string]string{
			ManifestName: "no dataset: _tfr/manifest.json: it is a pipe, not a file",
			second:       "open DIR/" + second + ": it is a pipe, not a file"}},
		{"a device", func(path string) error { return os.Symlink("/dev/zero", path) }, map[string]string{
			ManifestName: "no dataset: _tfr/manifest.json: it is a device, not a file",
			second:       "open DIR/" + second + ": it is a device, not a file"}},
		{"a directory", func(path string) error { return os.Mkdir(path, 0o700) }, map[string]string{
			ManifestName: "no dataset: _tfr/manifest.json: it is a directory, not a file",
			second:       "open DIR/" + second + ": it is a directory, not a file"}},
		{"a large file", func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, tfrecord.MaxInMemory+1))
		}, map[string]string{
			ManifestName: "_tfr/manifest.json: it has more than 256 MiB, and was not read",
			second:       "DIR/" + second + ": record 0 at byte 0: zeros instead of a header"}},
	} {
		for name, want := range c.want {
			dir := t.TempDir()
			put(t, fsys, dir)
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := errors.Join(os.Remove(path), c.put(path)); err != nil {
				t.Fatal(err)
			}
			err := InspectDataset(io.Discard, dir, InspectOptions{}, func(string) {})
			if err == nil || strings.ReplaceAll(err.Error(), dir, "DIR") != want {
				t.Errorf("%s for %s: %v, want %s", c.name, name, err, want)
			}
		}
	}
}

// TestInspectSkippedRows inspects a dataset without the rows that rules of its config skip.
func TestInspectSkippedRows(t *testing.T) {
	fsys, m := small(t, 1, 2, tfrecord.None)
	m.Splits[0].Counts = Counts{Found: 5, Written: 2, Skipped: map[string]int64{SkippedByLimit: 3}}
	m.Sources = []Source{{Kind: "csv", Counts: Counts{Found: 9, Written: 2,
		Skipped: map[string]int64{SkippedByLimit: 3, SkippedByWhere: 4}}}}
	data, err := m.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put(t, fsys, dir)
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(ManifestName)), data, 0o600); err != nil {
		t.Fatal(err)
	}
	for form, want := range map[Form]string{TextForm: "9 rows found: 4 skipped by where and 3 by limit\n",
		PlainForm: "", ProtoForm: ""} {
		var b bytes.Buffer
		err := InspectDataset(&b, dir, InspectOptions{Limit: 1, Form: form}, func(string) {})
		if said := b.String(); err != nil || !strings.HasPrefix(said, want) ||
			strings.Contains(said, "skipped") != (form == TextForm) {
			t.Errorf("%v: %s", err, said)
		}
	}
}
