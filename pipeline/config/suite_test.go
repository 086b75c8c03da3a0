package config

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// suite reads yaml-test-suite: the inputs by their names, and which of them
// are not YAML.
func suite(t testing.TB) (inputs map[string][]byte, invalid map[string]bool) {
	t.Helper()
	archive, err := os.Open("testdata/yaml-test-suite.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	unzipped, err := gzip.NewReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	inputs, invalid = map[string][]byte{}, map[string]bool{}
	for files := tar.NewReader(unzipped); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return inputs, invalid
		}
		if err != nil {
			t.Fatal(err)
		}
		directory, name := path.Split(strings.TrimPrefix(header.Name, "yaml-test-suite/"))
		directory = strings.TrimSuffix(directory, "/")
		if header.Typeflag != tar.TypeReg || strings.HasPrefix(directory, "name/") ||
			strings.HasPrefix(directory, "tags/") {
			continue
		}
		text, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		switch name {
		case "in.yaml":
			inputs[directory] = text
		case "error":
			invalid[directory] = true
		}
	}
}

// TestYAMLSuite reads every input of yaml-test-suite. None makes the loader panic, and none is a
// config. Invalid inputs that the parser accepts are listed.
func TestYAMLSuite(t *testing.T) {
	inputs, invalid := suite(t)
	if len(inputs) != 402 {
		t.Fatalf("found %d inputs, want 402", len(inputs))
	}
	var accepted []string
	for name, text := range inputs {
		checkProblems(t, parseInvalid(t, name, text))
		f := newCollector()
		if parseTree(f, testEnv, text) != nil && len(f.list) == 0 && invalid[name] {
			accepted = append(accepted, name)
		}
	}
	slices.Sort(accepted)
	compareGolden(t, "testdata/yaml-test-suite.accepted", []byte(strings.Join(accepted, "\n")+"\n"))
}

// FuzzParse looks for panics, and for configs whose canonical text is not a config with the same
// digest.
func FuzzParse(f *testing.F) {
	inputs, _ := suite(f)
	for _, text := range inputs {
		f.Add(text)
	}
	for _, file := range []string{invalidFile, validFile} {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, in := range archive.Files {
			f.Add(in.Data)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Parse("c.yaml", text, testEnv)
		var problems *Problems
		switch {
		case errors.As(err, &problems):
			checkProblems(t, problems)
		case err != nil:
			t.Fatalf("the error is no *Problems: %v", err)
		default:
			checkCanonical(t, c)
		}
	})
}
