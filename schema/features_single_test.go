package schema

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"tfr-build/internal/testenv"
)

// TestSingleNumbers encodes an Array of one number on the fast path, if it accepts it, and on the
// slow path. The bytes are the same.
func TestSingleNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	edges := []uint64{0, 1, 1 << 31, 1 << 63, math.MaxUint64, math.MaxInt64, 1<<53 + 1, 1<<24 + 1,
		math.Float64bits(math.Inf(1)), math.Float64bits(1e300), math.Float64bits(1e-300), math.Float64bits(math.NaN()),
		0x7f800000, 0x7fc00000, 0x8000000000000000, 0x80000000, 0x7c00}
	elems := []Type{Int64, Int8, Int16, Int32, Uint8, Uint16, Uint32, Uint64, BoolType, Float, Float64,
		Float16, Bfloat16}
	taken := 0
	for _, feature := range []Type{Int64, Int8, Uint8, Int32, Uint64, Float, Float64, BoolType, StringType} {
		for _, allow := range []bool{false, true} {
			if allow && !feature.IsFloat() {
				continue
			}
			s, err := Compile(Record{Features: []Feature{{Key: "x", Columns: []string{"x"}, Type: feature,
				AllowNonfinite: allow}}})
			if err != nil {
				t.Fatal(err)
			}
			e, general := newFeatureEncoder(s, newGatherer(s)), newGatherer(s)
			e.noted = &Noted{Row: make([]uint64, 1), Bounds: make([]uint32, 2)}
			for i := range testenv.Times(300, 5_000, 200_000) {
				bits := r.Uint64() >> r.IntN(64)
				if i < len(edges) {
					bits = edges[i]
				}
				for _, elem := range elems {
					if elem == BoolType {
						bits &= 1
					}
					v := Value{Kind: Array, Elem: elem, Text: binary.LittleEndian.AppendUint64(make([]byte, 0, 32),
						bits)[:elem.Size()]}
					if _, next := appendFast(make([]byte, fastRoom), 0, s.fastFields, []Value{v}, nil, nil); next > 0 {
						taken++
					}
					got, err := e.append(nil, 0, 0, []Value{v})
					want, wantErr := general.appendField(nil, &s.fields[0], []Value{v})
					if !bytes.Equal(got, want) || (err == nil) != (wantErr == nil) {
						t.Fatalf("%s of %s %x (nonfinite %t):\n got %x, %v\nwant %x, %v", feature, elem, v.Text, allow,
							got, err, want, wantErr)
					}
					if err == nil {
						checkNoted(t, got, e.noted, ExampleMessage)
					}
				}
			}
		}
	}
	if taken == 0 {
		t.Error("nothing goes the quick way")
	}
}
