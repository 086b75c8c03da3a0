package expr

import (
	"testing"

	"tfr-build/schema"
)

// TestNothingIsAllocated evaluates rows without allocations, even if strings are built.
func TestNothingIsAllocated(t *testing.T) {
	for _, text := range []string{
		`fare > 0 && passengers + 1 < 7 && vendor in ["CMT", "VTS"]`, `fare / passengers`,
		`vendor == "CMT" ? fare * 2 : passengers`, `lower(vendor) + "-" + text(passengers) + substr(vendor, 1)`,
		`matches(vendor, r"^[A-Z]+$") && contains(vendor, "M")`, `passengers in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]`,
		`vendor in ["a", "b", "c", "d", "e", "f", "g", "h", "i"]`, `log(fare) + sqrt(passengers)`, `fare == passengers`,
		`vendor < fare`,
	} {
		p, err := Compile(text, func(string) (Type, bool) { return Dynamic, true })
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]schema.Value{"fare": cell("17.29999999999999999"), "passengers": cell("2"),
			"vendor": {Kind: schema.String, Text: []byte("CMT")}}
		var slots []int
		var vals []schema.Value
		for i, c := range p.Columns() {
			slots, vals = append(slots, i), append(vals, values[c])
		}
		if text == `vendor < fare` || text == `fare == passengers` {
			vals[0] = cell("12")
		}
		e := p.Bind(slots, [][]string{{"NA"}})
		if n := testing.AllocsPerRun(100, func() {
			if _, err := e.Value(vals); err != nil {
				t.Fatal(text, err)
			}
		}); n > 0 {
			t.Errorf("%s takes memory %v times a row", text, n)
		}
	}
}
