package webdataset_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/tfrecord"
	"tfr-build/webdataset"
)

func value(text string) schema.Value { return schema.Value{Kind: schema.String, Text: []byte(text)} }

func number(text string) schema.Value { return schema.Value{Kind: schema.Number, Text: []byte(text)} }

func list(of ...schema.Value) schema.Value { return schema.Value{Kind: schema.List, List: of} }

// all has a feature of each form of values, and rows of them.
var all = []struct {
	f    schema.Feature
	rows []schema.Value
}{
	{schema.Feature{Key: webdataset.KeyFeature, Type: schema.StringType, MemberKey: true},
		[]schema.Value{value("a1"), value("b-ü"), value(strings.Repeat("k", 200))}},
	{schema.Feature{Key: "bool", Type: schema.BoolType},
		[]schema.Value{{Kind: schema.Bool, Text: []byte("true")}, {Kind: schema.Bool, Text: []byte("false")},
			{Kind: schema.Bool, Text: []byte("true")}}},
	{schema.Feature{Key: "bytes", Type: schema.BytesType, OnMissing: schema.MissingOmit},
		[]schema.Value{value("\x00\xff"), {}, value("")}},
	{schema.Feature{Key: "class", Type: schema.Int64},
		[]schema.Value{number("0"), number("-9223372036854775808"), number("9223372036854775807")}},
	{schema.Feature{Key: "doubles", Type: schema.Float64, Shape: []int{2}, Raw: true},
		[]schema.Value{list(number("0.1"), number("1e300")), list(number("1"), number("2")),
			list(number("-0"), number("3"))}},
	{schema.Feature{Key: "files", Type: schema.BytesType, Shape: []int{-1}, OnMissing: schema.MissingEmptyList},
		[]schema.Value{list(value("x"), value(strings.Repeat("y", 700))), {}, list(value(""))}},
	{schema.Feature{Key: "floats", Type: schema.Float, Shape: []int{-1}},
		[]schema.Value{list(number("0.1"), number("1e-45")), list(), list(number("5"))}},
	{schema.Feature{Key: "image", Type: schema.BytesType, Image: true},
		[]schema.Value{value("\xff\xd8\xff jpeg"), value("\x89PNG\r\n\x1a\n"), value("GIF89a")}},
	{schema.Feature{Key: "lists", Type: schema.Int64, Shape: []int{-1, -1}},
		[]schema.Value{list(list(number("1")), list()), list(), list(list(number("2"), number("3")))}},
	{schema.Feature{Key: "small", Type: schema.Int8, Shape: []int{2, 2}},
		[]schema.Value{list(number("-1"), number("2"), number("-128"), number("127")),
			list(number("0"), number("0"), number("0"), number("0")),
			list(number("1"), number("2"), number("3"), number("4"))}},
	{schema.Feature{Key: "tensor", Type: schema.Uint16, Shape: []int{-1, 2}, Tensor: true},
		[]schema.Value{list(number("1"), number("65535")), list(),
			list(number("1"), number("2"), number("3"), number("4"))}},
	{schema.Feature{Key: "text", Type: schema.StringType},
		[]schema.Value{value("line\n\"quoted\" \\ \x01 é"), value(""), value("x")}},
}

// examples returns the Examples of the rows.
func examples(t testing.TB) (*schema.Record, [][]byte) {
	t.Helper()
	record := schema.Record{}
	for _, one := range all {
		one.f.Columns = []string{one.f.Key}
		record.Features = append(record.Features, one.f)
	}
	compiled, err := schema.Compile(record)
	if err != nil {
		t.Fatal(err)
	}
	var payloads [][]byte
	for row := range all[0].rows {
		vals := make([]schema.Value, len(compiled.Columns()))
		for i, c := range compiled.Columns() {
			for _, one := range all {
				if one.f.Key == c.Name {
					vals[i] = one.rows[row]
				}
			}
		}
		payload, err := compiled.NewEncoder().Append(nil, vals)
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, payload)
	}
	return &record, payloads
}

// archive returns the archive of records.
func archive(s webdataset.Sample, payloads [][]byte) []byte {
	batch, buf := webdataset.NewBatch(s), []byte(nil)
	for i, payload := range payloads {
		buf = batch.End(append(batch.Begin(buf, uint64(i)), payload...))
	}
	return append(buf, make([]byte, webdataset.TailSize)...)
}

var samples = map[string][]webdataset.Named{
	"default": nil,
	"named": {
		{Name: "cls", Features: []string{"class"}},
		{Name: "png", Features: []string{"image"}},
		{Name: "txt", Features: []string{"text"}},
		{Name: "npy", Features: []string{"small"}},
		{Name: "raw.npy", Features: []string{"doubles"}},
		{Name: "tensor.npy", Features: []string{"tensor"}},
		{Name: "floats.npy", Features: []string{"floats"}},
		{Name: "bin", Features: []string{"bytes"}},
		{Name: "jpg", Features: []string{"files"}},
		{Name: "bool.cls", Features: []string{"bool"}},
		{Name: "json", Features: []string{"lists"}, IsList: true},
	},
}

// TestRestoresExamples writes and reads each form of values: the Examples are equal byte by byte. archive/tar reads
// the same members.
func TestRestoresExamples(t *testing.T) {
	record, payloads := examples(t)
	for name, members := range samples {
		s, problems := webdataset.New(record, members)
		if problems != nil {
			t.Fatalf("%s: %v", name, problems)
		}
		data := archive(s, payloads)
		r := webdataset.NewReader(bytes.NewReader(data), webdataset.Options{Sample: s})
		for i, want := range payloads {
			got, err := r.Next()
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: record %d: %v\n%q, want\n%q", name, i, err, got, want)
			}
		}
		if _, err := r.Next(); err != io.EOF {
			t.Errorf("%s: after the last record: %v", name, err)
		}
		if got := listing(t, data); len(got) < 3*len(payloads) || !strings.HasPrefix(got[0], "a1.") {
			t.Errorf("%s: archive/tar finds %q", name, got)
		}
		foreign := webdataset.NewReader(bytes.NewReader(data), webdataset.Options{})
		if payload, err := foreign.Next(); err != nil || !bytes.Contains(payload, []byte(webdataset.KeyFeature)) {
			t.Errorf("%s: without a sample: %q, %v", name, payload, err)
		}
	}
}

// listing returns the members that archive/tar finds, which must have fixed metadata.
func listing(t *testing.T, data []byte) (names []string) {
	t.Helper()
	r := tar.NewReader(bytes.NewReader(data))
	for {
		h, err := r.Next()
		if err == io.EOF {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Mode != 0o644 || h.Uid != 0 || h.Gid != 0 || h.Uname+h.Gname != "" || h.ModTime.Unix() != 0 ||
			h.Typeflag != tar.TypeReg {
			t.Errorf("%s has the header %+v", h.Name, h)
		}
		names = append(names, h.Name)
	}
}

// TestNames compares the names of all kinds of members.
func TestNames(t *testing.T) {
	record, payloads := examples(t)
	s, _ := webdataset.New(record, nil)
	want := "a1.bytes a1.0.files a1.1.files a1.jpg a1.json b-ü.png b-ü.json "
	if got := strings.Join(listing(t, archive(s, payloads)), " "); !strings.HasPrefix(got, want) {
		t.Errorf("found %q", got)
	}
}

// TestTarPrograms lists an archive with names of every kind by GNU tar and Python.
func TestTarPrograms(t *testing.T) {
	record, payloads := examples(t)
	s, _ := webdataset.New(record, nil)
	data := archive(s, payloads)
	file := filepath.Join(t.TempDir(), "a.tar")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	want := strings.Join(listing(t, data), "\n")
	for _, command := range [][]string{
		{"tar", "--quoting-style=literal", "-tf", file},
		{"python3", "-c", "import sys, tarfile; print('\\n'.join(tarfile.open(sys.argv[1], 'r|').getnames()))", file},
		{"bsdtar", "-tf", file},
	} {
		if _, err := exec.LookPath(command[0]); err != nil {
			continue
		}
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", command[0], err, got, want)
		}
	}
}

// TestDamaged reads archives with changed bytes: a changed header, number, array, or value of JSON is found, and other
// records are read.
func TestDamaged(t *testing.T) {
	record, payloads := examples(t)
	broken := func(members string, change func(data []byte) []byte) (intact int, reasons []string) {
		s, _ := webdataset.New(record, samples[members])
		r := webdataset.NewReader(bytes.NewReader(change(archive(s, payloads))), webdataset.Options{Sample: s})
		for {
			_, err := r.Next()
			corrupt := new(tfrecord.CorruptError)
			switch {
			case err == io.EOF:
				return intact, reasons
			case err == nil:
				intact++
			case errors.As(err, &corrupt) && corrupt.Skippable:
				reasons = append(reasons, corrupt.Reason)
			default:
				t.Fatal(err)
			}
		}
	}
	replace := func(old, now string) func(data []byte) []byte {
		return func(data []byte) []byte { return bytes.Replace(data, []byte(old), []byte(now), 1) }
	}
	for name, c := range map[string]struct {
		members string
		change  func(data []byte) []byte
		intact  int
		reason  string
	}{
		"a header": {"default", func(data []byte) []byte { data[3] ^= 1; return data }, 2, "wrong checksum"},
		"cut short": {"default", func(data []byte) []byte { return data[:len(data)-webdataset.TailSize] }, 2,
			"cut short"},
		"JSON":        {"default", replace(`{"bool"`, `["bool"`), 2, `the member "json"`},
		"a number":    {"default", replace(`"class":0`, `"class":x`), 2, `the member "json"`},
		"another key": {"default", replace(`"class":0`, `"clasp":0`), 2, `no feature "clasp"`},
		"not a boolean": {"default", replace(`"bool":true`, `"bool":null`), 2,
			"it is null; expected true or false"},
		"an integer":    {"named", replace("-9223372036854775808", "-922337203685477580x"), 2, `the member "cls"`},
		"another type":  {"named", replace("'descr': '|i1'", "'descr': '|u1'"), 2, `the member "npy"`},
		"another shape": {"named", replace("(2, 2)", "(4, 1)"), 2, `the member "npy"`},
		"no array":      {"named", replace("\x93NUMPY", "\x93NUMPX"), 2, "not a file of NumPy"},
	} {
		intact, reasons := broken(c.members, c.change)
		if intact != c.intact || !strings.Contains(fmt.Sprint(reasons), c.reason) {
			t.Errorf("%s: %d records, and %q", name, intact, reasons)
		}
	}
}

// TestProblems has members that records cannot have.
func TestProblems(t *testing.T) {
	record, _ := examples(t)
	two := *record
	two.Features = append(two.Features, schema.Feature{Key: "other", Type: schema.BytesType, Image: true,
		Columns: []string{"other"}})
	folded := schema.Record{Features: []schema.Feature{
		{Key: "a/B", Type: schema.BytesType, Columns: []string{"x"}},
		{Key: "A/b", Type: schema.BytesType, Columns: []string{"x"}},
	}}
	lost := schema.Record{Features: []schema.Feature{{Key: "a", Type: schema.BytesType, OnMissing: schema.MissingOmit,
		Columns: []string{"x"}}}}
	empty := schema.Record{Features: []schema.Feature{{Key: "a", Type: schema.BytesType, Shape: []int{-1},
		Columns: []string{"x"}}}}
	one := func(name string, features ...string) []webdataset.Named {
		return []webdataset.Named{{Name: name, Features: features, IsList: len(features) > 1}}
	}
	for _, c := range []struct {
		record  *schema.Record
		members []webdataset.Named
		want    string
	}{
		{&two, nil, `the features "image" and "other" would be members of one name`},
		{&folded, nil, `the features "a/B" and "A/b" would be members of one name`},
		{&lost, nil, "may be missing or an empty list; expected one that each record has missing: error"},
		{&empty, nil, "each of its features may be missing or an empty list; expected one that each record has }"},
		{record, one("Jpg", "image"), "other characters"},
		{record, one("a..b", "image"), "other characters"},
		{record, one("0.jpg", "image"), "begins with a number"},
		{record, one("x__", "image"), "ends with __"},
		{record, one("cls", "floats"), "expected one integer"},
		{record, one("npy", "lists"), "expected numbers that NumPy has"},
		{record, one("npy", "text"), "expected numbers that NumPy has"},
		{record, one("txt", "class"), "numbers are in members cls, npy, and json"},
		{record, one("json", "class"), "expected a list of features"},
		{record, one("jpg", "image", "text"), "found 2 features"},
		{record, one("jpg", "imagE"), `no feature "imagE"`},
		{record, one("jpg", "image"), `the feature "text" is in no member`},
		{record, one("json", webdataset.KeyFeature), "which is the key"},
	} {
		_, problems := webdataset.New(c.record, c.members)
		if !strings.Contains(fmt.Sprint(problems), c.want) {
			t.Errorf("%v: found %v, want %s", c.members, problems, c.want)
		}
		if strings.Contains(c.want, "imagE") && strings.Contains(fmt.Sprint(problems), `"image" is in no member`) {
			t.Errorf("%v: two problems of one misspelled feature: %v", c.members, problems)
		}
	}
}

// TestIndex compares an index with the positions of the records.
func TestIndex(t *testing.T) {
	record, payloads := examples(t)
	s, _ := webdataset.New(record, nil)
	data := archive(s, payloads)
	r := webdataset.NewReader(bytes.NewReader(data), webdataset.Options{Sample: s})
	var want []byte
	var begin int64 // of the last record
	for range payloads {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		begin = r.Offset()
		want = fmt.Appendf(want, "%d ", begin)
	}
	want = fmt.Appendf(want, "%d ", r.End())
	var got []byte
	index := webdataset.AppendIndex(nil, data[:begin], 0) // in two blocks
	index = webdataset.AppendIndex(index, data[begin:len(data)-webdataset.TailSize], begin)
	for ; len(index) > 0; index = index[8:] {
		n := 0
		for i := 7; i >= 0; i-- {
			n = n<<8 | int(index[i])
		}
		got = fmt.Appendf(got, "%d ", n)
	}
	if string(got) != string(want) {
		t.Errorf("found %s, want %s", got, want)
	}
}
