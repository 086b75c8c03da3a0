package input

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestAddMetadata(t *testing.T) {
	a, b := NewFacts(), NewFacts()
	if !a.Empty() {
		t.Error("new facts are not empty")
	}
	a.Note("CODE", "text", "b")
	b.Note("CODE", "text", "c")
	b.Note("CODE", "text", "a\xff")
	b.Note("OTHER", "text", "d")
	a.See("image", "JPEG", "RGB", 3)
	b.See("image", "PNG", "RGB", 4)
	a.Add(b)
	notes := map[Note]WarnedRows{{"CODE", "text"}: {3, "a\xff"}, {"OTHER", "text"}: {1, "d"}}
	if got := a.Notes(); !reflect.DeepEqual(got, notes) {
		t.Errorf("together %v, want %v", got, notes)
	}
	seen := &Seen{map[string]bool{"JPEG": true, "PNG": true}, map[string]bool{"RGB": true}, map[int]bool{3: true, 4: true}}
	if got := a.Seen("image"); !reflect.DeepEqual(got, seen) || a.Seen("none") != nil {
		t.Errorf("seen %v, want %v", got, seen)
	}
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	again := NewFacts()
	if err := json.Unmarshal(text, again); err != nil || !reflect.DeepEqual(again, a) {
		t.Errorf("stored as %s: %+v, %v; want %+v", text, again, err, a)
	}
	if a.Clear(); !a.Empty() {
		t.Error("facts after Clear")
	}
}
