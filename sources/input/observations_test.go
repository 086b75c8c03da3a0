package input

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestAddMetadata(t *testing.T) {
	a, b := NewObservations(), NewObservations()
	if !a.Empty() {
		t.Error("new observations are not empty")
	}
	a.Warn("CODE", "text", "b")
	b.Warn("CODE", "text", "c")
	b.Warn("CODE", "text", "a\xff")
	b.Warn("OTHER", "text", "d")
	a.AddImage("image", "JPEG", "RGB", 3, 5, 4)
	b.AddImage("image", "PNG", "RGB", 4, 5, 4)
	a.Add(b)
	notes := map[Warning]WarnedRows{{Code: "CODE", Text: "text"}: {3, "a\xff"}, {Code: "OTHER", Text: "text"}: {1, "d"}}
	if got := a.Warnings(); !reflect.DeepEqual(got, notes) {
		t.Errorf("together %v, want %v", got, notes)
	}
	seen := &ImageStats{map[string]bool{"JPEG": true, "PNG": true}, map[string]bool{"RGB": true},
		map[int]bool{3: true, 4: true}, 5, 4}
	if got := a.Images("image"); !reflect.DeepEqual(got, seen) || a.Images("none") != nil {
		t.Errorf("seen %v, want %v", got, seen)
	}
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	again := NewObservations()
	if err := json.Unmarshal(text, again); err != nil || !reflect.DeepEqual(again, a) {
		t.Errorf("stored as %s: %+v, %v; want %+v", text, again, err, a)
	}
	if a.Clear(); !a.Empty() {
		t.Error("observations after Clear")
	}
}
