package rejects

import (
	"strings"
	"testing"
)

func TestIsRejects(t *testing.T) {
	line := `{"source":0,"name":"","file":"a","offset":1,"code":"X","message":"m"}`
	for text, want := range map[string]bool{
		line + "\n": true, line + "\n" + line: true, `{"source":0,"name":"` + strings.Repeat("x", 100): true,
		"": false, "mine\n": false, "{}\n": false, `{"source":1}` + "\n": false,
		`{"other":1,"code":"X","file":"a"}` + "\n": false,
	} {
		if IsFile([]byte(text)) != want {
			t.Errorf("%q", text)
		}
	}
}
