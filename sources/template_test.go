package sources

import "testing"

func TestTemplate(t *testing.T) {
	p, err := ParseTemplate("{Subset}/{ImageID}.jpg")
	if err != nil {
		t.Fatal(err)
	}
	cells := []string{"train", "007"}
	if got := string(p.Append(nil, func(i int) []byte { return []byte(cells[i]) })); got != "train/007.jpg" {
		t.Errorf("got %q", got)
	}
	for text, want := range map[string]string{"/{a}": "relative", "{a": "expected {column}", "a}": "without"} {
		_, err := ParseTemplate(text)
		wantError(t, err, want)
	}
}
