package infer_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
)

// TestNamesOfManyRows has more rows than init looks up files for. The comment says how many it did, not that each row
// has one.
func TestNamesOfManyRows(t *testing.T) {
	table, files := strings.Builder{}, map[string]string{}
	table.WriteString("file,n\n")
	for i := range 90 {
		fmt.Fprintf(&table, "%d.png,%d\n", i, i%2)
		files[fmt.Sprintf("%d.png", i)] = makeImage(t, ".png", "2x2")
	}
	files["t.csv"] = table.String()
	dir := testenv.Directory(t, files)
	text := string(written(t, dir, filepath.Join(dir, "t.csv")).Text)
	if !strings.Contains(text, "# 45 rows that init looked up have a file there") {
		t.Error(text)
	}
}

// TestMostKeys has more keys than init keeps, in an object and, in an exhaustive run, in rows. A comment says so.
func TestMostKeys(t *testing.T) {
	keys := make([]string, 10_001)
	for i := range keys {
		keys[i] = fmt.Sprintf(`"k%d": %d`, i, i)
	}
	all := "{" + strings.Join(keys, ", ") + "}"
	for text, want := range map[string]string{
		all:                   "# Not here: keys after the first 10000, each of which can be a feature.",
		`{"in": ` + all + "}": `# "in.*" is skipped  # keys after the first 10000, each of which can be a feature`,
	} {
		if text == all && !testenv.Exhaustive() {
			continue
		}
		dir := testenv.Directory(t, map[string]string{"t.jsonl": text + "\n" + text + "\n"})
		got := string(written(t, dir, filepath.Join(dir, "t.jsonl")).Text)
		if blanks := regexp.MustCompile(`  +#`); !strings.Contains(blanks.ReplaceAllString(got, "  #"), want) {
			t.Errorf("%q is not in %.200s … %s", want, got, got[max(0, len(got)-200):])
		}
	}
}

// TestNumbersBeyondInt64 has an array of numbers that an int64 does not hold. Only a tensor keeps them.
func TestNumbersBeyondInt64(t *testing.T) {
	words := strings.Repeat("\x01\x00\x00\x00\x00\x00\x00\x80", 3)
	dir := testenv.Directory(t, map[string]string{"u.npy": filetest.NPY("<u8", "(3,)", words)})
	c := written(t, dir, filepath.Join(dir, "u.npy"))
	if !strings.Contains(string(c.Text),
		"u: {type: uint64, tensor: true}  # only a tensor holds 3 numbers above 2^63-1") {
		t.Error(string(c.Text))
	}
	works(t, dir, c)
}
