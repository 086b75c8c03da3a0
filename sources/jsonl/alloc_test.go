package jsonl

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/lines"
)

func TestScanAllocatesNothing(t *testing.T) {
	rows := [][]byte{
		[]byte(`{"id": 1, "s": "plain", "e": "a\u00e9\n", "n": -1.5e3, "b": true, "z": null, "l": [1, [2, 3], []], ` +
			`"o": {"x": {"y": [1]}}, "m": [{"v": [1, 2]}, {}]}` + "\n"),
		[]byte(`{"id": 2, "e": "b\t", "l": ["x", ["y"]], "m": [{"v": []}]}` + "\n"),
		[]byte(`{"m": [], "id": 3}` + "\n"), // out of order: parsed in the slow path
		[]byte(`{"id":4,"s":"` + fmt.Sprintf("%070d", 0) + `"}` + "\n"),
	}
	s := compile(t, "id", "s", "e", "n", "l", "o.x.y.0", "m.*.v", "m.*.v.*").NewScanner()
	vals := make([]schema.Value, 8)
	scan := func() {
		for _, row := range rows {
			if _, err := s.Scan(row, vals, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 3000 { // until it has learned what it can
		scan()
	}
	if n := testing.AllocsPerRun(100, scan); n != 0 {
		t.Errorf("%v allocations for %d rows", n, len(rows))
	}
}

func TestCutAllocatesNothing(t *testing.T) {
	data := trips(1000)
	c := lines.Chunk{Rule: rule(ample.Record)}
	if n := testing.AllocsPerRun(10, func() { c.Cut(data, 0, len(data)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The scanner must not keep the memory of a row that needed much scratch.
func TestScratchIsReleased(t *testing.T) {
	huge := []byte(`{"l": [0`)
	for range 2 << 16 {
		huge = append(huge, ",0"...)
	}
	huge = append(huge, "]}\n"...)
	s := compile(t, "l").NewScanner()
	vals := make([]schema.Value, 1)
	for _, row := range [][]byte{huge, []byte(`{"l": [1]}`), []byte(`{"l": [1]}`)} {
		if _, err := s.Scan(row, vals, true); err != nil {
			t.Fatal(err)
		}
	}
	if c := cap(s.elements); c > 1<<16 {
		t.Errorf("room for %d elements after small rows", c)
	}
}

// TestDecodedStringMemory scans short and long strings with escapes. Every second string is
// requested.
func TestDecodedStringMemory(t *testing.T) {
	const count = 40
	var row strings.Builder
	var columns, want []string
	for i := range count {
		text := strings.Repeat("\\ntext", 10+i%4*10_000)
		fmt.Fprintf(&row, "%c\"%d\": \"%s\"", "{,"[min(i, 1)], i, text)
		if i%2 == 0 {
			columns, want = append(columns, strconv.Itoa(i)), append(want, strings.ReplaceAll(text, "\\n", "\n"))
		}
	}
	row.WriteString("}\n")
	s := compile(t, columns...).NewScanner()
	vals := make([]schema.Value, len(columns))
	data := []byte(row.String())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := s.Scan(data, vals, true); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	for i := range vals {
		if string(vals[i].Text) != want[i] {
			t.Errorf("column %s is not what it was", columns[i])
		}
	}
	if taken, most := after.TotalAlloc-before.TotalAlloc, uint64(len(data)+100<<10); taken > most {
		t.Errorf("a row of %d bytes took %d bytes, expected at most %d", len(data), taken, most)
	}
}

// The expected keys grow to the keys of all rows, in a common order, so that rows with optional
// keys are scanned in the fast path.
func TestOptionalKeysAreLearned(t *testing.T) {
	rows := []string{`{"a": 1, "c": 2}`, `{"a": 1, "b": 2}`, `{"b": 1, "c": 2}`, `{"a": 1, "b": 2, "c": 3, "d": 4}`,
		`{"d": 1}`, `{"a": 1, "b": 2, "c": 3}`}
	s := compile(t, "a", "d").NewScanner()
	vals := make([]schema.Value, 2)
	for range 20 {
		for _, row := range rows {
			if _, err := s.Scan([]byte(row), vals, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, row := range rows {
		if _, ok := s.scanFast([]byte(row), vals); !ok {
			t.Errorf("%s is not expected", row)
		}
	}
}
