package nearest

import (
	"strings"
	"testing"
)

func TestNearestName(t *testing.T) {
	for _, tt := range []struct{ found, names, want string }{
		{"dgo", "cat dog", "dog"},
		{"Species", "island species", "species"},
		{"colour", "color size", "color"},
		{"a", "A b", "A"},
		{"a", "b c", ""},
		{"ab", "ax xy", "ax"},
		{"bill_lenght_mm", "bill_length_mm bill_depth_mm", "bill_length_mm"},
		{"something", "else", ""},
		{"", "a", ""},
		{"files", "", ""},
		{"x1", "x2 x3", "x2"},
		{"nullvalues", "delimiter null_values", "null_values"},
		{"qoutes", "columns quotes", "quotes"},
		{"trm", "trim files", "trim"},
		{"mapping", "missing", ""},
		{"utf-16", "utf-8 utf-16le utf-16be", "utf-16le"},
		{"typ", "type", "type"},
		{"id", "id idd", ""},
	} {
		if got := Of(tt.found, strings.Fields(tt.names)); got != tt.want {
			t.Errorf("Of(%q, %q) = %q, want %q", tt.found, tt.names, got, tt.want)
		}
	}
	long := strings.Repeat("x", 1000)
	if got := Of(long, []string{long + "y"}); got != "" {
		t.Errorf("names of 1000 bytes were compared: %.20q", got)
	}
}
