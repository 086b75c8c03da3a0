package dataset

import (
	"encoding/json"
	"testing"
)

// TestContent adds records in two orders, and in parts.
func TestContent(t *testing.T) {
	var a, b, part Content
	for i := range 1000 {
		a.AddRecord([]byte{byte(i), byte(i >> 8)})
	}
	for i := 999; i >= 500; i-- {
		b.AddRecord([]byte{byte(i), byte(i >> 8)})
	}
	for i := range 500 {
		part.AddRecord([]byte{byte(i), byte(i >> 8)})
	}
	if b == a {
		t.Error("half of the records have the content of all")
	}
	if b.Add(part); b != a || a == (Content{}) {
		t.Errorf("%s and %s", a, b)
	}
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var again Content
	if err := json.Unmarshal(text, &again); err != nil || again != a {
		t.Errorf("%s became %s: %v", text, again, err)
	}
	for _, text := range []string{`""`, `"00"`, `"0000000000000000000000000000000g"`,
		`" 000000000000000000000000000000000"`} {
		if json.Unmarshal([]byte(text), &again) == nil {
			t.Errorf("%s was accepted", text)
		}
	}
}
