package date

import (
	"testing"
	"unicode/utf8"
)

// FuzzParse searches for panics, and for errors whose position is outside the format or the string.
// The numbers for different units may differ only by the factor of the unit.
func FuzzParse(f *testing.F) {
	for _, format := range []string{RFC3339, "%Y-%m-%d", "%d/%m/%y %I:%M %p", "%G-W%V-%u", "%Y %U %a", "%Y%j%H%M%S%f",
		"%a %b %d %H:%M:%S %Z %Y", "%Y-%m-%d %H:%M:%S.%f%z", "%Y-%", "%Q"} {
		for _, text := range []string{"2024-03-10 02:30", "1985-04-12T23:20:50.52Z", "12/31/99 11:59 PM", "2020-W53-5",
			"Mon Jan  2 15:04:05 UTC 2006", ""} {
			f.Add(format, text, "America/New_York")
		}
	}
	f.Fuzz(func(t *testing.T, format, text, zone string) {
		z, err := FindZone(zone)
		if err != nil {
			return
		}
		var numbers [Days]int64
		var problems [Days]Problem
		for u := range Days {
			p, err := Compile(format, u, z)
			if err != nil {
				if problem, ok := err.(*FormatError); !ok || problem.At < 0 || problem.At > len(format) ||
					problem.Text == "" {
					t.Fatalf("%q: %#v", format, err)
				}
				return
			}
			numbers[u], problems[u] = p.Parse([]byte(text))
			if problems[u].Reason == Fine {
				continue
			}
			if message, _ := p.Explain([]byte(text), problems[u]); message == "" || problems[u].At > len(text) ||
				!utf8.ValidString(message) {
				t.Fatalf("%q of %q: %+v, %q", text, format, problems[u], message)
			}
		}
		for u := range Nanoseconds {
			if problems[u].Reason == Fine && problems[u+1].Reason == Fine && numbers[u]*1000 != numbers[u+1] {
				t.Fatalf("%q of %q is %d %s and %d %s", text, format, numbers[u], u, numbers[u+1], u+1)
			}
		}
	})
}
