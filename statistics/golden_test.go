package statistics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/zeebo/xxh3"

	"tfr-build/message"
)

// TestGoldenDocument compares a document and its divergences with hashes that hold on every
// processor.
func TestGoldenDocument(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	var payloads [][]byte
	for i := range 9000 {
		payload, _ := record(message.Example,
			entry{"float", []float32{float32(r.Uint32()>>8) / 4096, -float32(i) / 3}},
			entry{"int", []int64{int64(r.Uint64()) >> (i % 60)}},
			entry{"odd", []float32{math.MaxFloat32, float32(math.Inf(1 - i%3)), math.SmallestNonzeroFloat32}},
			entry{"text", []string{fmt.Sprint("text ", r.Uint32N(3000))}})
		payloads = append(payloads, payload)
	}
	l := NewLayout(message.Example, nil, Options{Values: true})
	d := l.Document([]SplitSummary{{"train", l.counted(nil, payloads[:7000]...)},
		{"test", l.counted(nil, payloads[7000:]...)}})
	text := d.Append(nil)
	for i := range d.Features {
		f := &d.Features[i]
		text = fmt.Appendf(text, "%x\n", Divergence(f.Splits[0], f.Splits[1]))
	}
	const want = "6c279ff11718585d"
	if got := fmt.Sprintf("%016x", xxh3.Hash(text)); got != want {
		t.Errorf("the document has the digest %s, want %s", got, want)
	}
}
