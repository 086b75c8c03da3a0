package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	written "tfr-build/dataset"
	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
)

// oddClasses are directories whose names no line of text holds, and one that it does.
var oddClasses = []string{" Rex", "two\nlines", "plain", "caf\xe9"}

// oddLines is how a label file has them, in the order of their numbers.
const oddLines = `" Rex"` + "\n" + `"caf\xe9"` + "\nplain\n" + `"two\nlines"` + "\n"

// TestOddClasses builds a dataset of such classes, and of keys that make the same
// name of a label file: what a file cannot hold is said, all else is there.
func TestOddClasses(t *testing.T) {
	for _, compression := range []string{"none", "gzip", "zlib"} {
		t.Run(compression, func(t *testing.T) {
			dir := t.TempDir()
			for _, class := range oddClasses {
				if err := os.MkdirAll(filepath.Join(dir, "in", class), 0o777); err != nil {
					t.Skipf("this file system has no such name: %v", err)
				}
				write(t, filepath.Join(dir, "in", class), "a.txt", []byte("x"))
			}
			write(t, dir, "d.yaml", []byte("name: odd\noutput: odd/1.0.0\nsource: {folder: {dir: in}}\ncompression: "+compression+`
features:
  label: {from: class, classes: auto}
  a.b: {from: filename, classes: [a.txt]}
  a/b: {from: filename, classes: [b.txt, a.txt]}
  class: bytes
`))
			said := program(t, filepath.Join(dir, "d.yaml"))
			for _, want := range []string{
				`warning: feature "label": label.labels.txt has the class " Rex" and 2 others in quotes, which no line can hold as it is`,
				`warning: feature "a/b": it has no label file, and TFDS takes it for a number, for the feature "a.b" has the file a.b.labels.txt; its classes are named in _tfr/reader.py`,
			} {
				if !strings.Contains(said, want+"\n") {
					t.Errorf("it does not say %s, but\n%s", want, said)
				}
			}
			out := filepath.Join(dir, "odd", "1.0.0")
			for name, want := range map[string]string{"label.labels.txt": oddLines, "a.b.labels.txt": "a.txt\n"} {
				if got, err := os.ReadFile(filepath.Join(out, name)); err != nil || string(got) != want {
					t.Errorf("%s: %q (%v), want %q", name, got, err, want)
				}
			}
			reader, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(written.ReaderName)))
			if err != nil || !strings.Contains(string(reader), "\n            b\"caf\\xe9\",\n") {
				t.Errorf("%s does not have the name as bytes (%v):\n%s", written.ReaderName, err, reader)
			}
			program(t, "verify", "-deep", out)
			if os.Getenv(tftest.PythonVar) != "" {
				tftest.Run(t, filepath.Join("testdata", "labels.py"), dir)
			}
		})
	}
}

// program runs tfr-build, which has to succeed, and returns what it said.
func program(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(testenv.Program(t), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("tfr-build %q: %v\n%s", args, err, out)
	}
	return string(out)
}
