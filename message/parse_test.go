package message

import (
	"math"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"tfr-build/schema/tfpb"
)

// protobuf returns the Example in payload as protobuf reads it, or nil where it
// is none or has fields that the message does not have.
func protobuf(payload []byte) *tfpb.Example {
	var e tfpb.Example
	if proto.Unmarshal(payload, &e) != nil || len(e.ProtoReflect().GetUnknown()) > 0 || len(e.GetFeatures().ProtoReflect().GetUnknown()) > 0 {
		return nil
	}
	return &e
}

// compareParsed holds what Each tells against what protobuf reads.
func compareParsed(t *testing.T, payload []byte) {
	t.Helper()
	got := map[string]Feature{}
	ok := Each(Example, payload, func(key []byte, f Feature) { got[string(key)] = f })
	want := protobuf(payload)
	if ok != (want != nil) {
		t.Fatalf("%x: an Example: %v, and protobuf says %v", payload, ok, !ok)
	}
	if !ok {
		return
	}
	if len(got) != len(want.GetFeatures().GetFeature()) {
		t.Fatalf("%x: %d features, and protobuf reads %v", payload, len(got), want)
	}
	for key, w := range want.GetFeatures().GetFeature() {
		f, same := got[key], false
		switch list := w.GetKind().(type) {
		case *tfpb.Feature_BytesList:
			values := slices.Collect(f.Bytes())
			same = f.List == BytesList && f.Count == len(values) && slices.EqualFunc(values, list.BytesList.GetValue(), slices.Equal)
		case *tfpb.Feature_FloatList:
			values := slices.Collect(f.Floats())
			bits := func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }
			same = f.List == FloatList && f.Count == len(values) && slices.EqualFunc(values, list.FloatList.GetValue(), bits)
		case *tfpb.Feature_Int64List:
			values := slices.Collect(f.Ints())
			same = f.List == Int64List && f.Count == len(values) && slices.Equal(values, list.Int64List.GetValue())
		default:
			same = f.List == ""
		}
		if !same {
			t.Fatalf("%x: feature %q is %+v, and protobuf reads %v", payload, key, f, w)
		}
	}
}

func nested(number protowire.Number, content ...byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
}

// oddExamples are payloads that say the same in unusual ways, or are damaged.
func oddExamples() [][]byte {
	example := func(features ...[]byte) []byte { return nested(1, slices.Concat(features...)...) }
	entry := func(parts ...[]byte) []byte { return nested(1, slices.Concat(parts...)...) }
	key := nested(1, 'k')
	feature := func(lists ...[]byte) []byte { return nested(2, slices.Concat(lists...)...) }
	ints, floats, texts := nested(3, nested(1, 7, 8)...), nested(2, nested(1, 1, 2, 3, 4)...), nested(1, nested(1, 'x')...)
	unpacked := nested(3, 8, 5, 8, 6)
	fixed := nested(2, 0x0d, 1, 2, 3, 4)
	unknown := []byte{0x78, 1}
	group := []byte{0x7b, 0x08, 1, 0x7c}
	return [][]byte{
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
		example(entry(key, nested(2, nested(2, nested(1, 1, 2, 3)...)...))),                  // three bytes of floats
		example(entry(key, nested(2, nested(3, nested(1, 0x80)...)...))),                     // a cut number
		example(entry(key, nested(2, nested(3, 0x0d, 1, 2, 3, 4)...))),                       // a number of another form
		example(entry(key, feature(ints), nested(2, 0x1a))),                                  // a piece that is cut
		example(entry(key, nested(2, 0x1a), nested(2, 0))),                                   // and one that is whole only with the next
		append(example(entry(key, feature(ints))), unknown...), example(unknown, entry(key)), // fields that are none
		{0x0c}, {0x0b, 0x0c}, {0x00, 0x00}, {0x0a, 0xff}, {0xf8, 0xff, 0xff, 0xff, 0x7f, 0x00}, // no fields at all
	}
}

// usualExamples are payloads as protobuf writes them.
func usualExamples(t *testing.T) (payloads [][]byte) {
	ints := func(x ...int64) *tfpb.Feature {
		return &tfpb.Feature{Kind: &tfpb.Feature_Int64List{Int64List: &tfpb.Int64List{Value: x}}}
	}
	floats := func(x ...float32) *tfpb.Feature {
		return &tfpb.Feature{Kind: &tfpb.Feature_FloatList{FloatList: &tfpb.FloatList{Value: x}}}
	}
	texts := func(x ...[]byte) *tfpb.Feature {
		return &tfpb.Feature{Kind: &tfpb.Feature_BytesList{BytesList: &tfpb.BytesList{Value: x}}}
	}
	for _, features := range []map[string]*tfpb.Feature{
		{"feature0": ints(0), "feature1": ints(4), "feature2": texts([]byte("goat")), "feature3": floats(0.9876)},
		{"": ints(), "a key": ints(math.MinInt64, math.MaxInt64), "<&>\n": texts([]byte("ü\xff\x00"), nil), "many": ints(make([]int64, 1000)...), "none": floats(), "unset": {}},
		{"floats": floats(float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e21, float32(math.Copysign(0, -1)))},
	} {
		payload, err := proto.Marshal(&tfpb.Example{Features: &tfpb.Features{Feature: features}})
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, payload)
	}
	return append(payloads, []byte("no Example"))
}

func TestEach(t *testing.T) {
	for _, payload := range slices.Concat(oddExamples(), usualExamples(t)) {
		for n := range len(payload) + 1 {
			compareParsed(t, payload[:n])
		}
	}
}

// FuzzEach reads anything as protobuf does.
func FuzzEach(f *testing.F) {
	for _, payload := range oddExamples() {
		f.Add(payload)
	}
	f.Fuzz(compareParsed)
}
