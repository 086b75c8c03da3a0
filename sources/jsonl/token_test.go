package jsonl

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Eight bytes at a time have the same results for numbers and strings as single bytes.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"0,xxxxxx", 1}, {"1234567,", 7}, {"12.5}xxx", 4}, {"0.12345,", 7}, {"12345678", 0}, {"1234567.", 0},
		{"01,xxxxx", 0}, {"00.5,xxx", 0}, {"1.,xxxxx", 0}, {"1e5,xxxx", 0}, {"1.5E5,xx", 0}, {"-1,xxxxx", 0},
		{",1,xxxxx", 0},
		{".9,xxxxx", 0},
	} {
		if got := shortNumber(word([]byte(c.text), 0)); got != c.want {
			t.Errorf("%s: a number of %d bytes, want %d", c.text, got, c.want)
		}
	}
	const alphabet = "0019..eE-,\"\\!# \x1f\x00\x80\xa2\xdc"
	r := rand.New(rand.NewPCG(1, 7))
	text := make([]byte, 8)
	for range 300_000 {
		for i := range text {
			text[i] = alphabet[r.IntN(len(alphabet))]
		}
		end, _, ok := number(text, 0)
		if n := shortNumber(word(text, 0)); n > 0 && (!ok || n != end) {
			t.Fatalf("%q: a number of %d bytes, want %d, %t", text, n, end, ok)
		}
		stop := bytes.IndexFunc(text, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' })
		if got := special(text, 0); got != stop && (stop >= 0 || got != len(text)) {
			t.Fatalf("%q: a string stops at %d, want %d", text, got, stop)
		}
	}
}
