package plural

import "testing"

func TestOf(t *testing.T) {
	for n, want := range map[int64]string{0: "0 rows", 1: "1 row", 2: "2 rows", -1: "-1 rows"} {
		if got := Of(n, "row"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
