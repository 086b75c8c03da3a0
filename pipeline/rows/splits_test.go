package rows

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/order"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// opened opens a config whose source is a.csv with a text, with columns bound.
func opened(t *testing.T, csv, text string) *Set {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte(csv), 0o600); err != nil {
		t.Fatal(err)
	}
	set := openSet(t, dir, "source: {csv: {files: a.csv}}\n"+text)
	return set
}

// each calls visit with each row of the first file.
func each(t *testing.T, set *Set, visit func(r *Row)) {
	t.Helper()
	err := input.EachRow(t.Context(), set.Sources[0], 0, func(rec *input.Record) error {
		r := Of(0, rec)
		r.Data = []byte(string(r.Data))
		visit(&r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// codeOf returns the code of a *schema.RowError, or the text of another error.
func codeOf(err error) string {
	var bad *schema.RowError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &bad):
		return bad.Code
	}
	return err.Error()
}

// TestSplitsAreNumbered checks the numbers of splits that the config and rows name, their order in
// the output, and that names that rows added can be forgotten and restored.
func TestSplitsAreNumbered(t *testing.T) {
	s := &Splits{names: []string{"train", "test"}, known: 2}
	for _, name := range []string{"z", "train", "dev", "z"} {
		number, err := s.add([]byte(name))
		if err != nil || s.Name(number) != name || s.Number(name) != number {
			t.Errorf("%s has number %d, %v", name, number, err)
		}
	}
	if got, want := fmt.Sprint(s.Names(), s.Sorted()), "[train test z dev] [0 1 3 2]"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	names := s.Names()
	s.Forget()
	if got := s.Names(); !slices.Equal(got, names[:2]) {
		t.Errorf("after Forget: %q", got)
	}
	for _, other := range [][]string{{"train"}, {"test", "train", "z"}, make([]string, maxSplits+1)} {
		if s.Restore(other) {
			t.Errorf("restored %d names: %q", len(other), other[0])
		}
	}
	if !s.Restore(names) || !slices.Equal(s.Names(), names) {
		t.Errorf("restored %q, expected %q", s.Names(), names)
	}
}

// TestSplitsOfRowsAreLimited checks the names that rows may give to splits, and their number.
func TestSplitsOfRowsAreLimited(t *testing.T) {
	s := &Splits{names: []string{"train"}, known: 1}
	for _, name := range []string{"", "1a", "a-b", "all", strings.Repeat("x", 101)} {
		number, err := s.add([]byte(name))
		if codeOf(err) != "SPLIT_NAME" || number != order.NoSplit ||
			!strings.Contains(err.Error(), "the config names train") {
			t.Errorf("%q: %d, %v", name, number, err)
		}
	}
	for i := range maxSplits - 1 {
		if _, err := s.add(fmt.Append(nil, "s", i)); err != nil {
			t.Fatalf("split %d: %v", i, err)
		}
	}
	if _, err := s.add([]byte("more")); !errors.Is(err, errSplits) {
		t.Errorf("one more than %d splits: %v", maxSplits, err)
	}
	if _, err := s.add([]byte("s7")); err != nil {
		t.Errorf("a split that is known: %v", err)
	}
}

// TestChooser checks the split of each row of a table, and which rows have none.
func TestChooser(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"named by rows": {"split: {column: s}\n", "a=a b=b =MISSING c=c"},
		"mapped": {"split: {column: s, map: {a: train, b: train, c: test}}\n",
			"a=train b=train =MISSING c=test"},
		"not in the map": {"split: {column: s, map: {a: train, c: test}}\n",
			"a=train b=MAP_UNKNOWN =MISSING c=test"},
		"filtered":            {"split: {column: s}\nwhere: 's != \"b\"'\n", "a=a b=- =MISSING c=c"},
		"folds by a column":   {"split: {folds: 3, by: x}\n", "a=fold_1 b=fold_2 =fold_1 c=fold_2"},
		"only a name is read": {"split: train\n", "a=train b=train =train c=train"},
	} {
		t.Run(name, func(t *testing.T) {
			set := opened(t, "s,x\na,1\nb,2\n,3\nc,4\n", "features: {x: int64}\n"+test.text)
			c := set.NewChooser()
			defer c.Close()
			var got []string
			each(t, set, func(r *Row) {
				of, err := c.Choose(r)
				text, _, _ := strings.Cut(string(r.Data), ",")
				switch {
				case err != nil:
					text += "=" + codeOf(err)
				case of.Split == Skipped:
					text += "=-"
				default:
					text += "=" + set.Splits.Name(of.Split)
				}
				got = append(got, text)
			})
			if strings.Join(got, " ") != test.want {
				t.Errorf("%q, expected %s", got, test.want)
			}
		})
	}
}
