package jsonl

import (
	"runtime"
	"strings"
	"testing"

	"tfr-build/schema"
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
	for limit, want := range map[int]string{5000: "", 4999: "LIMIT_RECORD"} {
		paths, err := Compile(names, nil, Limits{Record: limit})
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
