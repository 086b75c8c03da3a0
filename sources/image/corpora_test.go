package image_test

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/schema"
	"tfr-build/sources/image"
)

var update = flag.Bool("update", false, "write testdata/verdicts.golden afresh")

// corpora are the archives in testdata.
var corpora = []string{
	"PngSuite", "go-image-testdata", "jpeg-decoder-tests",
	"libjpeg-turbo-testimages", "x-image-testdata", "made", "go-fuzz-corpus",
}

// A sample is a file of a corpus.
type sample struct {
	name string
	data []byte
}

// readCorpus returns the files of an archive but for licences and other texts.
func readCorpus(t testing.TB, name string) []sample {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var samples []sample
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return samples
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg || isText(h.Name) {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		samples = append(samples, sample{h.Name, data})
	}
}

func isText(name string) bool {
	switch path.Ext(name) {
	case ".md", ".sng", ".txt", ".ijg", ".README", ".original", ".bz2":
		return true
	}
	base := path.Base(name)
	return strings.HasPrefix(base, "LICENSE") || base == "README"
}

// readPhotos returns the photos, one for each orientation and shape.
func readPhotos(t testing.TB) []sample {
	t.Helper()
	root := filepath.Join("..", "..", "testdata", "photos")
	names, err := filepath.Glob(filepath.Join(root, "*", "*.jpg"))
	if err != nil || len(names) != 18 {
		t.Fatalf("%d photos in %s (%v), want 18", len(names), root, err)
	}
	var samples []sample
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(root, name)
		samples = append(samples, sample{"photos/" + filepath.ToSlash(rel), data})
	}
	return samples
}

// allSamples returns all files there are, the photos too.
func allSamples(t testing.TB) []sample {
	t.Helper()
	samples := readPhotos(t)
	for _, name := range corpora {
		samples = append(samples, readCorpus(t, name)...)
	}
	return samples
}

// describe writes facts as the golden file has them.
func describe(f image.Facts) string {
	return fmt.Sprintf("%v %dx%d %d %s %d", f.Format, f.Width, f.Height, f.Channels, f.Colorspace, f.Orientation)
}

// readGolden reads a file of lines `name TAB text`.
func readGolden(t *testing.T, name string) map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	golden := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		file, text, _ := strings.Cut(s.Text(), "\t")
		golden[file] = text
	}
	return golden
}

// TestFacts holds the facts of every image against what Pillow says of it.
func TestFacts(t *testing.T) {
	golden := readGolden(t, "facts.golden")
	excused := map[string]bool{}
	for _, s := range allSamples(t) {
		if strings.HasPrefix(s.name, "go-fuzz-corpus/") {
			continue
		}
		pillow, ok := golden[s.name]
		if !ok {
			t.Errorf("%s: not in facts.golden", s.name)
			continue
		}
		delete(golden, s.name)
		f, err := image.Read(s.data, image.Limits{})
		got := describe(f)
		if err != nil {
			if got += " " + code(err); code(err) != "IMG_UNSUPPORTED" {
				got = code(err) // only then the facts are complete
			}
		}
		if e, ok := differences[s.name]; ok {
			excused[s.name] = true
			if pillow != e.pillow || got != e.ours {
				t.Errorf("%s:\nPillow %q, want %q\n  ours %q, want %q", s.name, pillow, e.pillow, got, e.ours)
			}
			continue
		}
		if strings.HasPrefix(pillow, "refused ") {
			if err == nil {
				t.Errorf("%s: %s; Pillow %s", s.name, got, pillow)
			}
			continue
		}
		if got != pillow {
			t.Errorf("%s: %s (%v), want %s", s.name, got, err, pillow)
		}
	}
	for name := range golden {
		t.Errorf("%s: in facts.golden and in no corpus", name)
	}
	for name := range differences {
		if !excused[name] {
			t.Errorf("%s: a difference that was not met", name)
		}
	}
}

func code(err error) string {
	if e, ok := err.(*schema.RowError); ok {
		return e.Code
	}
	return fmt.Sprintf("%T", err)
}

// verdict runs one check and says how it ended.
func verdict(data []byte, c image.Check) string {
	f, err := image.Read(data, image.Limits{Pixels: 1 << 22})
	if err == nil {
		err = f.Verify(data, c)
	}
	if err != nil {
		return code(err)
	}
	words := []string{"ok"}
	for w := range f.Warnings.All() {
		words = append(words, w.Code())
	}
	return strings.Join(words, "+")
}

// TestVerdicts compares the verdicts on every file of every corpus with a
// golden file: after the header, after the structure, after the pixels.
func TestVerdicts(t *testing.T) {
	golden := filepath.Join("testdata", "verdicts.golden")
	var lines []string
	for _, s := range allSamples(t) {
		lines = append(lines, fmt.Sprintf("%s\t%s %s %s\n", s.name,
			verdict(s.data, image.Header), verdict(s.data, image.Structure), verdict(s.data, image.Decode)))
	}
	slices.Sort(lines)
	if *update {
		if err := os.WriteFile(golden, []byte(strings.Join(lines, "")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := readGolden(t, "verdicts.golden")
	for _, line := range lines {
		name, got, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if got != want[name] {
			t.Errorf("%s: %s, want %s", name, got, want[name])
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s: in verdicts.golden and in no corpus", name)
	}
}
