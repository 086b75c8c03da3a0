package tar

import (
	"slices"
	"testing"

	"tfr-build/sources/input"
)

// TestDescribeContents checks what is said of the columns of samples.
func TestDescribeContents(t *testing.T) {
	got := describeContents([]string{"key", "stem", "class", "seg.PNG", "json", "json.caption", "meta.json",
		"meta.json.a", "txt"})
	want := []input.Content{
		{Name: "seg.PNG", Image: true}, {Name: "json", JSON: true}, {Name: "meta.json", JSON: true},
		{Name: "txt"},
		{Name: "key", Bytes: "names the row"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("found %v, expected %v", got, want)
	}
}
