package rejects

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"tfr-build/pipeline/rows"
)

// wholeLine is an entry as encoding/json writes it in one piece.
func wholeLine(t *testing.T, e Entry, text []byte) string {
	t.Helper()
	if utf8.Valid(text) {
		e.Raw = string(text)
	} else {
		e.RawBase64 = text
	}
	var buf bytes.Buffer
	out := json.NewEncoder(&buf)
	out.SetEscapeHTML(false)
	if err := out.Encode(e); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func pieceLine(t *testing.T, e Entry, text []byte, limit int) string {
	t.Helper()
	var buf bytes.Buffer
	if err := newLineWriter(&buf).write(&e, text, limit); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func TestRawOfALongRow(t *testing.T) {
	for _, test := range []struct {
		text, kept string
		limit      int
	}{
		{"short", "short", 5},
		{"", "", 5},
		{"longer", "longe", 5},
		{"abcd\u00e9", "abcd", 5},
		{"abc\u00e9x", "abc\u00e9", 5},
		{"abc\xff\xff\xff", "abc\xff\xff", 5},
		{"\xff", "\xff", 5},
		{strings.Repeat("\x01", 2*maxTruncated), strings.Repeat("\x01", maxTruncated), 2*maxTruncated - 1},
	} {
		cut := len(test.text) > test.limit
		want := wholeLine(t, Entry{Code: "X", Cut: cut}, []byte(test.kept))
		if got := pieceLine(t, Entry{Code: "X"}, []byte(test.text), test.limit); got != want {
			t.Errorf("%.20q: found %.200s, expected %.200s", test.text, got, want)
		}
	}
}

// TestRawInChunks compares lines with lines encoded at once, for all ends of chunks.
func TestRawInChunks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const letters = "ab\"\\/<>&\x00\x01\b\f\n\r\t\x1f\x7f\u0080\u00e9\u2028\u2029\ufffd\U0001f600"
	runes := []rune(letters)
	entry := Entry{Origin: rows.Origin{Source: 1, Name: "n<", File: "a"}, Offset: 7, Code: "X", Column: "c",
		Feature: "f", Message: "m \u2028 <"}
	for range 50 {
		var text []byte
		for range rng.IntN(3) * chunkSize {
			text = utf8.AppendRune(text, runes[rng.IntN(len(runes))])
		}
		if rng.IntN(4) == 0 {
			text = append(text, 0xff)
		}
		if pieceLine(t, entry, text, len(text)) != wholeLine(t, entry, text) {
			t.Fatalf("%d bytes: the line is not as encoding/json writes it", len(text))
		}
	}
}

// TestRawOfControlCharacters writes a row of control characters, whose JSON is six times as long.
// All memory for its line may be at most twice the row: encoding/json allocates its buffers again
// after each garbage collection, and a busy machine has more of them.
func TestRawOfControlCharacters(t *testing.T) {
	const size, most = 8 << 20, 16 << 20
	for _, b := range []byte{1, 0xff} {
		text := bytes.Repeat([]byte{b}, size)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := newLineWriter(io.Discard).write(&Entry{Code: "X"}, text, size); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		// The race detector, which -short is for, allocates more.
		if n := after.TotalAlloc - before.TotalAlloc; n > most && !testing.Short() {
			t.Errorf("%#x: %d bytes were allocated for a row of %d", b, n, size)
		}
	}
}
