package dataset

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"tfr-build/framing"
	"tfr-build/schema"
	"tfr-build/schema/tfpb"
	"tfr-build/tfrecord"
)

// sequence is a SequenceExample of a context and a list of steps.
func sequence(t testing.TB, steps int) []byte {
	t.Helper()
	ints := func(x ...int64) *tfpb.Feature {
		return &tfpb.Feature{Kind: &tfpb.Feature_Int64List{Int64List: &tfpb.Int64List{Value: x}}}
	}
	tokens := &tfpb.FeatureList{}
	for i := range steps {
		tokens.Feature = append(tokens.Feature, ints(make([]int64, i)...))
	}
	payload, err := proto.MarshalOptions{Deterministic: true}.Marshal(&tfpb.SequenceExample{
		Context:      &tfpb.Features{Feature: map[string]*tfpb.Feature{"len": ints(int64(steps))}},
		FeatureLists: &tfpb.FeatureLists{FeatureList: map[string]*tfpb.FeatureList{"tokens": tokens, "none": {}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// ofRecord is an OFRecord of a list for each number of one, with as many bytes.
func ofRecord(content int) []byte {
	nested := func(number protowire.Number, content ...byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
	}
	entry := func(key string, list protowire.Number, values ...byte) []byte {
		return nested(1, slices.Concat(nested(1, []byte(key)...),
			nested(2, nested(list, nested(1, values...)...)...))...)
	}
	return slices.Concat(
		entry("image", 1, make([]byte, content)...),
		entry("doubles", 3, binary.LittleEndian.AppendUint64(nil, 0x3fb999999999999a)...),
		entry("class/label", 4, 7), entry("id", 5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1),
	)
}

func ofFile(payloads ...[]byte) (file []byte) {
	for _, p := range payloads {
		file = tfrecord.OFRecord.Append(file, p)
	}
	return file
}

func TestInspectSequenceExamples(t *testing.T) {
	data, _ := shardFile(t, [][]byte{sequence(t, 3), sequence(t, 12), example(t, map[string]values{"a": []int64{1}})},
		tfrecord.Gzip)
	want := `record 0 at byte 0, 59 bytes, SequenceExample
  len: int64 3
  none: 0 steps
  tokens: 3 steps
    int64 []
    int64 0
    int64 [0 0]
record 1 at byte 75, 179 bytes, SequenceExample
  len: int64 12
  none: 0 steps
  tokens: 12 steps
    int64 []
    int64 0
    int64 [0 0]
    int64 [0 0 0]
    int64 [0 0 0 0]
    int64 [0 0 0 0 0]
    int64 [0 0 0 0 0 0]
    int64 [0 0 0 0 0 0 0]
    int64 [0 0 0 0 0 0 0 0]
    int64 [0 0 0 0 0 0 0 0 0]
    … 12 steps
record 2 at byte 270, 14 bytes
  a: int64 1
`
	if got := inspectString(t, data, InspectOptions{}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	line := `{"context":{"feature":{"len":{"int64List":{"value":["3"]}}}},"featureLists":{"featureList":{"none":{},` +
		`"tokens":{"feature":[{"int64List":{}},{"int64List":{"value":["0"]}},{"int64List":{"value":["0","0"]}}]}}}}` +
		"\n"
	if got := inspectString(t, data, InspectOptions{Form: ProtoForm, Limit: 1}); got != line {
		t.Errorf("got\n%swant\n%s", got, line)
	}
}

func TestInspectOFRecords(t *testing.T) {
	const shown = `  class/label: int32 7
  doubles: double 0.1
  id: int64 -1
  image: bytes "\x00\x00\x00"
`
	data := ofFile(ofRecord(3), ofRecord(3))
	want := "record 0 at byte 0, 87 bytes, OFRecord\n" + shown + "record 1 at byte 95, 87 bytes, OFRecord\n" + shown
	if got := inspectString(t, data, InspectOptions{}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	line := `{"feature":{"image":{"bytesList":{"value":["AAAA"]}},"doubles":{"doubleList":{"value":[0.1]}},` +
		`"class/label":{"int32List":{"value":[7]}},"id":{"int64List":{"value":["-1"]}}}}` + "\n"
	if got := inspectString(t, data, InspectOptions{Form: ProtoForm, Skip: 1}); got != line {
		t.Errorf("got\n%swant\n%s", got, line)
	}
	var b bytes.Buffer
	err := Inspect(&b, bytes.NewReader(data[:len(data)-1]), "f", InspectOptions{Skip: 1})
	if err == nil || !strings.HasPrefix(err.Error(), "f: record 1 at byte 95: ") {
		t.Errorf("of a file that is cut: %v", err)
	}
}

// TestInspectBareMessages has a file that is one message of each kind.
func TestInspectBareMessages(t *testing.T) {
	for _, c := range []struct {
		data []byte
		want string
	}{
		{sequence(t, 0), "a bare SequenceExample, 40 bytes\n  len: int64 0\n  none: 0 steps\n  tokens: 0 steps\n"},
		{sequence(t, 0)[16:], "a bare SequenceExample, 24 bytes\n  none: 0 steps\n  tokens: 0 steps\n"},
		{ofRecord(0), "a bare OFRecord, 84 bytes\n  class/label: int32 7\n"},
		{ofRecord(100_000), "a bare OFRecord, 100"},
	} {
		if got := inspectString(t, c.data, InspectOptions{}); !strings.HasPrefix(got, c.want) {
			t.Errorf("got\n%swant\n%s", got, c.want)
		}
	}
}

// TestDetect distinguishes files with similar beginnings.
func TestDetect(t *testing.T) {
	zlibLike := make([]byte, 0x9c78-96)
	for size := len(zlibLike); len(ofRecord(size)) <= 0x9c78; size++ {
		zlibLike = ofRecord(size)
	}
	record, _ := shardFile(t, [][]byte{[]byte("ok")}, tfrecord.None)
	packed, _ := shardFile(t, [][]byte{[]byte("ok")}, tfrecord.Gzip)
	deflated, _ := shardFile(t, [][]byte{[]byte("ok")}, tfrecord.Zlib)
	huge := ofFile(ofRecord(1))
	huge[7] = 1
	for _, c := range []struct {
		name        string
		data        []byte
		framing     framing.Name
		compression tfrecord.Compression
	}{
		{"nothing", nil, "tfrecord", tfrecord.None},
		{"records", record, "tfrecord", tfrecord.None},
		{"gzip", packed, "tfrecord", tfrecord.Gzip},
		{"zlib", deflated, "tfrecord", tfrecord.Zlib},
		{"OFRecords", ofFile(ofRecord(3)), "ofrecord", tfrecord.None},
		{"an OFRecord that is cut", ofFile(ofRecord(3))[:40], "ofrecord", tfrecord.None},
		{"a large OFRecord", ofFile(ofRecord(1 << 20)), "ofrecord", tfrecord.None},
		{"an OFRecord whose length looks like zlib", ofFile(zlibLike), "ofrecord", tfrecord.None},
		{"a length beyond any", huge, "tfrecord", tfrecord.None},
		{"a length of other bytes", ofFile([]byte("text, and more of it")), "tfrecord", tfrecord.None},
		{"an empty OFRecord", make([]byte, 8), "tfrecord", tfrecord.None},
		{"text", []byte("id,name\n1,Ann\n"), "tfrecord", tfrecord.None},
	} {
		if got, _ := detect(c.data[:min(len(c.data), framing.DetectSize)]); got.Format != c.framing.Format() ||
			got.compression != c.compression {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if len(zlibLike) != 0x9c78 {
		t.Errorf("the record that should look like zlib has %d bytes", len(zlibLike))
	}
}

// TestInspectDatasetOfRecords has datasets whose manifest says what a payload is.
func TestInspectDatasetOfRecords(t *testing.T) {
	context := sequence(t, 2)[:16] // which is an Example as well
	for _, c := range []struct {
		record             schema.Message
		payload            []byte
		text, proto, plain string
	}{
		{schema.SequenceMessage, context, "16 bytes, SequenceExample\n  len: int64 2\n",
			`{"context":{"feature":{"len":{"int64List":{"value":["2"]}}}}}`,
			`{"context":{"len":2},"feature_lists":{}}`},
		{schema.SequenceMessage, []byte("no"), "2 bytes\n  no message: \"no\"\n", `{"payload":"bm8="}`,
			`{"text":"no"}`},
		{schema.ExampleMessage, context, "16 bytes\n  len: int64 2\n",
			`{"features":{"feature":{"len":{"int64List":{"value":["2"]}}}}}`, `{"len":2}`},
		{schema.BytesMessage, context, "16 bytes\n  len: int64 2\n",
			`{"features":{"feature":{"len":{"int64List":{"value":["2"]}}}}}`, `{"len":2}`},
		{schema.JSONMessage, []byte(`{"a":"\n\u001b"}`), "16 bytes, json\n  {\"a\":\"\\n\\u001b\"}\n",
			`{"payload":"eyJhIjoiXG5cdTAwMWIifQ=="}`, `{"a":"\n\u001b"}`},
		{schema.TextMessage, []byte("é\n\x1b\xff"), "5 bytes, text\n  é\\n\\x1b\\xff\n", `{"payload":"w6kKG/8="}`,
			`{"base64":"w6kKG/8="}`},
		{schema.TextMessage, bytes.Repeat([]byte("é"), 3000),
			"6000 bytes, text\n  " + strings.Repeat("é", 2048) + "… 6000 bytes\n", `{"payload":"w6nDqcOp`,
			`{"text":"éééé`},
		{schema.TextMessage, nil, "0 bytes, text\n  \n", `{"payload":""}`, `{"text":""}`},
		{schema.BytesMessage, []byte("no"), "2 bytes\n  no message: \"no\"\n", `{"payload":"bm8="}`,
			`{"base64":"bm8="}`},
		{schema.TextMessage, []byte("a\x01"), "2 bytes, text\n  a\\x01\n", `{"payload":"YQE="}`, `{"text":"a\u0001"}`},
		{schema.JSONMessage, []byte(" \n{\"a\":\r[1,\t\"\u009b\u007f\"]}"), "19 bytes, json\n", `{"payload":`,
			"  {\"a\": [1,\t\"\\u009b\\u007f\"]}\n"},
		{schema.JSONMessage, []byte(`[1]`), "3 bytes, json\n  [1]\n", `{"payload":"WzFd"}`, `{"text":"[1]"}`},
		{schema.JSONMessage, []byte("{\"\xff\":1}"), "7 bytes, json\n", `{"payload":`, `{"base64":"eyL/IjoxfQ=="}`},
		{schema.JSONExampleMessage, []byte(`{"features":{}}`), "15 bytes, json_example\n", `{"payload":`,
			`{"features":{}}`},
	} {
		m := &Manifest{}
		m.SetRecords(c.record, framing.Default())
		info := &Info{Name: "records", Version: "1.0.0", Record: schema.Record{Message: c.record}}
		dir := t.TempDir()
		put(t, finish(t, info, m, []testSplit{{"train", [][][]byte{{c.payload}}}}), dir)
		for form, want := range map[Form]string{TextForm: "record 0 at byte 0, " + c.text, PlainForm: c.plain,
			ProtoForm: c.proto} {
			var b bytes.Buffer
			if err := InspectDataset(&b, dir, InspectOptions{Form: form}, func(string) {}); err != nil ||
				!strings.HasPrefix(b.String(), want) {
				t.Errorf("got\n%swant\n%s%v", &b, want, err)
			}
		}
	}
}

// listWithContext is an ExampleListWithContext of a context and so many Examples.
func listWithContext(t testing.TB, examples int) (payload []byte) {
	t.Helper()
	for i := range examples {
		payload = protowire.AppendBytes(protowire.AppendTag(payload, 1, protowire.BytesType),
			example(t, map[string]values{"score": []float32{float32(i)}, "doc": [][]byte{[]byte("d")}}))
	}
	return protowire.AppendBytes(protowire.AppendTag(payload, 2, protowire.BytesType),
		example(t, map[string]values{"query": [][]byte{[]byte("pets")}}))
}

// TestInspectListsWithContext prints the Examples of each list, and as protobuf's JSON
// the bytes.
func TestInspectListsWithContext(t *testing.T) {
	first := listWithContext(t, 2)
	data, _ := shardFile(t, [][]byte{first, listWithContext(t, 11)}, tfrecord.None)
	want := `record 0 at byte 0, 97 bytes, ExampleListWithContext
  example 0
    doc: bytes "d"
    score: float 0
  example 1
    doc: bytes "d"
    score: float 1
  context
    query: bytes "pets"
record 1 at byte 113, 430 bytes, ExampleListWithContext
`
	for i := range 10 {
		want += fmt.Sprintf("  example %d\n    doc: bytes \"d\"\n    score: float %d\n", i, i)
	}
	want += "  context\n    query: bytes \"pets\"\n  … 11 examples\n"
	if got := inspectString(t, data, InspectOptions{}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	line := `{"payload":"` + base64.StdEncoding.EncodeToString(first) + "\"}\n"
	if got := inspectString(t, data, InspectOptions{Form: ProtoForm, Limit: 1}); got != line {
		t.Errorf("%s, want %s", got, line)
	}
	plain := `{"context":{"query":"pets"},"examples":[{"doc":"d","score":0},{"doc":"d","score":1}]}` + "\n"
	if got := inspectString(t, data, InspectOptions{Form: PlainForm, Limit: 1}); got != plain {
		t.Errorf("%s, want %s", got, plain)
	}
	plain = `{"context":{},"examples":[{"a":1}]}` + "\n"
	alone := protowire.AppendBytes([]byte{0x0a}, example(t, map[string]values{"a": []int64{1}}))
	if got := inspectString(t, alone, InspectOptions{Form: PlainForm}); got != plain {
		t.Errorf("%s, want %s", got, plain)
	}
	if got := inspectString(t, first, InspectOptions{}); !strings.HasPrefix(got,
		"a bare ExampleListWithContext, 97 bytes\n  example 0\n    doc") {
		t.Error(got)
	}
}
