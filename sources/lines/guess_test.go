package lines

import (
	"bytes"
	"strings"
	"testing"
)

func TestGuess(t *testing.T) {
	for _, text := range []string{"", "a", "a\n", "a\nb\n\n", strings.Repeat("\n", 4<<10)} {
		if got, want := Guess([]byte(text)), strings.Count(text, "\n")+1; got != want {
			t.Errorf("%d bytes: %d, want %d", len(text), got, want)
		}
	}
	for _, line := range []string{"\n", "twelve bytes\n", strings.Repeat("x", 9999) + "\n"} {
		text := bytes.Repeat([]byte(line), 1<<20/len(line))
		if got, least := Guess(text), len(text)/len(line); got < least {
			t.Errorf("lines of %d bytes: %d, want at least %d", len(line), got, least)
		}
	}
}
