package schema

import "testing"

func TestQuote(t *testing.T) {
	tests := []struct{ s, want string }{
		{"NA", `"NA"`},
		{"", `""`},
		{"a\tb\x00\x1b[31m", `"a\tb\x00\x1b[31m"`},
		{"\xff", `"\xff"`},
		{"24°", `"24°"`},
		{"1234567890123456789012345678901234567890", `"1234567890123456789012345678901234567890"`},
		{"12345678901234567890123456789012345678901", `"1234567890123456789012345678901234567890"…`},
		{"123456789012345678901234567890123456789é", `"123456789012345678901234567890123456789"…`},
		{"123456789012345678901234567890123456789\x80\x80\x80\x80", `"12345678901234567890123456789012345678"…`},
	}
	for _, test := range tests {
		if got := quote(test.s); got != test.want {
			t.Errorf("quote(%q) = %s; want %s", test.s, got, test.want)
		}
		if got := Quote([]byte(test.s)); got != test.want {
			t.Errorf("Quote(%q) = %s; want %s", test.s, got, test.want)
		}
	}
}

func TestRowErrorString(t *testing.T) {
	tests := []struct {
		err  RowError
		want string
	}{
		{RowError{Code: "CSV_QUOTE", Message: "text after a quote"}, `text after a quote [CSV_QUOTE]`},
		{RowError{Code: "MISSING", Column: "AGE", Message: "no"}, `column "AGE": no [MISSING]`},
		{RowError{Code: "MISSING", Feature: "age", Message: "no"}, `feature "age": no [MISSING]`},
		{RowError{Code: "MISSING", Column: "AGE", Feature: "age", Message: "no"},
			`column "AGE" (feature "age"): no [MISSING]`},
	}
	for _, test := range tests {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got %s; want %s", got, test.want)
		}
	}
}

// Reaching the real limit takes 2 GiB; a lower limit tests the same code.
func TestExampleLimit(t *testing.T) {
	one := func(n int) []Value { return []Value{{Kind: Bytes, Text: make([]byte, n)}} }
	many := func(n int) []Value {
		return []Value{{Kind: Text, Text: []byte("1234")}, {Kind: List, List: make([]Value, n)}}
	}
	short := Feature{Key: "a", Type: BytesType, Columns: []string{"a"}}
	repeated := Feature{Key: "a", Type: BytesType, Columns: []string{"a"}, Repeat: "b", Shape: []int{-1}}
	listed := Feature{Key: "a", Type: BytesType, Columns: []string{"a"}, Shape: []int{-1}}
	two := func(n int) []Value {
		text := Value{Kind: Bytes, Text: make([]byte, n)}
		return []Value{{Kind: List, List: []Value{text, text}}}
	}
	tests := []struct {
		name       string
		feature    Feature
		limit      int
		fits, long []Value
	}{
		{"a short entry", short, 32, one(19), one(20)},
		{"a long one", short, 320, one(302), one(303)},
		{"a repeated one", repeated, 320, many(50), many(51)},
		{"a list of strings", listed, 320, two(149), two(150)},
		{"strings without their entry", listed, 320, two(149), two(1000)},
		{"values without their entry", repeated, 320, many(50), many(1000)},
	}
	for _, test := range tests {
		s, err := Compile(Record{Features: []Feature{test.feature}})
		if err != nil {
			t.Fatal(err)
		}
		e := s.NewEncoder()
		e.values.limit.size = test.limit
		dst, err := e.Append([]byte("before"), test.fits)
		if err != nil || len(dst)-6 > test.limit || len(dst)-6 < test.limit-6 {
			t.Errorf("%s of %d bytes: %v", test.name, len(dst)-6, err)
		}
		dst, err = e.Append([]byte("before"), test.long)
		row, ok := err.(*RowError)
		if !ok || row.Code != "LIMIT_RECORD" || row.At != -1 || string(dst) != "before" {
			t.Errorf("%s that is too long: %q, %v", test.name, dst, err)
		}
	}
}
