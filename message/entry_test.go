package message

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/internal/testenv"
)

// TestFastFieldsEqualProtowire compares the fast path of cutField with package protowire, for random fields.
func TestFastFieldsEqualProtowire(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 7))
	cut := 0
	for range testenv.Times(20_000, 200_000, 2_000_000) {
		data := make([]byte, r.IntN(200))
		for i := range data {
			data[i] = byte(r.IntN(256))
		}
		if len(data) > 2 && r.IntN(4) > 0 {
			data[0], data[1] = byte(r.IntN(6))<<3|2, byte(r.IntN(140))
		}
		f, rest, ok := cutShort(data)
		if !ok {
			continue
		}
		cut++
		number, wireType, n := protowire.ConsumeTag(data)
		content, size := protowire.ConsumeBytes(data[max(0, n):])
		if n < 0 || size < 0 || wireType != protowire.BytesType || f.number != number || !f.is(number) ||
			!bytes.Equal(f.content, content) || !bytes.Equal(rest, data[n+size:]) {
			t.Fatalf("%x: field %d of %x", data, f.number, f.content)
		}
	}
	if cut < 1000 {
		t.Errorf("%d fields were cut", cut)
	}
}

// TestReadEntry reads single entries, valid and invalid.
func TestReadEntry(t *testing.T) {
	field := func(number protowire.Number, content []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
	}
	ints := field(3, field(1, []byte{5, 0x80, 1}))
	entry := func(key string, feature []byte) []byte { return append(field(1, []byte(key)), field(2, feature)...) }
	key, f, ok := ReadEntry(Example, append(field(1, entry("id", ints)), "the rest"...))
	var got []int64
	for v := range f.Ints() {
		got = append(got, v)
	}
	if !ok || string(key) != "id" || f.List != Int64List || f.Count != 2 || len(got) != 2 || got[0] != 5 ||
		got[1] != 128 {
		t.Errorf("%q: %v %v, %v", key, f.List, got, ok)
	}
	if _, f, ok := ReadEntry(OFRecord, field(1, entry("x", ints))); ok {
		t.Errorf("a list of doubles with 3 bytes is read: %v", f)
	}
	for _, bad := range [][]byte{nil, {0x0a}, field(2, entry("id", ints)), field(1, entry("\xff", ints)),
		field(1, entry("id", ints))[:9], []byte("\x08\x01")} {
		if _, _, ok := ReadEntry(Example, bad); ok {
			t.Errorf("%x is read", bad)
		}
	}
}
