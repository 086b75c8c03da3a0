package infer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/infer"
)

// TestLinks checks that symbolic links in a directory, which no source follows by itself, are said.
func TestLinks(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"d/a/1.txt": "one", "d/a/2.txt": "two", "other/3.txt": "three"})
	for name, to := range map[string]string{"d/a/4.txt": "1.txt", "d/b": "../other"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := infer.Inspect(t.Context(), []string{filepath.Join(dir, "d")}, infer.Options{Dir: dir})
	if err != nil || !strings.Contains(string(c.Text), "2 symbolic links in \"d\" skipped") {
		t.Errorf("found %v, %s", err, c.Text)
	}
}
