package dataset

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// TestDeepAcceptsEveryForm checks valid features of every form.
func TestDeepAcceptsEveryForm(t *testing.T) {
	var features []schema.Feature
	fields := conformanceFields(t)
	for _, f := range fields {
		f.feature.AllowNonfinite = f.feature.Key == "float"
		features = append(features, f.feature)
	}
	check := newRecordCheck(schema.Record{Features: features})
	for i := range 4 {
		record := map[string]values{}
		for _, f := range fields {
			record[f.feature.Key] = f.records[i]
		}
		if feature, problem := check.problem(example(t, record)); problem != "" {
			t.Errorf("record %d: feature %s: %s", i, feature, problem)
		}
	}
}

func TestDeepReportsProblems(t *testing.T) {
	none := int64(-1)
	names := []string{"a", "b", "c"}
	ints := func(v ...int64) values { return v }
	text := func(s string) values { return [][]byte{[]byte(s)} }
	for _, c := range []struct {
		feature schema.Feature
		value   values
		want    string
	}{
		{schema.Feature{Type: schema.Int64}, nil, "the record lacks it"},
		{schema.Feature{Type: schema.Int64, OnMissing: schema.MissingEmptyList, Shape: []int{-1}}, nil,
			"the record lacks it"},
		{schema.Feature{Type: schema.Int64, OnMissing: schema.MissingOmit}, nil, ""},
		{schema.Feature{Type: schema.Int64}, []float32{1}, "it is float_list; expected int64_list"},
		{schema.Feature{Type: schema.Float}, ints(1), "it is int64_list; expected float_list"},
		{schema.Feature{Type: schema.StringType}, ints(1), "it is int64_list; expected bytes_list"},
		{schema.Feature{Type: schema.Int64}, ints(), "it has 0 values; expected 1"},
		{schema.Feature{Type: schema.Int64}, ints(1, 2), "it has 2 values; expected 1"},
		{schema.Feature{Type: schema.Int64, Shape: []int{2, 3}}, ints(1, 2, 3, 4, 5), "it has 5 values; expected 6"},
		{schema.Feature{Type: schema.Int64, Shape: []int{-1, 2}}, ints(1, 2, 3),
			"it has 3 values; expected a multiple of 2"},
		{schema.Feature{Type: schema.Int64, Shape: []int{-1, 2}}, ints(), ""},
		{schema.Feature{Type: schema.Int8}, ints(-129), "value 0 is -129; expected int8, -128 to 127"},
		{schema.Feature{Type: schema.Int16}, ints(32768), "value 0 is 32768; expected int16, -32768 to 32767"},
		{schema.Feature{Type: schema.Int32}, ints(1 << 31),
			"value 0 is 2147483648; expected int32, -2147483648 to 2147483647"},
		{schema.Feature{Type: schema.Uint8, Shape: []int{-1}}, ints(255, 256),
			"value 1 is 256; expected uint8, 0 to 255"},
		{schema.Feature{Type: schema.Uint16}, ints(-1), "value 0 is -1; expected uint16, 0 to 65535"},
		{schema.Feature{Type: schema.Uint32}, ints(1 << 32), "value 0 is 4294967296; expected uint32, 0 to 4294967295"},
		{schema.Feature{Type: schema.Uint64}, ints(math.MinInt64),
			"value 0 is -9223372036854775808; expected uint64, 0 to 9223372036854775807"},
		{schema.Feature{Type: schema.BoolType}, ints(2), "value 0 is 2; expected bool, 0 to 1"},
		{schema.Feature{Type: schema.Int64, Classes: &schema.Classes{Names: names, First: 1}}, ints(0),
			"value 0 is 0; expected the number of a class, 1 to 3"},
		{schema.Feature{Type: schema.Int64, Classes: &schema.Classes{Names: names, First: 1}}, ints(3), ""},
		{schema.Feature{Type: schema.Int64, Classes: &schema.Classes{Names: names, Unknown: &none}}, ints(3),
			"value 0 is 3; expected the number of a class, 0 to 2, or -1"},
		{schema.Feature{Type: schema.Int64, Classes: &schema.Classes{Names: names, Unknown: &none}}, ints(-1), ""},
		{schema.Feature{Type: schema.StringType}, text("ok\xff"), `value 0 is "ok\xff"; expected UTF-8`},
		{schema.Feature{Type: schema.BytesType}, text("ok\xff"), ""},
		{schema.Feature{Type: schema.Float}, []float32{float32(math.NaN())},
			"value 0 is NaN; expected a finite number"},
		{schema.Feature{Type: schema.Float, Shape: []int{2}}, []float32{0, float32(math.Inf(-1))},
			"value 1 is -Inf; expected a finite number"},
		{schema.Feature{Type: schema.Float, AllowNonfinite: true}, []float32{float32(math.Inf(1))}, ""},
	} {
		c.feature.Key = "k"
		check := newRecordCheck(schema.Record{Features: []schema.Feature{c.feature}})
		record := map[string]values{}
		if c.value != nil {
			record["k"] = c.value
		}
		feature, problem := check.problem(example(t, record))
		if problem != c.want || c.want != "" && feature != "k" {
			t.Errorf("%v of %v: feature %q: %q, want %q", c.value, c.feature, feature, problem, c.want)
		}
	}
}

func TestDeepNamesRecords(t *testing.T) {
	check := newRecordCheck(schema.Record{Features: []schema.Feature{{Key: "k", Type: schema.Int64,
		OnMissing: schema.MissingOmit}}})
	for _, c := range []struct {
		payload          []byte
		feature, problem string
	}{
		{example(t, map[string]values{"k": []int64{1}}), "", ""},
		{nil, "", ""},
		{[]byte("no Example"), "", "the payload is not valid; expected tf.train.Example"},
		{example(t, map[string]values{"k": []int64{1}, "z": []int64{1}, "b": []int64{1}}), "b",
			"the dataset has no such feature"},
		{[]byte("\x0a\x07\x0a\x05\x0a\x01k\x12\x00"), "k", "it has no list of values; expected int64_list"},
	} {
		if feature, problem := check.problem(c.payload); feature != c.feature || problem != c.problem {
			t.Errorf("%q: feature %q: %q", c.payload, feature, problem)
		}
	}
	anything := &recordCheck{}
	if _, problem := anything.problem(example(t, map[string]values{"z": []int64{1}})); problem != "" {
		t.Errorf("without features: %s", problem)
	}
	if _, problem := anything.problem([]byte("no Example")); problem == "" {
		t.Error("without features everything is an Example")
	}
}

// numbered returns a dataset whose records have their number as "n", a bool.
func numbered(t *testing.T, numbers ...int64) fstest.MapFS {
	var payloads [][]byte
	for _, n := range numbers {
		payloads = append(payloads, example(t, map[string]values{"n": []int64{n}}))
	}
	return finish(t, &Info{Name: "small", Version: "1.0.0"}, &Manifest{}, []testSplit{{"train", [][][]byte{payloads}}})
}

func boolRecord([]byte, *Manifest) (schema.Record, error) {
	return schema.Record{Features: []schema.Feature{{Key: "n", Type: schema.BoolType}}}, nil
}

// deep verifies files with Deep, and returns the reports and the warning.
func deep(t *testing.T, files fstest.MapFS, record func([]byte, *Manifest) (schema.Record, error)) (found []string,
	warned string, err error) {
	t.Helper()
	_, err = Verify(t.Context(), ".", VerifyOptions{
		Store: memory{files: files}, Deep: true, Record: record,
		Report: func(d *DamageError) { found = append(found, d.Error()) },
		Warn:   func(text string) { warned += text },
	})
	return found, warned, err
}

func TestVerifyDeep(t *testing.T) {
	const shard = "train-00000-of-00001"
	if found, warned, err := deep(t, numbered(t, 0, 1, 1), boolRecord); found != nil || warned != "" || err != nil {
		t.Errorf("sound: %q, %q, %v", found, warned, err)
	}
	want := []string{shard + `: record 1 at byte 30: feature "n": value 0 is 2; expected bool, 0 to 1`}
	if found, _, err := deep(t, numbered(t, 0, 2, 1), boolRecord); !slices.Equal(found, want) || err != nil {
		t.Errorf("a 2: %q, %v; want %q", found, err, want)
	}
	if found, _, err := deep(t, numbered(t, 0, 2, 1), nil); found != nil || err != nil {
		t.Errorf("without features: %q, %v", found, err)
	}
	many := numbered(t, slices.Repeat([]int64{7}, 14)...)
	many[shard].Data[12] ^= 1
	found, _, err := deep(t, many, boolRecord)
	if len(found) != 12 || !strings.HasPrefix(found[0], shard+": record 0 at byte 0: the payload's checksum") ||
		found[11] != shard+": 3 more records are not what they should be" || err != nil {
		t.Errorf("many: %q, %v", found, err)
	}
}

func TestVerifyDeepWithoutItsConfig(t *testing.T) {
	damaged := numbered(t, 0, 2)
	damaged[ConfigName] = &fstest.MapFile{Data: []byte("name: large\n")}
	found, warned, err := deep(t, damaged, func([]byte, *Manifest) (schema.Record, error) {
		t.Error("features of a config that was changed")
		return schema.Record{}, nil
	})
	if len(found) != 1 || err != nil ||
		warned != ConfigName+" is not as it was written: records are parsed, but not compared with the features of "+
			"the dataset" {
		t.Errorf("found %q, warned %q, %v", found, warned, err)
	}
	errWanted := errors.New("no features")
	if _, _, err := deep(t, numbered(t, 0), func([]byte, *Manifest) (schema.Record, error) {
		return schema.Record{},
			errWanted
	}); !errors.Is(err, errWanted) {
		t.Errorf("a config that is not understood: %v", err)
	}
	if _, _, err := deep(t, withoutConfig(t), boolRecord); err == nil ||
		!strings.Contains(err.Error(), "lists no "+ConfigName) {
		t.Errorf("a manifest without the config: %v", err)
	}
}

// withoutConfig returns a dataset that never had a config.
func withoutConfig(t *testing.T) fstest.MapFS {
	files := numbered(t, 0)
	m, err := ParseManifest(files[ManifestName].Data)
	if err != nil {
		t.Fatal(err)
	}
	m.Files = slices.DeleteFunc(m.Files, func(f FileEntry) bool { return f.Name == ConfigName })
	sealed, err := m.Seal()
	if err != nil {
		t.Fatal(err)
	}
	delete(files, ConfigName)
	for _, f := range sealed {
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return files
}

func TestVerifyRecordsDeep(t *testing.T) {
	file, _ := shardFile(t, [][]byte{example(t, map[string]values{"a": []int64{1}}), []byte("no Example"),
		listWithContext(t, 2)}, tfrecord.Zlib)
	var found []string
	_, err := VerifyRecords(t.Context(), "f", VerifyOptions{
		Store: memory{files: fstest.MapFS{"f": {Data: file}}}, Deep: true,
		Report: func(d *DamageError) { found = append(found, d.Error()) },
	})
	if want := []string{"f: record 1 at byte 30: the payload is not valid; expected tf.train.Example or " +
		"tf.train.SequenceExample"}; !slices.Equal(found, want) || err != nil {
		t.Errorf("found %q, %v; want %q", found, err, want)
	}
}

// FuzzDeep checks arbitrary payloads with some features.
func FuzzDeep(f *testing.F) {
	features := []schema.Feature{
		{Key: "a", Type: schema.Uint8, Shape: []int{-1, 2}},
		{Key: "b", Type: schema.StringType, OnMissing: schema.MissingOmit},
		{Key: "c", Type: schema.Int64, Classes: &schema.Classes{Names: []string{"x"}}},
		{Key: "d", Type: schema.Float, OnMissing: schema.MissingOmit},
	}
	f.Add(example(f, map[string]values{"a": []int64{1, 2}, "b": [][]byte{[]byte("b")}, "c": []int64{0},
		"d": []float32{1}}))
	f.Add(example(f, map[string]values{"a": []int64{1, 2, 3}, "z": []float32{1}}))
	f.Add([]byte("\x0a\x07\x0a\x05\x0a\x01k\x12\x00"))
	check := newRecordCheck(schema.Record{Features: features})
	f.Fuzz(func(t *testing.T, payload []byte) {
		_, problem := check.problem(payload)
		_, parsed := (&recordCheck{}).problem(payload)
		if problem == "" && parsed != "" {
			t.Errorf("%q is as it should be, and %s", payload, parsed)
		}
	})
}

func BenchmarkDeep(b *testing.B) {
	payload := example(b, map[string]values{"id": []int64{12345}, "x": []float32{0.5},
		"text": [][]byte{[]byte(strings.Repeat("word ", 10))}})
	check := newRecordCheck(schema.Record{Features: []schema.Feature{{Key: "id", Type: schema.Int64},
		{Key: "x", Type: schema.Float}, {Key: "text", Type: schema.StringType}}})
	b.SetBytes(int64(len(payload)))
	for b.Loop() {
		if _, problem := check.problem(payload); problem != "" {
			b.Fatal(problem)
		}
	}
}

// TestDeepAllocates checks that the values of a feature need no allocations.
func TestDeepAllocates(t *testing.T) {
	many := make([]int64, 100_000)
	payload := example(t, map[string]values{"many": many, "texts": make([][]byte, 100_000)})
	check := newRecordCheck(schema.Record{Features: []schema.Feature{{Key: "many", Type: schema.Int64,
		Shape: []int{-1}}, {Key: "texts", Type: schema.StringType, Shape: []int{-1}}}})
	if n := testing.AllocsPerRun(5, func() {
		if key, problem := check.problem(payload); problem != "" {
			t.Errorf("%s: %s", key, problem)
		}
	}); n > 20 {
		t.Errorf("%.0f allocations", n)
	}
}
