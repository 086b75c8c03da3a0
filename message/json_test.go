package message

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// jsonOf returns the JSON of a payload; both functions must give the same.
func jsonOf(t *testing.T, kind Kind, payload []byte) string {
	t.Helper()
	var m Message
	if err := m.Read(kind, payload); err != nil {
		t.Fatal(err)
	}
	line := string(m.AppendJSON([]byte("before")))
	var written bytes.Buffer
	if err := m.WriteJSON(&written); err != nil || "before"+written.String() != line {
		t.Fatalf("%x: appended %s, written %s, %v", payload, line, &written, err)
	}
	return written.String()
}

// The JSON of each message of the formats is parsed to the same payload.
func TestJSON(t *testing.T) {
	for _, c := range []struct {
		kind          Kind
		payload, want string
	}{
		{Example, "", `{}`},
		{Example, "0a00", `{"features":{}}`},
		{Example, "0a520a110a08666561747572653012051a030a01000a110a08666561747572653112051a030a01040a140a086665617475726532" +
			"12080a060a04676f61740a140a086665617475726533120812060a045bd37c3f",
			`{"features":{"feature":{"feature0":{"int64List":{"value":["0"]}},"feature1":{"int64List":{"value":["4"]}},` +
				`"feature2":{"bytesList":{"value":["Z29hdA=="]}},"feature3":{"floatList":{"value":[0.9876]}}}}}`},
		{Example, "0a150a130a0161120e1a0c0a0affffffffffffffffff01",
			`{"features":{"feature":{"a":{"int64List":{"value":["-1"]}}}}}`},
		{Example, "0a090a070a016112021a00", `{"features":{"feature":{"a":{"int64List":{}}}}}`},
		{Example, "0a070a050a01611200", `{"features":{"feature":{"a":{}}}}`},
		{Example, "0a080a060a0012021a00", `{"features":{"feature":{"":{"int64List":{}}}}}`},
		{Example, "0a0e0a0c0a016112070a050a000a0178",
			`{"features":{"feature":{"a":{"bytesList":{"value":["","eA=="]}}}}}`},
		{Example, "0a180a160a0166121112 0f0a0d 0000c07f 0000807f 000080ff 00",
			`{"payload":"ChgKFgoBZhIREg8KDQAAwH8AAIB/AACA/wA="}`}, // 13 bytes of floats
		{Example, "0a170a150a0166121012 0e0a0c 0000c07f 0000807f 000080ff",
			`{"features":{"feature":{"f":{"floatList":{"value":["NaN","Infinity","-Infinity"]}}}}}`},
		{SequenceExample, "0a0e0a0c0a036c656e12051a030a010212180a160a03746f6b120f0a051a030a01070a061a040a020809",
			`{"context":{"feature":{"len":{"int64List":{"value":["2"]}}}},"featureLists":{"featureList":{"tok":{"feature":` +
				`[{"int64List":{"value":["7"]}},{"int64List":{"value":["8","9"]}}]}}}}`},
		{SequenceExample, "1200", `{"featureLists":{}}`},
		{SequenceExample, "0a001209 0a070a0161120 20a00",
			`{"context":{},"featureLists":{"featureList":{"a":{"feature":[{}]}}}}`},
		{OFRecord, "0a140a0b636c6173732f6c6162656c120522030a01070a120a07656e636f64656412070a050a03ffd8ff",
			`{"feature":{"class/label":{"int32List":{"value":[7]}},"encoded":{"bytesList":{"value":["/9j/"]}}}}`},
		{OFRecord, "0a150a0164 1210 1a0e 0a0c", `{"payload":"ChUKAWQSEBoOCgw="}`},
		{OFRecord, "0a11 0a0164 120c 1a0a 0a08 9a9999999999b93f", `{"feature":{"d":{"doubleList":{"value":[0.1]}}}}`},
		{None, "0a00", `{"payload":"CgA="}`},

		// A payload that is not canonical has its bytes in addition.
		{Example, "0a0f0a0d0a016112081a06080108010803",
			`{"features":{"feature":{"a":{"int64List":{"value":["1","1","3"]}}}},"payload":"Cg8KDQoBYRIIGgYIAQgBCAM="}`},
		{Example, "0a0f0a0d0a0166120812060a040000c0ff",
			`{"features":{"feature":{"f":{"floatList":{"value":["NaN"]}}}},"payload":"Cg8KDQoBZhIIEgYKBAAAwP8="}`},
		{Example, "0a0e0a050a016212000a050a01621200",
			`{"features":{"feature":{"b":{}}},"payload":"Cg4KBQoBYhIACgUKAWISAA=="}`},
		{Example, "0a070a0512000a0162", `{"features":{"feature":{"b":{}}},"payload":"CgcKBRIACgFi"}`},
	} {
		payload, err := hex.DecodeString(strings.ReplaceAll(c.payload, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if got := jsonOf(t, c.kind, payload); got != c.want {
			t.Errorf("%s is\n%s, want\n%s", c.payload, got, c.want)
		}
		compareJSON(t, c.kind, payload)
	}
}

// compareJSON checks that the JSON of a payload gives the payload, and that protobuf parses it as
// the same message.
func compareJSON(t *testing.T, kind Kind, payload []byte) {
	t.Helper()
	line := jsonOf(t, kind, payload)
	var p Parser
	got, _, err := p.Parse([]byte("before"), []byte(line))
	if err != nil || string(got) != "before"+string(payload) {
		t.Fatalf("%x is %s, and that is %x, %v", payload, line, got, err)
	}
	want, _ := protobuf(kind, payload)
	if want == nil {
		return
	}
	m := newMessage(kind).Interface()
	err = protojson.UnmarshalOptions{DiscardUnknown: strings.Contains(line, `"payload":`)}.Unmarshal([]byte(line), m)
	if err != nil || !strings.Contains(line, `"payload":`) && !proto.Equal(m, want.Interface()) {
		t.Fatalf("%x is %s, and protobuf reads it as %v, %v", payload, line, m, err)
	}
}

func TestJSONOfPayloads(t *testing.T) {
	long := nested(1, nested(1, slices.Concat(nested(1, 'k'),
		nested(2, nested(1, nested(1, make([]byte, 1<<20)...)...)...))...)...)
	for _, payload := range slices.Concat(odd(), usual(t), [][]byte{long}) {
		for _, kind := range append(kinds, None) {
			compareJSON(t, kind, payload)
		}
	}
}

// The first error of a writer is returned, and nothing is written after it.
func TestWriteJSONFails(t *testing.T) {
	failure := errors.New("full")
	var m Message
	if err := m.Read(None, make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := m.WriteJSON(failing{failure}); !errors.Is(err, failure) {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestReadMany has one feature more than Read accepts.
func TestReadMany(t *testing.T) {
	var m Message
	if err := m.Read(OFRecord, bytes.Repeat(nested(1), maxFeatures+1)); err != ErrMany {
		t.Errorf("%v", err)
	}
}

// TestAppendJSONAllocates checks that a message is printed without allocations after the first one.
func TestAppendJSONAllocates(t *testing.T) {
	payload := usual(t)[1]
	var m Message
	var line []byte
	allocs := testing.AllocsPerRun(10, func() {
		if err := m.Read(Example, payload); err != nil {
			t.Fatal(err)
		}
		line = m.AppendJSON(line[:0])
	})
	if allocs > 3 {
		t.Errorf("%v allocations", allocs)
	}
}
