package tfrecord_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/schema/tfpb"
	"tfr-build/sources/input"
	records "tfr-build/sources/tfrecord"
	"tfr-build/tfrecord"
)

// examples scans Examples for some of their features.
func examples(t testing.TB, keys ...string) (scan func(payload []byte) ([]schema.Value, error)) {
	t.Helper()
	path := t.TempDir() + "/a"
	testenv.Put(t, path, string(tfrecord.TFRecord.Append(nil, nil)))
	o := &records.Options{Files: input.Files{Patterns: []string{path}}}
	env := &input.Env{Resolve: func(p string) string { return p }, Limits: input.Limits{Record: 64 << 20}, Workers: 1}
	in, err := o.Open(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	var columns []input.Bound
	for i, key := range keys {
		columns = append(columns, input.Bound{Name: key, Slot: i})
	}
	layout, err := in.Bind(columns)
	if err != nil {
		t.Fatal(err)
	}
	scanner, vals := layout(input.NewObservations(), false), make([]schema.Value, len(keys))
	var framed []byte
	return func(payload []byte) ([]schema.Value, error) {
		framed = tfrecord.TFRecord.Append(framed[:0], payload)
		_, err := scanner.Scan(0, 0, framed, vals)
		return vals, err
	}
}

// taken returns how many bytes do allocates.
func taken(do func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

func field(number protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
}

// TestLongListMemory scans records of many elements. Each element takes at most its value, or its
// number.
func TestLongListMemory(t *testing.T) {
	const n = 1_000_000
	scan := examples(t, "x")
	for name, c := range map[string]struct {
		list   protowire.Number
		values []byte
		each   int // bytes
	}{
		"empty texts": {1, bytes.Repeat([]byte{1<<3 | 2, 0}, n), 56},
		"floats":      {2, field(1, make([]byte, 4*n)), 4},
		"integers":    {3, field(1, make([]byte, n)), 8},
	} {
		payload := field(1, field(1, append(field(1, []byte("x")), field(2, field(c.list, c.values))...)))
		_, _ = scan(nil) // which releases the kept row
		if got := taken(func() { _, _ = scan(payload) }) - len(payload) - 1<<20; got > c.each*n+n/4 {
			t.Errorf("%s: %d bytes were taken, %.1f for each element", name, got, float64(got)/n)
		}
	}
}

// TestElementsCountTheirMemory refuses records whose lists take more memory than limits.record, 64 MiB
// here, before they do. The bytes of the record do not matter.
func TestElementsCountTheirMemory(t *testing.T) {
	scan := examples(t, "x")
	for name, c := range map[string]struct {
		list   protowire.Number
		values []byte
		ok     bool
	}{
		"many empty strings":    {1, bytes.Repeat([]byte{1<<3 | 2, 0}, 1<<20+1), false},
		"a million strings":     {1, bytes.Repeat([]byte{1<<3 | 2, 0}, 1<<20), true},
		"many packed integers":  {3, field(1, make([]byte, 1<<23+1)), false},
		"8 million integers":    {3, field(1, make([]byte, 1<<23)), true},
		"many integers":         {3, bytes.Repeat([]byte{1 << 3, 7}, 1<<23+1), false},
		"floats of 40 MB":       {2, field(1, make([]byte, 40<<20)), true},
		"a million more floats": {2, field(1, make([]byte, 44<<20)), true},
	} {
		payload := field(1, field(1, append(field(1, []byte("x")), field(2, field(c.list, c.values))...)))
		_, _ = scan(nil) // which releases the kept row
		var err error
		n := taken(func() { _, err = scan(payload) }) - len(payload)
		bad, is := err.(*schema.RowError)
		if c.ok != (err == nil) || !c.ok && (!is || bad.Code != "LIMIT_RECORD" || bad.Hint == "") {
			t.Errorf("%s: %v", name, err)
		}
		if !c.ok && n > max(1<<20, len(payload)) {
			t.Errorf("%s: %d bytes were taken", name, n)
		}
	}
}

// FuzzExamples scans any bytes as an Example and compares the result with protobuf. The memory must
// depend only on the bytes.
func FuzzExamples(f *testing.F) {
	list := func(number protowire.Number, values ...[]byte) []byte {
		return field(2, field(number, slices.Concat(values...)))
	}
	entry := func(key string, value []byte) []byte { return field(1, append(field(1, []byte(key)), value...)) }
	f.Add(field(1, entry("a", list(1, field(1, []byte("text")), field(1, nil), field(1, nil)))))
	f.Add(field(1, append(entry("a", list(3, field(1, []byte{1, 2, 0xff, 1}), []byte{8, 5})),
		entry("b", list(2, field(1, make([]byte, 8))))...)))
	f.Add(field(1, append(entry("a", list(2, field(1, make([]byte, 400)))),
		entry("a", list(1, bytes.Repeat([]byte{10, 0}, 300)))...)))
	f.Add(field(1, entry("b", append(list(3, []byte{8, 1, 8, 2}), list(3, field(1, make([]byte, 9)))...))))
	keys := []string{"a", "b"}
	scan := examples(f, keys...)
	f.Fuzz(func(t *testing.T, payload []byte) {
		var vals []schema.Value
		var err error
		// Texts of two bytes take a value of 56; memory comes in chunks.
		if n := taken(func() { vals, err = scan(payload) }); n > 1<<20+40*len(payload) {
			t.Errorf("%d bytes were treated as a record of %d", n, len(payload))
		}
		example := new(tfpb.Example)
		if proto.Unmarshal(payload, example) != nil || err != nil {
			return // what is refused is compared in package message
		}
		for i, key := range keys {
			if got, want := shown(&vals[i]), expected(example.GetFeatures().GetFeature()[key]); !slices.EqualFunc(got,
				want, bytes.Equal) {
				t.Errorf("%q: feature %s is %q, expected %q", payload, key, got, want)
			}
		}
	})
}

// shown returns the elements of a value as bytes, and expected the elements according to protobuf.
func shown(v *schema.Value) (list [][]byte) {
	for i := range v.List {
		list = append(list, v.List[i].Text)
	}
	if v.Kind == schema.Array {
		for part := range slices.Chunk(v.Text, v.Elem.Size()) {
			list = append(list, part)
		}
	}
	return list
}

func expected(f *tfpb.Feature) (list [][]byte) {
	list = append(list, f.GetBytesList().GetValue()...)
	for _, x := range f.GetFloatList().GetValue() {
		list = append(list, binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
	}
	for _, x := range f.GetInt64List().GetValue() {
		list = append(list, binary.LittleEndian.AppendUint64(nil, uint64(x)))
	}
	return list
}
