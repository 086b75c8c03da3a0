package schema

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// number, text, and floats return values of rows.
func number(text string) Value { return Value{Kind: Number, Text: []byte(text)} }

func text(text string) Value { return Value{Kind: Text, Text: []byte(text)} }

func floats(elem Type, list ...float64) Value {
	v := Value{Kind: Array, Elem: elem}
	for _, f := range list {
		if elem == Float {
			v.Text = binary.LittleEndian.AppendUint32(v.Text, math.Float32bits(float32(f)))
		} else {
			v.Text = binary.LittleEndian.AppendUint64(v.Text, math.Float64bits(f))
		}
	}
	return v
}

func integers(elem Type, list ...uint64) Value {
	v := Value{Kind: Array, Elem: elem}
	for _, n := range list {
		v.Text = append(v.Text, binary.LittleEndian.AppendUint64(nil, n)[:elem.Size()]...)
	}
	return v
}

func list(values ...Value) Value { return Value{Kind: List, List: values} }

// identity returns the identity of values one after another.
func identity(values ...Value) string {
	var all []byte
	for i := range values {
		all = values[i].AppendIdentity(all)
	}
	return string(all)
}

// TestIdentity compares values of a group, which are equal, with each other and with all others.
func TestIdentity(t *testing.T) {
	tiny := new(big.Float).SetFloat64(math.SmallestNonzeroFloat64).Text('f', 1100)
	groups := [][]Value{
		{{}, {Kind: Missing}},
		{text(""), {Kind: String}, {Kind: Bytes, Text: []byte{}}},
		{text("1"), {Kind: String, Text: []byte("1")}, {Kind: Bytes, Text: []byte("1")}},
		{text("1.0")},
		{text("\xff")}, {text("\xff\x00")},
		{
			number("0"), number("-0"), number("0.000"), number("-0.0e-7"), number("0e99999999999"),
			floats(Float64, math.Copysign(0, -1)), floats(Float, 0), integers(Int64, 0),
			number("0." + strings.Repeat("0", 5000)),
		},
		{number("1"), number("1.0"), number("10e-1"), number("0.01E+2"), floats(Float64, 1), floats(Float, 1),
			integers(Uint8, 1), integers(Uint64, 1)},
		{number("-1"), floats(Float64, -1), integers(Int8, 255), integers(Int64, math.MaxUint64)},
		{integers(Uint8, 255), number("255")},
		{number("9223372036854775807"), integers(Int64, math.MaxInt64), number("9.223372036854775807e18")},
		{number("9223372036854775808"), integers(Uint64, 1<<63), floats(Float64, 1<<63),
			number("0.9223372036854775808E19")},
		{number("-9223372036854775808"), integers(Int64, 1<<63), floats(Float64, -1<<63)},
		{number("18446744073709551615"), integers(Uint64, math.MaxUint64)},
		{number("18446744073709551616"), floats(Float64, 1<<64)},
		{number("1e30"), number("1000000000000000000000000000000")},
		{floats(Float64, 1e30)}, // the nearest float is another number
		{number("0.1"), number("1e-1"), number("0.10000")},
		{floats(Float64, 0.1), number("0.1000000000000000055511151231257827021181583404541015625")},
		{floats(Float, 0.1), number("0.100000001490116119384765625")},
		{number("0.5"), floats(Float64, 0.5), number("5e-1"), number("0.50000000000000000000000000000")},
		{floats(Float64, math.SmallestNonzeroFloat64), number(tiny)},
		{number(tiny + "1")},
		{floats(Float64, math.NaN()), floats(Float64, math.Float64frombits(0x7ff0000000000001)),
			floats(Float, math.NaN())},
		{floats(Float64, math.Inf(1))}, {floats(Float64, math.Inf(-1))},
		{number("1e99999999999")}, {number("2e99999999999")},
		{{Kind: Bool, Text: []byte("true")}, integers(BoolType, 1)},
		{{Kind: Bool, Text: []byte("false")}, integers(BoolType, 0)},
		{list()},
		{list(list())},
		{list(Value{})},
		{list(number("1"), number("2")), integers(Int64, 1, 2), floats(Float64, 1, 2)},
		{list(list(number("1")), list(number("2")))},
		{list(text("1"), text("2"))},
		{list(text("12"))},
		{{Kind: Object, Text: []byte("{}")}},
	}
	seen := map[string]string{}
	for g, group := range groups {
		for i := range group {
			name := fmt.Sprintf("value %d of group %d", i, g)
			if got, expected := identity(group[i]), identity(group[0]); got != expected {
				t.Errorf("%s is %x, and the first of its group %x", name, got, expected)
			}
		}
		if other := seen[identity(group[0])]; other != "" {
			t.Errorf("groups %d and %s are equal", g, other)
		}
		seen[identity(group[0])] = fmt.Sprint(g)
	}
	if identity(text("ab"), text("c")) == identity(text("a"), text("bc")) ||
		identity(list(), number("1")) == identity(list(number("1")), Value{}) {
		t.Error("different values one after another are equal")
	}
}

// TestIdentityOfFloats compares floats with their exact decimals, and decimals with fractions.
func TestIdentityOfFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		f := math.Float64frombits(r.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		exact := new(big.Float).SetFloat64(f).Text('e', 800)
		if a, b := identity(floats(Float64, f)), identity(number(exact)); a != b {
			t.Fatalf("%v is %x, and %s is %x", f, a, exact, b)
		}
		digits := fmt.Sprint(r.Uint64() >> r.IntN(64))
		point := r.IntN(len(digits)) + 1
		plain, shifted := digits[:point]+"."+digits[point:]+"0", fmt.Sprintf("%se%d", digits, point-len(digits))
		if a, b := identity(number(plain)), identity(number(shifted)); a != b {
			t.Fatalf("%s is %x, and %s is %x", plain, a, shifted, b)
		}
	}
}

// TestIdentityOfBytes finds no two strings with the same identity.
func TestIdentityOfBytes(t *testing.T) {
	seen := map[string][]byte{}
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		data := make([]byte, r.IntN(4))
		for i := range data {
			data[i] = byte(r.IntN(3)) * 127
		}
		key := identity(Value{Kind: Text, Text: data})
		if old, found := seen[key]; found && !bytes.Equal(old, data) {
			t.Fatalf("%q and %q are equal", old, data)
		}
		seen[key] = data
	}
}
