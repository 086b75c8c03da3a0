package main

import (
	"strings"
	"testing"

	"tfr-build/internal/excerpt"
)

func TestExcerptText(t *testing.T) {
	long := strings.Repeat("0123456789", 30)
	for name, c := range map[string]struct {
		text     string
		at, size int
		line     int
		columns  int
		want     string
	}{
		"value":         {"  age: interger", 7, 8, 9, 80, "   9 |   age: interger\n     |        ^^^^^^^^\n"},
		"unknown size":  {"1,2,3", 4, 0, 12345, 80, "12345 | 1,2,3\n      |     ^\n"},
		"end of line":   {"1,2", 3, 0, 1, 80, "   1 | 1,2\n     |    ^\n"},
		"tab":           {"a\tbc", 2, 2, 1, 80, "   1 | a bc\n     |   ^^\n"},
		"wide":          {"日本,x", 7, 1, 1, 80, "   1 | 日本,x\n     |      ^\n"},
		"wide mark":     {"a,日本", 2, 6, 1, 80, "   1 | a,日本\n     |   ^^^^\n"},
		"combining":     {"e\u0301,x", 4, 1, 1, 80, "   1 | e\u0301,x\n     |   ^\n"},
		"bidi":          {"\u202ea,x", 5, 1, 1, 80, "   1 | \\u202ea,x\n     |         ^\n"},
		"escape":        {"\x1b[31m,x", 6, 1, 1, 80, "   1 | \\x1b[31m,x\n     |          ^\n"},
		"not UTF-8":     {"a\xff", 1, 0, 1, 80, "   1 | a\\xff\n     |  ^\n"},
		"no line":       {"", 0, 0, 3, 80, ""},
		"cut at end":    {long, 2, 3, 1, 40, "   1 | " + long[:30] + "…\n     |   ^^^\n"},
		"cut on both":   {long, 100, 3, 1, 40, "   1 | …" + long[90:120] + "…\n     |            ^^^\n"},
		"cut at start":  {long, 298, 2, 1, 40, "   1 | …" + long[288:] + "\n     |            ^^\n"},
		"long mark":     {long, 0, 300, 1, 40, "   1 | " + long[:30] + "…\n     | " + strings.Repeat("^", 30) + "\n"},
		"narrow screen": {long, 100, 1, 1, 5, "   1 | …" + long[94:114] + "…\n     |        ^\n"},
	} {
		e := excerpt.At([]byte(c.text), c.at, c.size)
		got := excerptText(e, c.line, c.columns, func(s string) string { return s })
		if got != c.want {
			t.Errorf("%s:\n%swant\n%s", name, got, c.want)
		}
	}
}
