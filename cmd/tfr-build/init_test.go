package main

import (
	"strings"
	"testing"
)

// TestNextLines checks the commands to type next: a shell must accept them.
func TestNextLines(t *testing.T) {
	for _, tt := range []struct {
		args      []string
		out, name string
		want      string
	}{
		{[]string{"init", "a.csv", "-o", "c.yaml"}, "c.yaml", "a", "tfr-build try c.yaml\ntfr-build c.yaml"},
		{[]string{"init", "a b.csv"}, "", "a_b",
			"tfr-build init 'a b.csv' -o a_b.yaml\ntfr-build try a_b.yaml\ntfr-build a_b.yaml"},
		{[]string{"init", "-o", "-", "a.csv"}, "-", "a",
			"tfr-build init a.csv -o a.yaml\ntfr-build try a.yaml\ntfr-build a.yaml"},
		{[]string{"init", "a.csv", "-o", "my dir/c.yaml"}, "my dir/c.yaml", "a",
			"tfr-build try 'my dir/c.yaml'\ntfr-build 'my dir/c.yaml'"},
	} {
		if got := strings.Join(nextLines(newFlags(new(options)).scan(tt.args), tt.out, tt.name), "\n"); got != tt.want {
			t.Errorf("%q: got\n%s\nwant\n%s", tt.args, got, tt.want)
		}
	}
}
