package infer

import (
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestLibraryNodes shows why the package writes YAML itself. The nodes of the library lose the columns
// of comments, and write characters that turn the direction of text as they are.
func TestLibraryNodes(t *testing.T) {
	p := new(configText)
	p.add("features:", "")
	p.add("  size: int64", "1 to 2")
	p.add("  "+scalar("\u202ename")+": string", "2 different strings")
	ours := p.String()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(ours), &doc); err != nil {
		t.Fatal(err)
	}
	encoded, err := yaml.Marshal(&doc)
	if err != nil {
		t.Fatal(err)
	}
	theirs := string(encoded)
	for _, tt := range []struct {
		text     string
		inOurs   bool
		inTheirs bool
		about    string
	}{
		{"  size: int64           # 1 to 2\n", true, false, "comments are in one column"},
		{"size: int64 # 1 to 2\n", false, true, "a comment is one space after its line"},
		{`"\u202ename": string  # 2`, true, false, "characters that turn text are escaped"},
		{"\u202e", false, true, "characters that turn text are as they are"},
	} {
		if strings.Contains(ours, tt.text) != tt.inOurs || strings.Contains(theirs, tt.text) != tt.inTheirs {
			t.Errorf("%s: %q\nours\n%s\ntheirs\n%s", tt.about, tt.text, ours, theirs)
		}
	}
}
