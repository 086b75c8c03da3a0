package expr

import (
	"math"
	"math/rand/v2"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
)

// TestArraysAreStoredAsDigits stores computed numbers as each type of feature, as Arrays and as decimal strings:
// the bytes and the errors are the same. Half of the floats are halfway between two floats of 32 or 16 bits.
func TestArraysAreStoredAsDigits(t *testing.T) {
	types := []schema.Type{schema.Float, schema.Float64, schema.Float16, schema.Bfloat16, schema.Int64, schema.Int8,
		schema.Uint64, schema.BoolType, schema.StringType, schema.BytesType}
	var encoders []*schema.Encoder
	for _, typ := range types {
		s, err := schema.Compile(schema.Record{Features: []schema.Feature{{Key: "x", Type: typ, Columns: []string{"x"},
			Raw: typ == schema.Float16 || typ == schema.Bfloat16}}})
		if err != nil {
			t.Fatal(typ, err)
		}
		encoders = append(encoders, s.NewEncoder())
	}
	p, fail := Compile("x * 1", func(string) (Type, bool) { return Dynamic, true })
	if fail != nil {
		t.Fatal(fail)
	}
	digits, arrays := p.Bind([]int{0}, nil), p.Bind([]int{0}, nil)
	arrays.ReturnArrays()
	r, kinds := rand.New(rand.NewPCG(5, 1)), map[schema.Kind]int{}
	for range testenv.Times(8000, 100_000, 3_000_000) {
		row := []schema.Value{{Kind: schema.Number, Text: randomNumber(r).append(nil)}}
		a, _ := digits.Value(row)
		b, _ := arrays.Value(row)
		kinds[b.Kind]++
		for i, e := range encoders {
			stored, err := e.Append(nil, []schema.Value{a})
			other, otherErr := e.Append(nil, []schema.Value{b})
			if string(stored) != string(other) || (err == nil) != (otherErr == nil) || err != nil &&
				err.Error() != otherErr.Error() {
				t.Fatalf("%s as %v is %x, %v; as an Array %x, %v", row[0].Text, types[i], stored, err, other, otherErr)
			}
		}
	}
	if kinds[schema.Array] < kinds[schema.Number] || kinds[schema.Number] == 0 {
		t.Errorf("kinds of values: %v", kinds)
	}
}

// randomNumber returns an int, any float, or a float near the middle of two shorter ones, in the range of float16 or
// of float32.
func randomNumber(r *rand.Rand) Number {
	bits := r.Uint64()
	switch r.IntN(8) {
	case 0:
		return Number{int: int64(bits) >> r.IntN(64)}
	case 1:
		return Number{float: float64(r.IntN(100_000)) / 100, isFloat: true}
	case 2:
		bits &^= 1<<uint(r.IntN(52)) - 1
	default:
		lost := []int{29, 42, 45}[r.IntN(3)] // bits that float32, float16 and bfloat16 do not have
		bits = bits>>lost<<lost | 1<<(lost-1)
		if r.IntN(4) == 0 {
			bits += uint64(r.IntN(3)) - 1
		}
	}
	exponent := 1023 - 160 + r.IntN(320)
	if r.IntN(2) == 0 {
		exponent = 1023 - 30 + r.IntN(50)
	}
	return Number{float: math.Float64frombits(bits&^(0x7ff<<52) | uint64(exponent)<<52), isFloat: true}
}
