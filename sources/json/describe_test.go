package json

import (
	"testing"
)

// TestObjectOf checks the objects that rows are read as.
func TestObjectOf(t *testing.T) {
	for _, tt := range []struct{ keys, row, want string }{
		{"", `{"a": 1}`, `{"a": 1}`},
		{"", `[1]`, `{"value": [1]}`},
		{"id", `"k": {"a": 1}`, `{"id":"k", "a": 1}`},
		{"id", `"k" : {}`, `{"id":"k"}`},
		{"id", `"k": 1`, `{"id":"k", "value": 1}`},
	} {
		if got := string(objectOf(&Options{Keys: tt.keys}, []byte(tt.row))); got != tt.want {
			t.Errorf("%s with keys %q: found %s, expected %s", tt.row, tt.keys, got, tt.want)
		}
	}
}
