package contents_test

import (
	"fmt"
	"slices"
	"testing"

	"tfr-build/pipeline/contents"
)

// split returns the contents of records as lists of a few records, each encoded and parsed.
func split(t *testing.T, records ...[]string) (lists []*contents.List) {
	t.Helper()
	for partition := range slices.Chunk(records, 3) {
		var whole contents.List
		for _, r := range partition {
			var one contents.List
			var images [][]byte
			for _, image := range r[1:] {
				images = append(images, []byte(image))
			}
			one.Add([]byte(r[0]), images...)
			one.MoveTo(&whole)
		}
		l, err := contents.Parse(whole.Append(nil))
		if err != nil {
			t.Fatal(err)
		}
		lists = append(lists, &l)
	}
	return lists
}

func TestShared(t *testing.T) {
	var many [][]string
	for i := range 1000 {
		many = append(many, []string{fmt.Sprint("row ", i)})
	}
	train := append([][]string{{"a", "cat"}, {"b", "dog"}, {"b", "cow"}, {"c"}, {"twice"}, {"twice"}}, many...)
	splits := [][]*contents.List{
		split(t, train...),
		split(t, []string{"x", "dog"}, []string{"row 17"}, []string{"y", "fox"}),
		split(t, []string{"a", "owl"}, []string{"y", "ant"}),
		nil,
	}
	// Shared with another split are a, dog, and row 17 of train.
	if got, want := contents.Shared(splits), []int64{3, 3, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := contents.Shared(splits[:1]), []int64{0}; !slices.Equal(got, want) {
		t.Errorf("twice in one split: %v, want %v", got, want)
	}
}

// TestSplit stores the records of a split, in any order of its lists.
func TestSplit(t *testing.T) {
	records := [][]string{{"a", "cat"}, {"b", "dog", "cat"}, {"c"}, {"d", "ant"}, {"a", "cat"}, {"e"}}
	stored := contents.AppendSplit(nil, split(t, records...))
	slices.Reverse(records)
	if other := contents.AppendSplit(nil, split(t, records...)); !slices.Equal(other, stored) {
		t.Error("other lists are stored in another way")
	}
	lists, err := contents.ParseSplit(stored)
	if err != nil {
		t.Fatal(err)
	}
	others := split(t, []string{"x", "cat", "dog"}, []string{"e"})
	if got := contents.Shared([][]*contents.List{lists, others}); !slices.Equal(got, []int64{4, 2}) {
		t.Errorf("%v, want 4 and 2", got)
	}
	if again := contents.AppendSplit(nil, lists); !slices.Equal(again, stored) {
		t.Error("they are stored again in another way")
	}
	for n := range len(stored) {
		lists, err := contents.ParseSplit(stored[:n])
		if err == nil && !slices.Equal(contents.AppendSplit(nil, lists), stored[:n]) {
			t.Errorf("%d of %d bytes were read", n, len(stored))
		}
	}
	if _, err := contents.ParseSplit([]byte{0}); err == nil {
		t.Error("a record without contents was read")
	}
}

func TestParseDamaged(t *testing.T) {
	var l contents.List
	l.Add([]byte("a"))
	whole := l.Append(nil)
	for n := range len(whole) {
		if n == 1 {
			continue // a list of records without contents is valid
		}
		if _, err := contents.Parse(whole[:n]); err == nil {
			t.Errorf("%d of %d bytes were read", n, len(whole))
		}
	}
	whole[len(whole)-1] = 7
	if _, err := contents.Parse(whole); err == nil {
		t.Error("a record that is not there was read")
	}
}
