package jsonl

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// TestLongListMemory scans rows with many elements, in lists and in nested lists. With garbage,
// each element takes less than the 128 bytes of docs/explanation/reliability.md.
func TestLongListMemory(t *testing.T) {
	const many = 300_000
	list := func(element string, n int) string { return "[" + element + strings.Repeat(","+element, n-1) + "]" }
	objects := `[{"a":1}` + strings.Repeat(`,{"a":1}`, many-1) + "]"
	growing := "["
	for n := 1; n < many; n *= 2 {
		growing += list("0", n) + ","
	}
	for name, c := range map[string]struct {
		column, value string
	}{
		"nulls":             {"x", list("null", many)},
		"digits":            {"x", list("0", many)},
		"texts":             {"x", list(`","`, many)},
		"objects":           {"x", list(`{"a":[1,2,"]"]}`, many)},
		"a list in a list":  {"x", "[" + list("0", many) + "]"},
		"empty lists":       {"x", list("[]", many)},
		"pairs":             {"x", list("[0,0]", many/2)},
		"lists of lists":    {"x", list(list("0", 5000), many/5000)},
		"growing lists":     {"x", growing + "0]"},
		"many then one":     {"x", "[" + strings.Repeat("[],", many/2) + list("0", many/2) + "]"},
		"each":              {"x.*.a", objects},
		"lists of each":     {"x.*.a", list(`{"a":[0,0,0]}`, many/4)},
		"each of each":      {"x.*.*.a", "[" + objects + "]"},
		"each of some":      {"x.*.*.a", list(`[{"a":1},{}]`, many/3)},
		"a list in columns": {"x.y", `{"y":` + list("0", many) + "}"},
	} {
		t.Run(name, func(t *testing.T) {
			s := compile(t, c.column).NewScanner()
			vals := make([]schema.Value, 1)
			row := []byte(`{"x":` + c.value + "}\n")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := s.Scan(row, vals, true); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			elements := countIn(&vals[0])
			if elements < many {
				t.Fatalf("%d elements, want %d", elements, many)
			}
			// What is lost of small memory, before lists are known to be long.
			if taken := int(after.TotalAlloc - before.TotalAlloc); taken > 96*elements+4<<20 {
				t.Errorf("%d bytes were taken, %.1f for each element", taken, float64(taken)/float64(elements))
			}
		})
	}
}

// membersOf returns an object of n members with one value.
func membersOf(n int, value string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ",%q:%s", strconv.Itoa(i), value)
	}
	return "{" + b.String()[1:] + "}"
}

// TestTooManyElements scans rows of 1 MB whose elements would take 64 bytes each. They are counted, and take no more
// memory than the limit. With the limit of the error, the row is valid.
func TestTooManyElements(t *testing.T) {
	const limit, many = 1 << 20, 120_000
	list := func(element string, n int) string { return "[" + element + strings.Repeat(","+element, n-1) + "]" }
	for name, c := range map[string]struct {
		columns, value string
		count          int
	}{
		"digits":               {"x", list("0", many), many},
		"empty strings":        {"x", list(`""`, many), many},
		"nulls":                {"x", list("null", many), many},
		"empty lists":          {"x", list("[]", many), many},
		"pairs":                {"x", list("[0,0]", many), 3 * many},
		"one list in a list":   {"x", "[" + list("0", many) + "]", many + 1},
		"lists of lists":       {"x", list(list("0", 5000), many/5000), many + many/5000},
		"objects":              {"x", list("{}", many), many},
		"each":                 {"x.*.a", list("{}", many), many},
		"each of two":          {"x.*.a x.*.b", list("{}", many), 2 * many},
		"each with its list":   {"x.*.a", list(`{"a":[0]}`, many/2), many},
		"each of each":         {"x.*.*", list("[0,0]", many/2), many + many/2},
		"a list and its parts": {"x x.*.a", list("{}", many/2), many},
		"each member":          {"x.*.a", membersOf(many/2, "{}"), many / 2},
		"each of each member":  {"x.*.*", membersOf(many/4, `{"a":0}`), many / 2},
	} {
		names := strings.Fields(c.columns)
		row := []byte(`{"x":` + c.value + "}\n")
		scan := func(limit int, names ...string) (*schema.RowError, uint64) {
			paths, err := Compile(bound(names...),
				Limits{Limits: input.Limits{Record: limit, Depth: 100, Columns: 100}})
			if err != nil {
				t.Fatal(err)
			}
			vals := make([]schema.Value, len(names))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err = paths.NewScanner().Scan(row, vals, true)
			runtime.ReadMemStats(&after)
			bad, _ := err.(*schema.RowError)
			return bad, after.TotalAlloc - before.TotalAlloc
		}
		_, keys := scan(limit, "none") // an object's keys take memory without a list, too
		bad, taken := scan(limit, names...)
		want := input.LongList(c.count, limit)
		if bad == nil || bad.Message != want.Message || bad.Hint != want.Hint || bad.Column != names[0] || bad.At < 5 {
			t.Errorf("%s: %+v, want %v", name, bad, want)
			continue
		}
		if taken-min(taken, keys) > 4*limit {
			t.Errorf("%s: %d bytes were taken, the limit is %d", name, taken, limit)
		}
		if bad, _ := scan(c.count*input.ElementSize, names...); bad != nil {
			t.Errorf("%s: %v", name, bad)
		}
	}
}

// countIn returns the number of elements of nested lists.
func countIn(v *schema.Value) int {
	n := len(v.List)
	for i := range v.List {
		n += countIn(&v.List[i])
	}
	return n
}

// TestElementsOfManyColumnsCountTowardLimit reads a list of objects that adds an element to each of
// many columns. Together they count toward the limit.
func TestElementsOfManyColumnsCountTowardLimit(t *testing.T) {
	names := make([]string, 50)
	for i := range names {
		names[i] = "x.*." + strings.Repeat("k", i+1)
	}
	row := []byte(`{"x":[{}` + strings.Repeat(",{}", 99) + "]}\n") // 5000 elements
	for limit, want := range map[int]string{5000 * input.ElementSize: "", 5000*input.ElementSize - 1: "LIMIT_RECORD"} {
		paths, err := Compile(bound(names...), Limits{Limits: input.Limits{Record: limit, Depth: 100, Columns: 100}})
		if err != nil {
			t.Fatal(err)
		}
		code := ""
		_, err = paths.NewScanner().Scan(row, make([]schema.Value, len(names)), true)
		if bad, is := err.(*schema.RowError); is {
			code = bad.Code
		}
		if code != want {
			t.Errorf("limit %d: %v, want %q", limit, err, want)
		}
	}
}
