package schema

import (
	"math"
	"strings"
	"testing"
)

// TestKey compares the keys of values of a group, which are equal, with each other and with all others.
func TestKey(t *testing.T) {
	long := "1" + strings.Repeat("0", 2*mostKeyDigits)
	groups := [][]Value{
		{text("324158"), {Kind: String, Text: []byte("324158")}, number("324158"), number("324158.0"),
			number("3.24158e5"), number("324158000E-3"),
			integers(Int64, 324158), integers(Uint32, 324158), floats(Float, 324158), floats(Float64, 324158)},
		{text("0"), number("0"), number("-0"), number("0.000"), number("-0.0e7"), number("0e999999999"),
			integers(Int8, 0), floats(Float64, math.Copysign(0, -1)), floats(Float, 0)},
		{text("-0")}, {text("-0.0")}, {text("007")}, {text("0324158")}, {text("324158.0")}, {text("+1")}, {text("")},
		{text("1e400")},
		{number("9007199254740993"), number("9007199254740993.0"), integers(Int64, 9007199254740993)},
		{number("9007199254740992"), number("9.007199254740992e15"), floats(Float64, 1<<53)},
		{number("18446744073709551615"), integers(Uint64, math.MaxUint64), text("18446744073709551615")},
		{number("18446744073709551616"), number("1.8446744073709551616e19"), floats(Float64, 1<<64),
			floats(Float, 1<<64)},
		{number("99999999999999991611392"), floats(Float64, 1e23)},
		{number("1e23"), number("100000000000000000000000")},
		{number("-5"), integers(Int16, 0xfffb), floats(Float, -5), text("-5")},
		{number("0.5"), number("5e-1"), number("0.50"), floats(Float, 0.5), text("0.5")},
		{number("-0.001"), number("-1E-3"), text("-0.001")},
		{number("0.1"), floats(Float, 0.1), floats(Float64, 0.1)},
		{number("1234.25"), number("12.3425e2"), floats(Float64, 1234.25)},
		{number("324158.00000000001")},
		{number(long), text(long)}, {number("1e800")}, {number("1e-800")}, {number("1e99999999999")},
		{text("true"), {Kind: Bool, Text: []byte("true")}, integers(BoolType, 1)},
		{text("NaN"), floats(Float64, math.NaN())}, {text("+Inf"), floats(Float, math.Inf(1))},
	}
	seen := map[string]int{}
	for i, group := range groups {
		for k := range group {
			var buf [8]byte
			key, ok := group[k].Key(buf[:0])
			of, known := seen[string(key)]
			if !ok || known && of != i || !known && k > 0 {
				t.Errorf("group %d, value %d: key %q, %t; another group has it: %t", i, k, key, ok, known)
			}
			seen[string(key)] = i
		}
	}
	for _, v := range []Value{{}, {Kind: Object}, {Kind: Bytes}, list(number("1"), number("2")),
		integers(Int64, 1, 2)} {
		if key, ok := v.Key(nil); ok {
			t.Errorf("%v has the key %q", v, key)
		}
	}
}
