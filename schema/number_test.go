package schema

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// checkFloat compares parseFloat with strconv for one decimal.
func checkFloat(t *testing.T, text string) {
	t.Helper()
	want, err := strconv.ParseFloat(text, 32)
	got, result := parseFloat([]byte(text))
	switch {
	case err != nil:
		if result != numberRange {
			t.Errorf("%s is beyond a float32; got %08x, result %d", text, got, result)
		}
	case got != math.Float32bits(float32(want)) || result > numberUnderflow:
		t.Errorf("%s: got %08x, result %d; want %08x", text, got, result, math.Float32bits(float32(want)))
	}
}

func TestFloatCorpus(t *testing.T) {
	file, err := os.Open("testdata/parse-number-fxx-test-data.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for archive := tar.NewReader(unzipped); ; {
		member, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if path.Ext(member.Name) != ".txt" {
			continue
		}
		for scan := bufio.NewScanner(archive); scan.Scan(); lines++ {
			var half, single, double, text string
			if _, err := fmt.Sscan(scan.Text(), &half, &single, &double, &text); err != nil {
				t.Fatalf("%s: %q: %v", member.Name, scan.Text(), err)
			}
			checkCorpusFloat(t, text, uint32(hexBits(t, single)))
			checkCorpusDouble(t, text, hexBits(t, double))
			checkCorpusHalf(t, text, uint16(hexBits(t, half)))
		}
	}
	if lines != 52977 {
		t.Errorf("the corpus has %d lines; want 52977", lines)
	}
}

func checkCorpusFloat(t *testing.T, text string, want uint32) {
	if got, ok := nonfinite([]byte(text)); ok {
		if got != want {
			t.Errorf("%s: got %08x; want %08x", text, got, want)
		}
		return
	}
	got, result := parseFloat([]byte(text))
	if infinite := want&0x7fffffff == 0x7f800000; infinite != (result == numberRange) || !infinite && got != want ||
		result == numberSyntax {
		t.Errorf("%s: got %08x, result %d; want %08x", text, got, result, want)
	}
}

func hexBits(t *testing.T, text string) uint64 {
	t.Helper()
	bits, err := strconv.ParseUint(text, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return bits
}

func checkCorpusDouble(t *testing.T, text string, want uint64) {
	if _, ok := nonfinite([]byte(text)); ok {
		return
	}
	got, result := parseDouble([]byte(text))
	if infinite := want<<1 == 0x7ff<<53; infinite != (result == numberRange) || !infinite && got != want ||
		result == numberSyntax {
		t.Errorf("%s: got %016x, result %d; want %016x", text, got, result, want)
	}
}

func checkCorpusHalf(t *testing.T, text string, want uint16) {
	if _, ok := nonfinite([]byte(text)); ok {
		return
	}
	got, result := halfFormat.parse([]byte(text))
	if infinite := want&0x7fff == 0x7c00; infinite != (result == numberRange) || !infinite && got != want ||
		result == numberSyntax {
		t.Errorf("%s: got %04x, result %d; want %04x", text, got, result, want)
	}
}

func TestFloatRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range testenv.Times(20_000, 200_000, 200_000) {
		f := math.Float32frombits(r.Uint32())
		if f != f || math.IsInf(float64(f), 0) {
			continue
		}
		checkFloat(t, strconv.FormatFloat(float64(f), "efg"[r.IntN(3)], -1, 32))
		checkFloat(t, strconv.FormatFloat(r.NormFloat64()*math.Pow(10, float64(r.IntN(8)-2)), 'f', r.IntN(12), 64))
		checkFloat(t, fmt.Sprintf("%d.%0*d", r.IntN(10000), 1+r.IntN(12), r.IntN(10)))
		checkFloat(t, fmt.Sprintf("%de%d", r.Uint64()>>r.IntN(64), r.IntN(60)-30))
	}
}

// A decimal halfway between two floats rounds to even; changing its last digit decides for one of
// them.
func TestFloatHalfway(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range testenv.Times(5_000, 30_000, 30_000) {
		low := r.Uint32N(0x7f7fffff)
		if r.IntN(2) == 0 {
			low = math.Float32bits(float32(r.IntN(1 << 26))) // halves of integers have few digits
		}
		a, b := float64(math.Float32frombits(low)), float64(math.Float32frombits(low+1))
		exact := new(big.Float).SetPrec(200).Add(big.NewFloat(a), big.NewFloat(b))
		exact.Quo(exact, big.NewFloat(2))
		text := strings.TrimRight(exact.Text('f', 160), "0")
		checkFloat(t, text)
		checkFloat(t, "-"+text+"000000000000000000001")
		checkFloat(t, exact.Text('e', 120))
		checkFloat(t, strconv.FormatFloat((a+b)/2, 'e', 16, 64))
		checkFloat(t, strconv.FormatFloat((a+b)/2, 'g', 17, 64))
	}
}

func TestFloatEdges(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "+0", "0.0", "-0.0", "00", ".0", "0.", "-.5", "5.", "+5", "1", "9", "12345678",
		"99999999", "1234567.", ".1234567", "16777217", "16777219",
		"16777217.0", "33554435", "9007199254740993", "9007199254740992e22", "9007199254740991e-22", "1e22",
		"1e23", "1e-22", "1e-23",
		"1.17549435e-38", "1.1754943e-38", "1.1754942e-38", "1.4e-45", "7.0064923216240853546186479164495e-46",
		"7.0064923216240853546186479164496e-46", "7e-46", "1e-400",
		"3.4028234e38", "3.4028235e38", "3.4028235677973366e38", "3.4028235677973365e38", "3.4028236e38",
		"3.5e38", "1e39", "1e400", "-1e400",
		"340282346638528859811704183484516925440", "340282356779733661637539395458142568447",
		"340282356779733661637539395458142568448",
		"0e999999999999999999999", "1e-999999999999999999999", "0.000000000000000000000000000000000000000000001e45",
		"123456789012345678901234567890", "0.123456789012345678901234567890",
		"1000000000000000000000000000000000000000", "1e+5", "1E5", "1e05", "1e-0",
	} {
		checkFloat(t, text)
	}
	for _, text := range []string{"", "-", "+", ".", "-.", "e5", "1e", "1e+", "1e5.", "1..2", "1.2.3", "--1",
		"+-1", " 1", "1 ", "0x10", "0x1p-2", "1_0", "1,5", "inf", "nan", "1f", "1e5e5", ".e5", "１"} {
		for _, b := range [][]byte{[]byte(text)[:len(text):len(text)], []byte(text + "12345678")[:len(text)]} {
			if bits, result := parseFloat(b); result != numberSyntax {
				t.Errorf("%q is not a float; got %08x, result %d", text, bits, result)
			}
		}
	}
}

func TestIntAgainstStrconv(t *testing.T) {
	texts := []string{
		"0", "-0", "+0", "00", "007", "-007", "+7", "-", "+", "", "--1", "1-", "1.0", "1e3", " 1", "1 ", "0x10",
		"1_000", "１",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
		"18446744073709551615", "18446744073709551616",
		"18446744073709551620", "99999999999999999999999999", "00000000000000000000000000000000001",
		"1234567:", "/1234567",
		"12345678/", "1234567890123456", "12345678901234567",
	}
	r := rand.New(rand.NewPCG(3, 3))
	for range 100000 {
		texts = append(texts, strconv.FormatInt(int64(r.Uint64())>>r.IntN(64), 10))
	}
	alphabet := "0123456789012345678901234567890123456789-+./:;\x00\xb0\xff"
	for range 100000 {
		b := make([]byte, r.IntN(18))
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		texts = append(texts, string(b))
	}
	for _, text := range texts {
		checkInt(t, text)
	}
}

func checkInt(t *testing.T, text string) {
	want, err := strconv.ParseInt(text, 10, 64)
	if got, ok := parseIntFast([]byte(text)); ok && (err != nil || got != want) {
		t.Errorf("parseIntFast(%q) = %d; want %d, %v", text, got, want, err)
	}
	got, _, result := parseInt([]byte(text))
	wantResult := numberOK
	switch {
	case errors.Is(err, strconv.ErrRange):
		wantResult = numberRange
	case err != nil:
		wantResult = numberSyntax
	}
	if result != wantResult || result == numberOK && got != want {
		t.Errorf("parseInt(%q) = %d, result %d; want %d, %v", text, got, result, want, err)
	}
}

// parseIntFast may reject any string, and parseInt parses it; it should not reject common numbers.
func TestFastPathsAcceptCommonNumbers(t *testing.T) {
	for _, text := range []string{"0", "7", "-7", "12345678", "-12345678", "123456789", "1234567890123456"} {
		if _, ok := parseIntFast([]byte(text)); !ok {
			t.Errorf("parseIntFast leaves %s", text)
		}
	}
	for _, text := range []string{"0", "-1", "3.41", "0.9876", "-12.5", "12345678", "1.", ".5", "123456.7"} {
		if _, ok := parseFloatFast([]byte(text)); !ok {
			t.Errorf("parseFloatFast leaves %s", text)
		}
	}
}

func TestWholeNumbers(t *testing.T) {
	tests := []struct {
		text   string
		want   int64
		result parseResult
	}{
		{"180.0", 180, numberOK}, {"-180.000", -180, numberOK}, {"1.8e2", 180, numberOK}, {"1800e-1", 180, numberOK},
		{"1e3", 1000, numberOK}, {"5.", 5, numberOK}, {".0", 0, numberOK}, {"-0.0", 0, numberOK},
		{"0e999999999", 0, numberOK},
		{"1e18", 1e18, numberOK}, {"9.223372036854775807e18", math.MaxInt64, numberOK},
		{"-9223372036854775808.0", math.MinInt64, numberOK},
		{"9223372036854775807.00000000000000000000", math.MaxInt64, numberOK},
		{"0.00000000000000000000001e23", 1, numberOK},
		{"9223372036854775808.0", 0, numberRange}, {"1e19", 0, numberRange}, {"1e400", 0, numberRange},
		{"1e999999999999", 0, numberRange},
		{"12345678901234567890.5e1", 0, numberRange}, {"-9223372036854775809.0", 0, numberRange},
		{"1.5", 0, numberSyntax}, {"15e-1", 0, numberSyntax}, {"1e-400", 0, numberSyntax},
		{"180.00000000000000000000001", 0, numberSyntax},
		{"x", 0, numberSyntax}, {"", 0, numberSyntax}, {"0x10", 0, numberSyntax},
	}
	for _, test := range tests {
		if got, result := parseWhole([]byte(test.text)); got != test.want || result != test.result {
			t.Errorf("parseWhole(%q) = %d, result %d; want %d, result %d", test.text, got, result, test.want,
				test.result)
		}
	}
}

func TestNonfinite(t *testing.T) {
	tests := map[string]uint32{
		"nan": 0x7fc00000, "NaN": 0x7fc00000, "inf": 0x7f800000, "+Inf": 0x7f800000, "INFINITY": 0x7f800000,
		"-inf": 0xff800000, "-Infinity": 0xff800000,
	}
	for text, want := range tests {
		if got, ok := nonfinite([]byte(text)); !ok || got != want {
			t.Errorf("nonfinite(%q) = %08x, %v; want %08x", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "-", "-nan", "+nan", "infin", "in", "nano", "--inf", "\x0eAN", "inf "} {
		if _, ok := nonfinite([]byte(text)); ok {
			t.Errorf("nonfinite takes %q", text)
		}
	}
}

func TestParseBool(t *testing.T) {
	words := map[string]uint64{"true": 1, "false": 0, "1": 1, "0": 0}
	check := func(text string) {
		t.Helper()
		want, wantOK := words[strings.ToLower(text)]
		if got, ok := parseBool([]byte(text)); ok != wantOK || ok && got != want {
			t.Errorf("parseBool(%q) = %d, %v; want %d, %v", text, got, ok, want, wantOK)
		}
	}
	for _, text := range []string{"TRUE", "True", "FALSE", "fAlSe", "", "2", "t", "yes", "no", "on", "TRUE ", "tru\x05",
		"/", "\x00", "fals", "falsy", "1.0", "-0", "truee", "falsee"} {
		check(text)
	}
	for word := range words {
		check(word)
		for i := range word {
			for c := range 0x80 { // a letter beyond is not a word in lower case either
				check(word[:i] + string(rune(c)) + word[i+1:])
			}
		}
	}
}
