package message

import (
	"bytes"
	"encoding/hex"
	"math"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"tfr-build/internal/cost"
	"tfr-build/schema/tfpb"
)

// odd are valid payloads that are not canonical, and damaged payloads.
func odd() [][]byte {
	example := func(features ...[]byte) []byte { return nested(1, slices.Concat(features...)...) }
	entry := func(parts ...[]byte) []byte { return nested(1, slices.Concat(parts...)...) }
	key := nested(1, 'k')
	feature := func(lists ...[]byte) []byte { return nested(2, slices.Concat(lists...)...) }
	ints, floats, texts := nested(3, nested(1, 7, 8)...), nested(2, nested(1, 1, 2, 3, 4)...),
		nested(1, nested(1, 'x')...)
	unpacked := nested(3, 8, 5, 8, 6)
	fixed := nested(2, 0x0d, 1, 2, 3, 4)
	unknown := []byte{0x78, 1}
	group := []byte{0x7b, 0x08, 1, 0x7c}
	list := func(steps ...[]byte) []byte { return nested(2, slices.Concat(steps...)...) }
	step := func(lists ...[]byte) []byte { return nested(1, slices.Concat(lists...)...) }
	lists := func(entries ...[]byte) []byte { return nested(2, slices.Concat(entries...)...) }
	payloads := [][]byte{
		nil,
		{0x0a, 0},
		example(entry(key, feature(ints))),
		example(entry(key, feature(ints, unpacked, ints))),
		example(entry(key, feature(floats, fixed))),
		example(entry(key, feature(texts, ints, texts))),
		example(entry(key, feature(ints, unknown, group, ints))),
		example(entry(key, feature(ints), feature(unpacked))),
		example(entry(key, feature(ints), feature(texts), feature(ints))),
		example(entry(key, feature(ints)), entry(key, feature(texts))),
		append(example(entry(key, feature(ints))), example(entry(nested(1, 'l'), feature(texts)))...),
		example(entry(feature(ints), key, nested(1, 'm'))),
		example(entry(key)), example(entry(feature(ints))), example(entry()),
		example(entry(key, unknown, group, feature(ints))),
		example(entry(nested(1, 0xff), feature(ints))),
		// a key, a number where one could be, and a feature without a list that protobuf reads
		[]byte("\x0a\x0f\x0a\x0d\x0a\x01k\x08\x01\x12\x06\x32\x04\x0a\x02\x07\x08"),
		// a key, and a number where one could be
		example(entry(key, []byte{8, 1}, feature(ints))),
		example(entry(key, nested(2, nested(2, nested(1, 1, 2, 3)...)...))), // three bytes of floats
		example(entry(key, nested(2, nested(3, nested(1, 0x80)...)...))),    // a cut number
		example(entry(key, nested(2, nested(3, 0x0d, 1, 2, 3, 4)...))),      // a number of another form
		example(entry(key, feature(ints), nested(2, 0x1a))),                 // a piece that is cut
		// and one that is complete only with the next
		example(entry(key, nested(2, 0x1a), nested(2, 0))),
		// fields that are not valid
		append(example(entry(key, feature(ints))), unknown...), example(unknown, entry(key)),
		{0x0c}, {0x0b, 0x0c}, {0x00, 0x00}, {0x0a, 0xff}, {0xf8, 0xff, 0xff, 0xff, 0x7f, 0x00}, // no fields at all
		{0x8a, 0x00, 0x00}, {0x0a, 0x80, 0x00}, // fields spelled longer than they need

		lists(entry(key, list(step(ints), step(texts), step()))),
		lists(entry(key, list(step(ints), unknown)), entry(key, list())),
		lists(entry(key, list(step(ints)), list(step(texts, ints)))), // a list in two pieces
		lists(entry(key, list(nested(1, 0x1a)))),                     // a step that is cut
		lists(entry(key), unknown),
		append(lists(entry(key, list(step(ints)))), example(entry(key, feature(ints)))...),
		append(lists(entry(key, list(step(ints)))), lists(entry(key, list(step(texts))))...),

		// int32, a negative one in five bytes
		entry(key, feature(nested(4, nested(1, 7, 0xff, 0xff, 0xff, 0xff, 0x0f)...))),
		entry(key, feature(nested(4, 8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1))),
		entry(key, feature(nested(3, nested(1, 1, 2, 3, 4, 5, 6, 7, 8)...))), // doubles
		entry(key, feature(nested(3, 9, 1, 2, 3, 4, 5, 6, 7, 8))),
		entry(key, feature(nested(3, nested(1, 1, 2, 3, 4, 5, 6, 7)...))),
		entry(key, []byte{8, 1}),
		entry(key, feature(nested(5, nested(1, 7)...), nested(4, nested(1, 7)...), nested(4, nested(1, 8)...))),
	}
	for _, p := range slices.Clone(payloads) { // and as the fields of others
		payloads = append(payloads, nested(1, p...), nested(2, p...))
	}
	return payloads
}

// usual are payloads as protobuf writes them, and the examples of the formats.
func usual(t testing.TB) (payloads [][]byte) {
	ints := func(x ...int64) *tfpb.Feature {
		return &tfpb.Feature{Kind: &tfpb.Feature_Int64List{Int64List: &tfpb.Int64List{Value: x}}}
	}
	floats := func(x ...float32) *tfpb.Feature {
		return &tfpb.Feature{Kind: &tfpb.Feature_FloatList{FloatList: &tfpb.FloatList{Value: x}}}
	}
	texts := func(x ...[]byte) *tfpb.Feature {
		return &tfpb.Feature{Kind: &tfpb.Feature_BytesList{BytesList: &tfpb.BytesList{Value: x}}}
	}
	list := func(x ...*tfpb.Feature) *tfpb.FeatureList { return &tfpb.FeatureList{Feature: x} }
	features := func(f map[string]*tfpb.Feature) *tfpb.Features { return &tfpb.Features{Feature: f} }
	odd := map[string]*tfpb.Feature{
		"": ints(), "a key": ints(math.MinInt64, math.MaxInt64), "<&>\n\"\u2028\x00é": texts([]byte("ü\xff\x00"), nil),
		"many": ints(make([]int64, 30)...), "none": floats(), "unset": {},
		"floats": floats(float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e21, 1e-7, 1e-6, 1e-45,
			math.MaxFloat32, float32(math.Copysign(0, -1))),
	}
	for _, m := range []proto.Message{
		&tfpb.Example{Features: features(map[string]*tfpb.Feature{"feature0": ints(0), "feature1": ints(4),
			"feature2": texts([]byte("goat")), "feature3": floats(0.9876)})},
		&tfpb.Example{Features: features(odd)},
		&tfpb.SequenceExample{Context: features(odd)},
		&tfpb.SequenceExample{FeatureLists: &tfpb.FeatureLists{}},
		&tfpb.SequenceExample{Context: features(odd),
			FeatureLists: &tfpb.FeatureLists{FeatureList: map[string]*tfpb.FeatureList{
				"z": list(ints(7), ints(), &tfpb.Feature{}, texts([]byte("x"))), "none": {},
				"floats": list(floats(1), floats(2, 3)),
			}}},
	} {
		payload, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, payload)
	}
	for _, vector := range []string{
		"0a0e0a0c0a016112071a050a03010103",
		"0a080a060a0012021a00",
		"0a160a030a6c656e12051a030a010212180a160a03746f6b120f0a051a030a01070a061a040a020809", // no message
		"0a0e0a0c0a036c656e12051a030a010212180a160a03746f6b120f0a051a030a01070a061a040a020809",
		"0a140a0b636c6173732f6c6162656c120522030a01070a120a07656e636f64656412070a050a03ffd8ff",
	} {
		payload, err := hex.DecodeString(vector)
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, payload)
	}
	return append(payloads, []byte("no message"))
}

func TestTruncatedMessages(t *testing.T) {
	for _, payload := range slices.Concat(odd(), usual(t)) {
		for n := range len(payload) + 1 {
			for _, kind := range kinds {
				compareParsed(t, kind, payload[:n])
			}
		}
	}
}

// TestEachAllocates checks that iterating over values does not allocate.
func TestEachAllocates(t *testing.T) {
	payload, sum := usual(t)[0], int64(0)
	allocs := testing.AllocsPerRun(10, func() {
		Each(Example, payload, func(_ []byte, f Feature) {
			if f.List == Int64List {
				for v := range f.Ints() {
					sum += v
				}
			}
		})
	})
	if allocs > 0 || sum == 0 {
		t.Errorf("%v allocations, and the sum is %d", allocs, sum)
	}
}

// TestValueInSeveralFields decodes a value that is split into several fields: a feature, and a
// feature list.
func TestValueInSeveralFields(t *testing.T) {
	feature := nested(2, nested(3, 8, 5)...)
	step := nested(2, nested(1, nested(3, 8, 5)...)...)
	for _, c := range []struct {
		name  string
		kind  Kind
		field protowire.Number // of the message with the map; 0 for the message itself
		piece []byte
	}{{"Example", Example, fieldFeatures, feature}, {"SequenceExample", SequenceExample, fieldLists, step},
		{"OFRecord", OFRecord, 0, nested(2, nested(5, 8, 5)...)}} {
		t.Run(c.name, func(t *testing.T) {
			read := func(n int) func() {
				payload := nested(fieldEntry, append(nested(fieldKey, 'k'), bytes.Repeat(c.piece, n)...)...)
				if c.field > 0 {
					payload = nested(c.field, payload...)
				}
				return func() {
					if !Is(c.kind, payload) {
						t.Fatalf("%d pieces are no %v", n, c.kind)
					}
				}
			}
			cost.Linear(t, read(2000), read(8000))
		})
	}
}

// TestKindOf has the examples of the formats.
func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		payload string
		want    Kind
	}{
		{"", Example},
		{"\x0a\x00", Example},
		{"\x0a\x0e\x0a\x0c\x0a\x01a\x12\x07\x1a\x05\x0a\x03\x01\x01\x03", Example},
		{"\x0a\x0e\x0a\x0c\x0a\x03len\x12\x05\x1a\x03\x0a\x01\x02\x12\x18\x0a\x16\x0a\x03tok\x12\x0f\x0a\x05\x1a\x03\x0a" +
			"\x01\x07\x0a\x06\x1a\x04\x0a\x02\x08\x09", SequenceExample},
		{"\x12\x00", SequenceExample},
		{"\x0a\x14\x0a\x0bclass/label\x12\x05\x22\x03\x0a\x01\x07", None}, // an OFRecord
		{"text", None},
		{"\x0a\x10\x0a\x0e\x0a\x0c\x0a\x01a\x12\x07\x1a\x05\x0a\x03\x01\x01\x03\x0a\x00\x12\x0e\x0a\x0c\x0a\x0a\x0a\x01" +
			"q\x12\x05\x1a\x03\x0a\x01\x07", ListWithContext},
		{"\x12\x0e\x0a\x0c\x0a\x0a\x0a\x01q\x12\x05\x1a\x03\x0a\x01\x07", ListWithContext},
		{"\x0a\x07\x0a\x05\x0a\x03\x0a\x01a", Example}, // whose key is an entry without a value
	} {
		if got := KindOf([]byte(c.payload)); got != c.want {
			t.Errorf("%x is %v, want %v", c.payload, got, c.want)
		}
	}
}

func TestBeginsOFRecord(t *testing.T) {
	long := slices.Concat(nested(1, nested(1, 'a')...),
		nested(1, slices.Concat(nested(1, 'k', 'e', 'y'),
			nested(2, nested(1, nested(1, make([]byte, 1000)...)...)...))...))
	for _, payload := range append(usual(t), long) {
		for n := range len(payload) + 1 {
			size := int64(len(payload))
			if Is(OFRecord, payload) && size > 0 != BeginsOFRecord(payload[:n], size) {
				t.Errorf("%x, which is an OFRecord of %d bytes, cannot begin with %d of them", payload, size, n)
			}
			if n > 20 && Is(OFRecord, payload) && BeginsOFRecord(payload[:n-1], int64(n-1)) &&
				BeginsOFRecord(payload[:n], int64(n)) {
				t.Errorf("%x is one with %d bytes, and with %d", payload, n-1, n)
			}
		}
	}
	for _, c := range []struct {
		payload string
		size    int64
	}{
		{"", 0}, {"text", 1000}, {"\x0a", 0}, {"\x0a\xff\xff\xff\xff\x0f", 1000}, {"\x0a\x20\x0a\x30", 1000},
		{"\x0a\x20\x0a\x01\xff\x12", 1000},
		{"\x0a\x20\x0a\x01a\x12\x1c", 1000}, {"\x0a\x20\x0a\x01a\x17", 1000},
		{"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 1000},
	} {
		if BeginsOFRecord([]byte(c.payload), c.size) {
			t.Errorf("an OFRecord of %d bytes can begin with %q", c.size, c.payload)
		}
	}
}

// FuzzEach decodes any bytes, and compares the result with protobuf.
func FuzzEach(f *testing.F) {
	for _, payload := range odd() {
		f.Add(payload)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		for _, kind := range kinds {
			compareParsed(t, kind, payload)
		}
	})
}
