package rows

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tfr-build/pipeline/strata"
)

// stratumRows are rows in one range, as Decide reads them.
type stratumRows []Stratum

func (s stratumRows) Len() int { return 1 }

func (s stratumRows) Each(_ int, visit func(point uint64, stratum uint32, rows int) error) error {
	for _, of := range s {
		if err := visit(of.Point, of.Number-1, 1); err != nil {
			return err
		}
	}
	return nil
}

// chooseAll chooses the rows of a set, and returns their splits and strata.
func chooseAll(t *testing.T, set *Set) (splits []uint8, list stratumRows) {
	t.Helper()
	c := set.NewChooser()
	defer c.Close()
	each(t, set, func(r *Row) {
		of, err := c.Choose(r)
		if err != nil {
			t.Fatal(err)
		}
		splits, list = append(splits, of.Split), append(list, of.Stratum)
	})
	return splits, list
}

// stratified is a table of 30 rows with x, 10 with y, 1 with z, and 3 without a value.
func stratified(t *testing.T) *Set {
	t.Helper()
	text := "id,label\n"
	for i, label := range strings.Split(strings.Repeat("x", 30)+strings.Repeat("y", 10)+"z   ", "") {
		text += fmt.Sprintf("%d,%s\n", i, strings.TrimSpace(label))
	}
	return opened(t, text, "features: {id: int64}\nsplit: {fractions: {train: 50%, test: 50%}, stratify: label}\n")
}

// TestStrata chooses rows before and after the decision, and restores the decision in another
// process.
func TestStrata(t *testing.T) {
	set := stratified(t)
	before, list := chooseAll(t, set)
	for i := range before {
		if before[i] != set.Sources[0].FirstSplit() || set.Strata.First(list[i]) != before[i] {
			t.Errorf("row %d is in split %d before the decision", i, before[i])
		}
	}
	if set.Stratified() != nil {
		t.Error("described before the decision")
	}
	if err := set.Strata.Decide(list); err != nil {
		t.Fatal(err)
	}
	after, again := chooseAll(t, set)
	if !reflect.DeepEqual(list, again) {
		t.Error("other strata after the decision")
	}
	counts, moved := map[string]int{}, 0
	for i, split := range after {
		of := set.Strata.Values()[list[i].Number-1]
		counts[of.Text+" "+set.Splits.Name(split)]++
		if split != before[i] {
			moved++
		}
	}
	if counts["x train"] != 15 || counts["y test"] != 5 || counts[" train"]+counts[" test"] != 3 ||
		counts["z train"]+counts["z test"] != 1 {
		t.Errorf("rows by value and split: %v", counts)
	}
	set.Strata.EachMoved(func(from, to uint8, n int) {
		if from != before[0] || to == from {
			t.Errorf("%d rows move from %d to %d", n, from, to)
		}
		moved -= n
	})
	if moved != 0 {
		t.Errorf("%d rows that moved are not counted", moved)
	}
	d := set.Stratified()
	if len(d) != 1 || d[0].Column != "label" || d[0].Strata != 4 || d[0].Few != 1 ||
		fmt.Sprint(d[0].FewNames) != `["z"]` || d[0].Values[0].Value != `"x"` || d[0].Values[2].Value != "missing" {
		t.Errorf("described as %+v", d)
	}
	other := stratified(t)
	other.Sequence, other.Space, other.Shuffle = set.Sequence, set.Space, set.Shuffle
	if err := other.Strata.Restore(set.Strata.Decision()); err != nil {
		t.Fatal(err)
	}
	if restored, _ := chooseAll(t, other); !reflect.DeepEqual(restored, after) {
		t.Errorf("restored: %v, want %v", restored, after)
	}
	if _, err := other.Strata.add(strata.Value{Text: "new"}); err == nil || !strings.Contains(err.Error(), "too late") {
		t.Errorf("a value after the decision: %v", err)
	}
	other.Strata.Forget()
	if other.Strata.Decision() != nil || len(other.Strata.Values()) > 0 {
		t.Error("values are not forgotten")
	}
}

// TestStrataHaveLimits adds values until there are too many.
func TestStrataHaveLimits(t *testing.T) {
	s := stratified(t).Strata
	for i := range strata.Max {
		if n, err := s.add(strata.Value{Text: fmt.Sprint(i)}); err != nil || n != uint32(i+1) {
			t.Fatalf("value %d is number %d, %v", i, n, err)
		}
	}
	if n, err := s.add(strata.Value{Text: "7"}); n != 8 || err != nil {
		t.Errorf("a known value: %d, %v", n, err)
	}
	if _, err := s.add(strata.Value{Missing: true}); err == nil ||
		!strings.Contains(err.Error(), "more than 65536 values") {
		t.Errorf("one value more: %v", err)
	}
	s.Forget()
	missing, _ := s.add(strata.Value{Missing: true})
	if empty, err := s.add(strata.Value{}); err != nil || empty == missing {
		t.Errorf("an empty value is missing: %d, %v", empty, err)
	}
	_, _ = s.add(strata.Value{Text: strings.Repeat("x", strata.MaxText)})
	if _, err := s.add(strata.Value{Text: "y"}); err == nil || !strings.Contains(err.Error(), "bytes of values") {
		t.Errorf("longer values: %v", err)
	}
}
