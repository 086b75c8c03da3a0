package infer_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestRanges has tables of numbered columns with a label before them. One feature has the numbers of all of them.
func TestRanges(t *testing.T) {
	one := func(format string, from, n int) (names []string) {
		for i := range n {
			names = append(names, fmt.Sprintf(format, from+i))
		}
		return names
	}
	square := func(format string) (names []string) {
		for i := range 9 {
			names = append(names, one(fmt.Sprintf(format, i+1), 1, 9)...)
		}
		return names
	}
	const lacking = `%d columns of numbers; see "V2": 1 of 30 rows missing; %[1]d of %[1]d columns have missing ` +
		"values, read as nan"
	for _, tt := range []struct {
		name  string
		names []string
		cell  string // of the first row; that of others is a number
		want  string
	}{
		{"numbers alone", one("%d", 0, 12), "7", `column: {from: "{0..11}", type: int64}`},
		{"rows and columns", square("%dx%%d"), "7", `column: {from: "{1..9}x{1..9}", type: int64}`},
		{"rows and columns with letters", square("r%dc%%d"), "7.5", `r: {from: "r{1..9}c{1..9}", type: float}`},
		{"missing numbers", one("V%d", 2, 100), "", `V: {from: "V{2..101}", type: float, missing: ` +
			`{default: nan}, nonfinite: allow}  # ` + fmt.Sprintf(lacking, 100)},
		{"few columns with missing numbers", one("V%d", 2, 99), "", `V2: {type: int64, missing: omit}`},
		{"other strings among missing numbers", one("V%d", 2, 100), "x1", `V2: string`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("label," + strings.Join(tt.names, ",") + "\n")
			for i := range 30 {
				cell := tt.cell
				if i > 0 {
					cell = fmt.Sprint(i)
				}
				b.WriteString("ab"[i%2:i%2+1] + strings.Repeat(","+cell, len(tt.names)) + "\n")
			}
			dir := testenv.Directory(t, map[string]string{"t.csv": b.String()})
			c := written(t, dir, filepath.Join(dir, "t.csv"))
			if !strings.Contains(string(c.Text), "\n  "+tt.want) {
				t.Errorf("no %s\n%s", tt.want, c.Text)
			}
			works(t, dir, c)
		})
	}
}

// TestOwnNames has tables without names. Their columns are features of their own, or ranges if they are many; a class
// is in none.
func TestOwnNames(t *testing.T) {
	for _, tt := range []struct {
		columns     int
		want, other string
	}{
		{9, "c0: int64             # 0 to 2\n  c1: int64             # 0 to 29\n  c2: int64 ", "{from:"},
		{400, `c: {from: "c{1..399}", type: int64}  # 399 columns of numbers; if the first or the last is a class`,
			"c{0.."},
	} {
		var b strings.Builder
		for i := range 30 {
			fmt.Fprintf(&b, "%d%s\n", i%3, strings.Repeat(fmt.Sprintf(",%d", i), tt.columns-1))
		}
		dir := testenv.Directory(t, map[string]string{"t.csv": b.String()})
		c := written(t, dir, filepath.Join(dir, "t.csv"))
		_, features, _ := strings.Cut(string(c.Text), "features:")
		if !strings.Contains(features, tt.want) || strings.Contains(features, tt.other) {
			t.Errorf("no %s, or %s\n%s", tt.want, tt.other, c.Text)
		}
		works(t, dir, c)
	}
}
