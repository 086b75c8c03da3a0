package header_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// namers are the files outside this package and raster's decoders that name a format other than
// JPEG and PNG, which are also written.
var namers = map[string]string{
	"pixels/raster/raster.go":     "calls the decoder",
	"sources/images/describe.go":  "has the extensions, as init looks for them",
	"sources/images/images.go":    "has the extensions, as the default of a key",
	"statistics/images.go":        "counts images by format",
	"statistics/images/images.go": "has the first bytes",

	"dataset/tfds.go":             "says which images TFDS decodes",
	"pixels/convert/converter.go": "knows that a GIF may be transparent",
}

// decoders matches the files of package raster with one format each.
var decoders = regexp.MustCompile(`^pixels/raster/(gif|bmp|webp|tiff)(_\w+)?\.go$`)

// TestWhereFormatsAreNamed finds the files that name a format. Add a new format to the files of the first
// group, and to both patterns.
func TestWhereFormatsAreNamed(t *testing.T) {
	root := filepath.Join("..", "..")
	format, comment := regexp.MustCompile(`(?i)\b(gif|bmp|webp|tiff)\b`), regexp.MustCompile(`//.*`)
	var found []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || name == "pixels/header" || name == "scripts" || name == "lab" ||
			strings.HasPrefix(d.Name(), ".") && path != root):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			decoders.MatchString(name):
			return nil
		}
		text, err := os.ReadFile(path)
		if format.Match(comment.ReplaceAll(text, nil)) {
			found = append(found, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	if want := slices.Sorted(maps.Keys(namers)); !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}
