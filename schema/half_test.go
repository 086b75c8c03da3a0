package schema

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"tfr-build/internal/testenv"
)

var formats = []struct {
	name   string
	format *float16Format
}{{"float16", &halfFormat}, {"bfloat16", &brainFormat}}

// exact returns all decimal digits of a double.
func exact(x float64) string {
	return new(big.Float).SetFloat64(x).Text('f', 200)
}

// Every 16-bit float is parsed from its decimal string. So is each midpoint of two neighbors: it
// rounds to even, or to the nearer one if a digit after hundreds of others decides.
func TestEveryFloat16(t *testing.T) {
	for _, f := range formats {
		for bits := range f.format.infinity {
			x := f.format.double(bits)
			check := func(text string, want uint16) {
				t.Helper()
				if got, v := f.format.parse([]byte(text)); got != want || v == numberSyntax || v == numberRange {
					t.Fatalf("%s %s: got %04x, result %d; want %04x", f.name, text, got, v, want)
				}
				if got, _ := f.format.parse([]byte("-" + text)); got != want|1<<15 {
					t.Fatalf("%s -%s: got %04x; want %04x", f.name, text, got, want|1<<15)
				}
			}
			text := strconv.FormatFloat(x, 'g', -1, 64)
			check(text, bits)
			if got := f.format.round(x); got != bits {
				t.Fatalf("%s: %v is rounded to %04x; want %04x", f.name, x, got, bits)
			}
			if bits%uint16(testenv.Times(256, 16, 1)) > 1 && bits > 64 {
				continue // the digits below are slow to make
			}
			if bits+1 == f.format.infinity {
				break
			}
			middle := exact((x + f.format.double(bits+1)) / 2)
			check(middle, (bits+1)&^1)
			check(middle+"0000000000000000000000000", (bits+1)&^1)
			check(middle+"00000000000000000000000001", bits+1)
			below, _ := new(big.Float).SetPrec(2000).SetString(middle)
			below.Sub(below, big.NewFloat(math.Ldexp(1, -1000)))
			check(below.Text('f', 500), bits)
			check(below.Text('e', 500), bits)
		}
	}
}

func TestFloat16Range(t *testing.T) {
	tests := []struct {
		format *float16Format
		text   string
		bits   uint16
		result parseResult
	}{
		{&halfFormat, "65504", 0x7bff, numberOK},
		{&halfFormat, "65519.99999999999999999999999999", 0x7bff, numberOK},
		{&halfFormat, "65520", 0, numberRange},
		{&halfFormat, "1e400", 0, numberRange},
		{&halfFormat, "0x1", 0, numberSyntax},
		{&halfFormat, "-0.0", 0x8000, numberOK},
		{&halfFormat, "1e-10", 0, numberUnderflow},
		{&halfFormat, "-1e-999", 0x8000, numberUnderflow},
		{&halfFormat, "5.9604644775390625e-8", 1, numberOK},
		{&halfFormat, "2.98023223876953125e-8", 0, numberUnderflow},
		{&halfFormat, "2.980232238769531250000000000001e-8", 1, numberOK},
		{&brainFormat, "3.3895313892515355e38", 0x7f7f, numberOK},
		{&brainFormat, "3.4e38", 0, numberRange},
		{&brainFormat, "1.0", 0x3f80, numberOK},
		// If it were rounded to a float32 first, it would be a midpoint, and become 1.0078125.
		{&brainFormat, "1.003906250000000001", 0x3f81, numberOK},
		{&brainFormat, "1.00390625", 0x3f80, numberOK},
	}
	for _, test := range tests {
		if bits, v := test.format.parse([]byte(test.text)); v != test.result || v < numberSyntax && bits != test.bits {
			t.Errorf("%s: got %04x, result %d; want %04x, %d", test.text, bits, v, test.bits, test.result)
		}
	}
}

func TestConvertFloat16(t *testing.T) {
	for _, f := range formats {
		if f.format.convert(math.Inf(-1)) != f.format.infinity|1<<15 ||
			!math.IsNaN(f.format.double(f.format.convert(math.NaN()))) {
			t.Errorf("%s: what is not finite is not kept", f.name)
		}
		if f.format.double(f.format.infinity|1<<15) != math.Inf(-1) || f.format.convert(1e300) != f.format.infinity {
			t.Errorf("%s: infinity is another number", f.name)
		}
	}
	if halfFormat.nan() != 0x7e00 || brainFormat.nan() != 0x7fc0 {
		t.Error("nan is not what others write")
	}
}

func TestDoubleRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	check := func(text string) {
		t.Helper()
		want, err := strconv.ParseFloat(text, 64)
		got, v := parseDouble([]byte(text))
		if (err != nil) != (v == numberRange) || err == nil && got != math.Float64bits(want) || v == numberUnderflow &&
			want != 0 {
			t.Errorf("%s: got %016x, result %d; want %016x, %v", text, got, v, math.Float64bits(want), err)
		}
	}
	for range 100000 {
		x := math.Float64frombits(r.Uint64())
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		check(strconv.FormatFloat(x, 'g', 1+r.IntN(25), 64))
		check(strconv.FormatFloat(r.NormFloat64()*1000, 'f', r.IntN(25), 64))
	}
	for _, text := range []string{"0", "-0", "1e-400", "-1e-400", "1e400", "9007199254740993", "9007199254740993e22",
		"123456789012345678901234567890e-5"} {
		check(text)
	}
}
