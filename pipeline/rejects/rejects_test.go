package rejects

import (
	"strings"
	"testing"
)

func TestIsRejects(t *testing.T) {
	line := `{"source":0,"name":"","file":"a","offset":1,"code":"X","message":"m"}`
	for text, want := range map[string]bool{
		line + "\n": true, line + "\n" + line: true, `{"source":0,"name":"` + strings.Repeat("x", 100): true,
		"": false, "mine\n": false, "{}\n": false, `{"source":1}` + "\n": false, `{"other":1,"code":"X","file":"a"}` + "\n": false,
	} {
		if IsFile([]byte(text)) != want {
			t.Errorf("%q", text)
		}
	}
}

func TestParseRejects(t *testing.T) {
	list, err := Parse([]byte("0 12 A\n1 3 B\n"), 2)
	if err != nil || len(list) != 2 || string(Append(nil, list)) != "0 12 A\n1 3 B\n" {
		t.Errorf("%v, %v", list, err)
	}
	for _, text := range []string{"0 1\n", "2 1 A\n", "-1 1 A\n", "a 1 A\n", "0 a A\n", "0 1 A B\n"} {
		if _, err := Parse([]byte(text), 2); err == nil {
			t.Errorf("%q", text)
		}
	}
}
