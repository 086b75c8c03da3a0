// Package imagetest gives tests the images of the corpora in pixels/header/testdata
// and the photos in testdata/photos.
package imagetest

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// Corpora are the archives in pixels/header/testdata.
var Corpora = []string{
	"PngSuite", "go-image-testdata", "jpeg-decoder-tests",
	"libjpeg-turbo-testimages", "x-image-testdata", "made", "go-fuzz-corpus",
}

// A Sample is a file of a corpus.
type Sample struct {
	Name string
	Data []byte
}

// root returns the directory of the module, above the directory of the test.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = above
	}
}

// Corpus returns the files of an archive except licenses and other text files.
func Corpus(t testing.TB, name string) []Sample {
	t.Helper()
	return Archive(t, filepath.Join(root(t), "pixels", "header", "testdata", name+".tar.gz"))
}

// Archive returns the files of the archive with that path.
func Archive(t testing.TB, name string) []Sample {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var samples []Sample
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
		samples = append(samples, Sample{h.Name, data})
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

// Photos returns the photos, one for each orientation and shape.
func Photos(t testing.TB) []Sample {
	t.Helper()
	dir := filepath.Join(root(t), "testdata", "photos")
	names, err := filepath.Glob(filepath.Join(dir, "*", "*.jpg"))
	if err != nil || len(names) != 18 {
		t.Fatalf("%d photos in %s (%v), want 18", len(names), dir, err)
	}
	var samples []Sample
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, name)
		samples = append(samples, Sample{"photos/" + filepath.ToSlash(rel), data})
	}
	return samples
}

// All returns the photos and the files of all corpora.
func All(t testing.TB) []Sample {
	t.Helper()
	samples := Photos(t)
	for _, name := range Corpora {
		samples = append(samples, Corpus(t, name)...)
	}
	return samples
}

// Find returns a file of a corpus by the end of its name.
func Find(t testing.TB, corpus, name string) []byte {
	t.Helper()
	for _, s := range Corpus(t, corpus) {
		if strings.HasSuffix(s.Name, "/"+name) {
			return s.Data
		}
	}
	t.Fatalf("no %s in %s", name, corpus)
	return nil
}
