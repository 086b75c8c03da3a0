package plural

import "testing"

func TestPluralForms(t *testing.T) {
	for n, want := range map[int64]string{0: "0 rows", 1: "1 row", 2: "2 rows", -1: "-1 rows"} {
		if got := Of(n, "row"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	for noun, want := range map[string]string{"directory": "2 directories", "key": "2 keys", "class": "2 classes"} {
		if got := Of(2, noun); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOneOf(t *testing.T) {
	for want, names := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"},
		"a, b or c": {"a", "b", "c"}} {
		if got := OneOf(names); got != want {
			t.Errorf("%q: %q, want %q", names, got, want)
		}
	}
}
