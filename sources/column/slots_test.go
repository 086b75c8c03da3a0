package column

import (
	"reflect"
	"testing"
)

// A column keeps its first slot.
func TestSlots(t *testing.T) {
	var s Slots[string]
	for _, c := range []struct {
		name string
		slot int
	}{{"b", 0}, {"a", 1}, {"b", 0}, {"c", 2}, {"a", 1}} {
		if got := s.Of(c.name); got != c.slot {
			t.Errorf("slot of %q: %d, want %d", c.name, got, c.slot)
		}
	}
	if got := s.Columns(); !reflect.DeepEqual(got, []string{"b", "a", "c"}) {
		t.Errorf("columns %q", got)
	}
}
