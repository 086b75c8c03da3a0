package rows

import (
	"fmt"
	"strings"
	"testing"
)

// compareAll returns a letter per row: equal rows have the same letter, and rows that are not
// compared have a dash. With ranks, a digit after it is the rank of the row's split.
func compareAll(t *testing.T, set *Set, ranks bool) string {
	t.Helper()
	c := set.NewComparer(nil)
	defer c.Close()
	letters, text := map[string]string{}, ""
	each(t, set, func(r *Row) {
		var of Compared
		ok, err := c.Choose(r)
		if ok && err == nil {
			ok, err = c.Compare(r, 0, &of)
		}
		switch {
		case err != nil:
			t.Fatal(err)
		case !ok:
			text += "-"
			return
		}
		if len(of.Digest) > 32 {
			t.Errorf("a digest of %d bytes", len(of.Digest))
		}
		key := fmt.Sprint(of.Hash, of.Digest, of.Short)
		if letters[key] == "" {
			letters[key] = string(rune('a' + len(letters)))
		}
		if text += letters[key]; ranks {
			text += fmt.Sprint(of.Rank)
		}
	})
	return text
}

// TestComparer checks which rows are equal.
func TestComparer(t *testing.T) {
	long := strings.Repeat("long ", 20)
	for _, c := range []struct{ name, csv, text, want string }{
		{"columns of the features", "a,b,c\n1,x,p\n1,x,q\n1,y,p\n2,x,p\n",
			"features: {a: int64, b: bytes}\ndedupe: {}\n", "aabc"},
		{"one column", "a,b\n1,x\n1,y\n2,x\n", "features: {a: int64}\ndedupe: {by: [a]}\n", "aab"},
		{"numbers are their texts", "a\n1\n01\n1\n", "features: {a: int64}\ndedupe: {by: [a]}\n", "aba"},
		{"missing", "a,b\n1,\n2,\n3,x\n",
			"features: {a: int64, b: {type: bytes, missing: {default: x}}}\ndedupe: {by: [b]}\n", "aab"},
		{"two values that join to one text", "a,b\nx,yz\nxy,z\nx,yz\n",
			"features: {a: bytes, b: bytes}\ndedupe: {by: [a, b]}\n", "aba"},
		{"longer than a digest", "a\n" + long + "1\n" + long + "2\n" + long + "1\n",
			"features: {a: bytes}\ndedupe: {by: [a]}\n", "aba"},
		{"skipped by where", "a,b\n1,1\n1,2\n1,3\n", "features: {a: int64}\nwhere: b >= 2\ndedupe: {by: [a]}\n", "-aa"},
		{"invalid", "a,b\n1,1\n1\n1,3\n", "features: {a: int64}\ndedupe: {by: [a]}\n", "a-a"},
	} {
		if got := compareAll(t, opened(t, c.csv, c.text), false); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	nulls := opened(t, "a,b\n1,\n2,NA\n3,x\n", "features: {a: int64}\ndedupe: {by: [b]}\n")
	nulls.Sources[0].comparisons[0].values[0].nulls = []string{"NA"} // null_values of the source
	if got := compareAll(t, nulls, false); got != "aab" {
		t.Errorf("null values: %s", got)
	}
	prefer := opened(t, "a,part\n1,train\n1,test\n1,other\n2,test\n",
		"features: {a: int64}\nsplit: {column: part}\ndedupe: {by: [a], prefer: [test, train]}\n")
	if got := compareAll(t, prefer, true); got != "a1a0a2b0" {
		t.Errorf("ranks of splits: %s", got)
	}
}
