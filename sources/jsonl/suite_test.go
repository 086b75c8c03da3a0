package jsonl

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/lines"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// The files of JSONTestSuite have any JSON values, line feeds included. Each file is checked three
// times: as a file, which detects UTF-16 and a byte order mark; as a value, with line feeds as
// white space; and as the value of a key on one line. For the last, line feeds become spaces, which
// mean the same between tokens. The n_ files keep them, since in a string they are the error.
func TestJSONTestSuite(t *testing.T) {
	files := corpus(t, "JSONTestSuite")
	slices.SortFunc(files, func(a, b corpusFile) int { return strings.Compare(a.name, b.name) })
	var got strings.Builder
	count := map[string]int{}
	for _, f := range files {
		_, name, ok := strings.Cut(f.name, "/")
		if !ok || !strings.HasSuffix(name, ".json") {
			continue
		}
		first, fileErr := Start(f.data, true)
		value := checkValue(f.data[first:], false)
		grammar := checkValue(f.data[first:], true)
		used, skipped := asRow(t, f.data[first:], !strings.HasPrefix(name, "n_"))
		if code(t, used) != code(t, skipped) {
			t.Errorf("%s: %v where used, %v where skipped", name, used, skipped)
		}
		if (value == nil) != (used == nil) {
			t.Errorf("%s: %v as a value, %v as a row", name, value, used)
		}
		if strings.HasPrefix(f.name, "test_parsing/") {
			count[fmt.Sprintf("%c grammar %t", name[0], grammar == nil)]++
			count[fmt.Sprintf("%c row %t", name[0], used == nil)]++
		}
		fileCode := "accept"
		if c := code(t, fileErr); c == "ENCODING" {
			fileCode = c
		}
		fmt.Fprintf(&got, "%-70s file %-10s value %-20s row %s\n", f.name, fileCode, code(t, value), code(t, used))
	}
	for verdict, want := range map[string]int{
		"y grammar true": 95, "n grammar false": 185, "n row false": 185,
		// Python writes NaN, Infinity, and -Infinity, and reads them.
		"n grammar true": 3, "n row true": 3,
		// RFC 8259 lets an object have a key twice; a row may not. Two y_ files have.
		"y row true": 93, "y row false": 2,
		// 10 numbers, 500 nested arrays, a byte order mark; lone surrogates, no UTF-8, UTF-16.
		"i row true": 12, "i row false": 23,
	} {
		if count[verdict] != want {
			t.Errorf("%s: %d files, want %d", verdict, count[verdict], want)
		}
	}
	golden(t, "testdata/JSONTestSuite.golden", got.String())
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		g, w := "", ""
		if i < len(gotLines) {
			g = gotLines[i]
		}
		if i < len(wantLines) {
			w = wantLines[i]
		}
		if g != w {
			t.Fatalf("%s:%d:\n got %s\nwant %s\ngo test ./sources/jsonl -update writes the file", name, i+1, g, w)
		}
	}
}

// asRow scans value as the value of the key k, once requested and once skipped.
func asRow(t testing.TB, value []byte, oneLine bool) (used, skipped error) {
	t.Helper()
	row := slices.Concat([]byte(`{"k": `), value, []byte("}"))
	if oneLine {
		row = bytes.ReplaceAll(row, []byte("\n"), []byte(" "))
	}
	row = append(row, '\n')
	vals := make([]schema.Value, 1)
	_, used = compile(t, "k").NewScanner().Scan(row, vals, true)
	_, skipped = compile(t).NewScanner().Scan(row, vals, true)
	return used, skipped
}

func TestNaughtyStringsRoundTrip(t *testing.T) {
	count := 0
	for _, f := range corpus(t, "big-list-of-naughty-strings") {
		if f.name != "blns.json" {
			continue
		}
		var want []string
		if err := json.Unmarshal(f.data, &want); err != nil {
			t.Fatal(err)
		}
		s := compile(t, "s").NewScanner()
		vals := make([]schema.Value, 1)
		for _, text := range want {
			for _, row := range [][]byte{jsonRow(t, text, true), jsonRow(t, text, false)} {
				if _, err := s.Scan(row, vals, true); err != nil {
					t.Errorf("%q: %v", text, err)
				} else if string(vals[0].Text) != text {
					t.Errorf("%q came back as %q", text, vals[0].Text)
				}
			}
			count++
		}
	}
	if count < 500 {
		t.Errorf("%d strings, want more", count)
	}
}

// jsonRow is a row whose key s is text, in escapes or as it is.
func jsonRow(t *testing.T, text string, escaped bool) []byte {
	t.Helper()
	b := []byte(`{"s": "`)
	if escaped {
		for _, r := range text {
			if r >= 0x10000 {
				r -= 0x10000
				b = fmt.Appendf(b, `\u%04x\u%04X`, 0xd800+r>>10, 0xdc00+r&0x3ff)
			} else {
				b = fmt.Appendf(b, `\u%04x`, r)
			}
		}
	} else {
		quoted := &bytes.Buffer{}
		e := json.NewEncoder(quoted)
		e.SetEscapeHTML(false)
		if err := e.Encode(text); err != nil {
			t.Fatal(err)
		}
		b = append(b, quoted.Bytes()[1:quoted.Len()-2]...)
	}
	return append(b, "\"}\n"...)
}

func TestUTF8Tests(t *testing.T) {
	valid, invalid := 0, 0
	for _, f := range corpus(t, "utf8tests") {
		if f.name != "utf8tests.txt" {
			continue
		}
		for line := range strings.Lines(string(f.data)) {
			parts := strings.SplitN(strings.TrimRight(line, "\n"), ":", 4)
			if len(parts) < 3 || strings.HasPrefix(line, "#") {
				continue
			}
			text := []byte(parts[2])
			if strings.HasSuffix(parts[1], " hex") {
				var err error
				if text, err = hex.DecodeString(strings.ReplaceAll(parts[2], " ", "")); err != nil {
					t.Fatal(err)
				}
			}
			want := "UTF8_INVALID"
			if strings.HasPrefix(strings.TrimSpace(parts[1]), "valid") {
				want = "accept"
				valid++
			} else {
				invalid++
			}
			if !utf8Case(t, text, want) {
				t.Errorf("test %s: %q", parts[0], text)
			}
		}
	}
	if valid < 50 || invalid < 100 {
		t.Errorf("%d valid and %d invalid texts, want more", valid, invalid)
	}
}

// utf8Case scans text in a string, requested and skipped, and in a range of a file.
func utf8Case(t *testing.T, text []byte, want string) bool {
	t.Helper()
	valid := want == "accept"
	if valid && bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
		want = "JSON_SYNTAX"
	}
	text = slices.Concat([]byte(`"`), bytes.ReplaceAll(text, []byte(`"`), nil), []byte(`"`))
	used, skipped := asRow(t, text, false)
	c := lines.Chunk{Rule: rule(ample.Record)}
	c.Cut(text, 0, len(text))
	return code(t, used) == want && code(t, skipped) == want && c.Valid == valid
}
