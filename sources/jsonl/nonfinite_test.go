package jsonl

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"tfr-build/schema"
)

// TestNonfinite reads numbers that are not finite, alone and in lists, as arrays of one float64. Rows
// with expected keys and others give the same values, and a value that no column uses is accepted.
func TestNonfinite(t *testing.T) {
	const rows = `{"a": NaN, "b": [1, -Infinity, NaN], "c": {"d": Infinity}, "e": [[NaN], [2]]}` + "\n" +
		`{"a": 1.5, "b": [], "c": {"d": -Infinity}, "e": []}` + "\n" +
		`{"a": -Infinity, "b": [NaN], "c": {"d": 2}, "e": [[1, Infinity]]}` + "\n" +
		` { "a" : Infinity }` + "\n"
	want := []string{
		"NaN|[1 -Inf NaN]|+Inf|[[NaN] [2]]", "1.5|[]|-Inf|[]", "-Inf|[NaN]|2|[[1 +Inf]]", "+Inf|-|-|-",
	}
	fast, vals := compile(t, "a", "b", "c.d", "e").NewScanner(), make([]schema.Value, 4)
	for range 3 { // the scanner learns the keys
		for i, row := range strings.SplitAfter(rows, "\n")[:4] {
			for _, s := range []*Scanner{fast, compile(t, "a", "b", "c.d", "e").NewScanner()} {
				if n, err := s.Scan([]byte(row), vals, true); n != len(row) || err != nil {
					t.Fatalf("%s: %d, %v", row, n, err)
				}
				var got []string
				for k := range vals {
					got = append(got, text(&vals[k]))
				}
				if strings.Join(got, "|") != want[i] {
					t.Errorf("%s: %s, want %s", row, strings.Join(got, "|"), want[i])
				}
			}
			if _, err := compile(t).NewScanner().Scan([]byte(row), nil, true); err != nil {
				t.Errorf("%s: %v", row, err)
			}
		}
	}
}

// text writes a value as Go does.
func text(v *schema.Value) string {
	switch v.Kind {
	case schema.Missing:
		return "-"
	case schema.Array:
		_, x, _ := v.NumberAt(0)
		return strconv.FormatFloat(x, 'g', -1, 64)
	case schema.List:
		var list []string
		for i := range v.List {
			list = append(list, text(&v.List[i]))
		}
		return "[" + strings.Join(list, " ") + "]"
	}
	return string(v.Text)
}

// TestHintsOfWords runs the commands of hints for words that JSON does not have.
func TestHintsOfWords(t *testing.T) {
	for word, want := range map[string]string{"+Infinity": "Infinity", "nan": "NaN", "-inf": "-Infinity",
		"+inf": "Infinity", "INF": "Infinity", "-nan": "NaN"} {
		row := `{"a": [1, ` + word + `], "s": "` + word + `"}`
		_, err := compile(t, "a").NewScanner().Scan([]byte(row), make([]schema.Value, 1), true)
		bad, ok := err.(*schema.RowError)
		if !ok || bad.Code != "JSON_SYNTAX" || bad.Hint == "" {
			t.Errorf("%s: %v, %+v", row, err, bad)
			continue
		}
		if got := sed(t, bad.Hint, row); got != `{"a": [1, `+want+`], "s": "`+word+`"}` {
			t.Errorf("%s: %s makes %s of it", row, bad.Hint, got)
		}
	}
}

// sed runs the command of a hint over text.
func sed(t *testing.T, hint, text string) string {
	t.Helper()
	_, command, _ := strings.Cut(hint, ": ")
	command, _, _ = strings.Cut(command, " OLD > NEW")
	cmd := exec.Command("sh", "-c", command)
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return strings.TrimSuffix(string(out), "\n")
}
