package tfx

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

func TestTextsAreUTF8(t *testing.T) {
	for s, want := range map[string]string{"a\xffb": `a\xffb`, "\xc3": `\xc3`, "ü\x80": `ü\x80`, "\ufffd": "\ufffd",
		`a\xff`: `a\xff`} {
		if got := toUTF8(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}

// TestProtobufReadsTexts has protobuf's own parser read texts of all bytes.
func TestProtobufReadsTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		b := make([]byte, r.IntN(20))
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		s := string(b)
		if r.IntN(2) == 0 {
			s = strings.ToValidUTF8(s, string(rune(r.IntN(0x11000))))
		}
		var w textWriter
		w.string("value", s)
		var read wrapperspb.StringValue
		if err := prototext.Unmarshal(w.out, &read); err != nil || read.Value != toUTF8(s) {
			t.Fatalf("%q is read as %q: %v\n%s", s, read.Value, err, w.out)
		}
		if !utf8.Valid(w.out) {
			t.Fatalf("%q is written as %q", s, w.out)
		}
	}
}

func TestProtobufReadsNumbers(t *testing.T) {
	for _, x := range []float64{0, 1, -1, 0.1, 1e300, 5e-324, math.MaxFloat64, 1 << 62, math.Inf(1), math.Inf(-1),
		math.NaN()} {
		var w textWriter
		w.double("value", x)
		var read wrapperspb.DoubleValue
		if err := prototext.Unmarshal(w.out, &read); err != nil || read.Value != x && x == x {
			t.Errorf("%v is read as %v: %v", x, read.Value, err)
		}
		w.out = nil
		w.float("value", x)
		var short wrapperspb.FloatValue
		if err := prototext.Unmarshal(w.out, &short); err != nil || short.Value != float32(x) && x == x {
			t.Errorf("%v is read as %v: %v", float32(x), short.Value, err)
		}
	}
}
