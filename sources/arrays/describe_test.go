package arrays

import (
	"strings"
	"testing"
)

// TestWordsOfNames checks which words of a name say what an array contains.
func TestWordsOfNames(t *testing.T) {
	for name, want := range map[string]string{
		"train-images-idx3-ubyte.gz": "train images", "x_train.npy": "x train", "arr_0": "0",
		"embeddings.npy": "embeddings",
		"":               "",
	} {
		if got := strings.Join(wordsOf(name), " "); got != want {
			t.Errorf("%q: found %q, expected %q", name, got, want)
		}
	}
}
