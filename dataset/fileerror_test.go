package dataset_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/bug"
)

// TestMakeFile names the file, the feature, and the setting without the file.
func TestMakeFile(t *testing.T) {
	if err := dataset.MakeFile("f", "f: false", func() error { return nil }); err != nil {
		t.Error(err)
	}
	for name, f := range map[string]func() error{
		"EOF":                       func() error { return io.EOF },
		"internal error: a mistake": func() error { panic("a mistake") },
		`internal error: feature "a": a mistake`: func() error {
			defer bug.Name("a")
			panic("a mistake")
		},
	} {
		err := dataset.MakeFile("f", "f: false", f)
		var fault *dataset.FileError
		if !errors.As(err, &fault) || fault.File != "f" || fault.Without != "f: false" ||
			(fault.Feature == "a") != strings.Contains(name, `"a"`) ||
			!strings.HasPrefix(err.Error(), "making f: "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
