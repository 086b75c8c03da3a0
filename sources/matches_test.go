package sources

import (
	"encoding/json"
	"testing"
)

// TestRowSet stores a set twice, with rows that were added in between, and reads it again.
func TestRowSet(t *testing.T) {
	var s, read RowSet
	for _, row := range []uint32{7, 5, 7, 5, 7, 9} {
		s.add(row)
	}
	first, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	s.add(5)
	second, err := json.Marshal(s)
	if err != nil || string(first) != string(second) {
		t.Errorf("first %s, then %s: %v", first, second, err)
	}
	if err := json.Unmarshal(second, &read); err != nil {
		t.Fatal(err)
	}
	if again, _ := json.Marshal(read); string(again) != string(first) || len(read.rows) != 3 {
		t.Errorf("read %v, stored again %s, want %s", read.rows, again, first)
	}
}
