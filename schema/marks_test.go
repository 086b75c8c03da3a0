package schema_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
)

// plainNumber is the grammar of numbers with marks, written a second time: it returns the number
// without marks, and false if they are in wrong places.
func plainNumber(s, thousands, decimal string) (string, bool) {
	sign := ""
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		sign, s = s[:1], s[1:]
	}
	if thousands == " " {
		s = strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(s)
	}
	whole, fraction, hasFraction := strings.Cut(s, decimal)
	if decimal != "." && strings.Contains(whole, ".") && thousands != "." {
		return "", false
	}
	if thousands != "" && strings.Contains(whole, thousands) {
		groups := strings.Split(whole, thousands)
		for i, group := range groups {
			if strings.Trim(group, "0123456789") != "" || i > 0 && len(group) != 3 {
				return "", false
			}
		}
		if n := len(groups[0]); n < 1 || n > 3 || groups[0][0] == '0' || strings.Trim(fraction, "0123456789") != "" {
			return "", false
		}
		whole = strings.Join(groups, "")
	}
	if hasFraction {
		whole += "." + fraction
	}
	return sign + whole, true
}

// TestMarks compares the encoding of random strings with that of their numbers without marks.
func TestMarks(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	pieces := []string{"1", "12", "299", "000", "007", "0", "4", ",", ".", " ", "\u00a0", "\u202f", "'", "-", "+", "e3",
		"x", "\xc2", "٬"}
	fixed := []string{"1,299.00", "1.299,00", "4 014 314", "12,99", "0,299", "1,2990", "1,,299", ",299", "1,299,",
		"1.5,000", "-1,299", "nan", "inf", "-0", "",
		"1,299e3", "9,223,372,036,854,775,807", "9,223,372,036,854,775,808", "1299", "1234567",
		"1,234,567,890,123,456,789,012,345,678,901,234,567,890", "340,282,346,638,528,859,811,704,183,484,516,925,440"}
	taken := 0
	for _, marks := range [][2]string{{",", ""}, {".", ","}, {" ", ""}, {"", ","}, {"'", "."}, {"٬", "٫"}} {
		for _, f := range []schema.Feature{{Type: schema.Int64}, {Type: schema.Uint8},
			{Type: schema.Int64, IntFromFloat: true}, {Type: schema.Float}, {Type: schema.Float64, Tensor: true},
			{Type: schema.Uint64, Raw: true}, {Type: schema.Float, AllowNonfinite: true}} {
			f.Key, f.Columns = "x", []string{"x"}
			plain := f
			f.Thousands, f.Decimal = marks[0], marks[1]
			decimal := marks[1]
			if decimal == "" {
				decimal = "."
			}
			for i := range testenv.Times(300, 3000, 100_000) {
				s := ""
				if i < len(fixed) {
					s = fixed[i]
				} else {
					for range 1 + r.IntN(7) {
						s += pieces[r.IntN(len(pieces))]
					}
				}
				v := schema.Value{Kind: []schema.Kind{schema.Text, schema.String}[r.IntN(2)], Text: []byte(s)}
				got, err := encodeOne(t, f, v)
				number, ok := plainNumber(s, marks[0], decimal)
				var want []byte
				var wantErr error = &schema.RowError{}
				if ok && s != "" {
					want, wantErr = encodeOne(t, plain, text(number))
				}
				if (err == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
					t.Fatalf("%+v: %q: got %x, %v; want %x, %v (%s)", f, s, got, err, want, wantErr, number)
				}
				if err == nil && ok && number != s {
					taken++
				}
			}
		}
	}
	if taken < 100 {
		t.Errorf("only %d numbers have marks", taken)
	}
}

func TestMarksOfNumbers(t *testing.T) {
	f := scalar("x", schema.Float)
	f.Thousands, f.Decimal = ".", ","
	plain := scalar("x", schema.Float)
	// typed numbers have no marks
	for _, v := range []schema.Value{number("1.299"), array(schema.Int8, 7), text("1,5")} {
		got, err := encodeOne(t, f, v)
		if v.Kind == schema.Text {
			v = text("1.5")
		}
		if want, wantErr := encodeOne(t, plain, v); err != nil || wantErr != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: got %x, %v; want %x, %v", v.Text, got, err, want, wantErr)
		}
	}
	f.OnMissing, f.Default, f.NullValues = schema.MissingDefault, ptr(text("1.5")), []string{"1,299"}
	got, err := encodeOne(t, f, text("1,299"))
	if want, _ := encodeOne(t, plain, text("1.5")); err != nil || !bytes.Equal(got, want) {
		t.Errorf("a default: got %x, %v; want %x", got, err, want)
	}
}

func TestMarksErrors(t *testing.T) {
	for _, test := range []struct {
		of                 schema.Type
		thousands, decimal string
		text, want         string
	}{
		{schema.Float, ",", "", "12,99",
			`column "x" (feature "x"): "12,99" is not a float with the decimal mark "." and the thousands mark "," ` +
				`between groups of 3 digits [FLOAT_SYNTAX]`},
		{schema.Int64, ",", "", "1,299.5",
			`column "x" (feature "x"): "1,299.5" is not an int64 with the decimal mark "." and the thousands mark ` +
				`"," between groups of 3 digits [INT_SYNTAX]`},
		{schema.Float, "", ",", "1.5",
			`column "x" (feature "x"): "1.5" is not a float with the decimal mark "," [FLOAT_SYNTAX]`},
		{schema.Int8, ",", "", "1,299",
			`column "x" (feature "x"): 1299 is out of the range of int8, -128 to 127 [INT_RANGE]`},
		{schema.Float, ",", "", "\xff",
			`column "x" (feature "x"): "\xff" is not a float with the decimal mark "." and the thousands mark "," ` +
				`between groups of 3 digits [FLOAT_SYNTAX]`},
		{schema.Float, ",", "", "nan", `column "x" (feature "x"): "nan" is not a finite number [FLOAT_NONFINITE]`},
	} {
		f := scalar("x", test.of)
		f.Thousands, f.Decimal = test.thousands, test.decimal
		if _, err := encodeOne(t, f, text(test.text)); err == nil || err.Error() != test.want {
			t.Errorf("got %v\nwant %s", err, test.want)
		}
	}
}

// TestMarksHint checks that a hint appears only if the marks are certain.
func TestMarksHint(t *testing.T) {
	for s, want := range map[string]string{
		"1,299.00": `thousands: ","`, "1.299,00": `thousands: ".", decimal: ","`, "4,014,314": `thousands: ","`,
		"1,299": "", "1,29.00": "", "1,299.00x": "",
	} {
		_, err := encodeOne(t, scalar("x", schema.Float), text(s))
		if bad, ok := err.(*schema.RowError); !ok || bad.Hint != want {
			t.Errorf("%s: %v; want the hint %q", s, err, want)
		}
	}
}

func TestMarksReject(t *testing.T) {
	for want, change := range map[string]func(f *schema.Feature){
		`thousands: found "1"; expected one character that is not a letter, a digit, or a sign`: func(
			f *schema.Feature) {
			f.Thousands = "1"
		},
		`decimal: found "-"; expected one character that is not a letter, a digit, or a sign`: func(
			f *schema.Feature) {
			f.Decimal = "-"
		},
		`thousands: found ".", which is also the decimal mark`: func(
			f *schema.Feature) {
			f.Thousands = "."
		},
		`thousands: the separator is ",", too`: func(f *schema.Feature) {
			f.Thousands, f.Separator, f.Shape = ",", ",", []int{-1}
		},
		"thousands is for numbers; the type is bool": func(f *schema.Feature) {
			f.Thousands, f.Type = ",", schema.BoolType
		},
		"value and thousands exclude each other": func(f *schema.Feature) {
			f.Thousands, f.Columns, f.Constant = ",", nil, ptr(text("1"))
		},
	} {
		f := scalar("x", schema.Float)
		change(&f)
		if err := f.Check(schema.ExampleMessage, false, math.MaxInt32); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
