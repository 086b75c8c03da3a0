package rows

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/pipeline/config"
)

// TestLimitsOfClassFiles checks the limits of class files, and that a file that is too large is
// not read.
func TestLimitsOfClassFiles(t *testing.T) {
	for _, test := range []struct {
		name, text string
		size       int64 // of the file, beyond the text zeros
		want       string
	}{
		{"as many as there may be", strings.Repeat("x\n", maxClasses), 0, "duplicate"},
		{"one more", strings.Repeat("x\n", maxClasses+1), 0,
			"names.txt:1000001:1: found more names; expected at most 1000000"},
		{"too many bytes", "x\n", maxClassText + 1, "names.txt: 67108865 bytes of names; expected at most 67108864"},
		{"a duplicate", "a\nb\r\nb\n", 0, "names.txt:3:1: duplicate \"b\"; it is on line 2 already"},
		{"a blank line", "a\n\nb\n", 0, "names.txt:2:1: a blank line"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "names.txt")
			if err := os.WriteFile(path, []byte(test.text), 0o666); err != nil {
				t.Fatal(err)
			}
			if test.size > 0 {
				if err := os.Truncate(path, test.size); err != nil {
					t.Fatal(err)
				}
			}
			_, err := newClasses(&config.Config{}, nil).readNames(&config.Classes{File: path})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v; expected %q", err, test.want)
			}
		})
	}
}

func TestNamesOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names.txt")
	if err := os.WriteFile(path, []byte("\ufeffcat\r\nd og\nlast"), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := newClasses(&config.Config{}, nil).readNames(&config.Classes{File: path})
	if want := []string{"cat", "d og", "last"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; expected %q", got, err, want)
	}
}
