package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"tfr-build/dataset"
)

// A runFileError says that a file about the run could not be written.
type runFileError struct {
	path string
	err  error
}

func (e *runFileError) Error() string { return "writing " + e.path + ": " + cause(e.err).Error() }
func (e *runFileError) Unwrap() error { return e.err }

// writeDepfile writes a file for make that says that the dataset at output depends on inputs. An
// existing file is replaced in one step, unless it has the same content.
func (c *call) writeDepfile(output string, inputs []string) error {
	if c.Output == "" {
		output = c.log.path(output) // otherwise it has the name of the command line
	}
	names := make([]string, len(inputs))
	for i, p := range inputs {
		names[i] = c.log.path(p)
	}
	if err := replaceFile(c.Depfile, depfile(filepath.Join(output, dataset.SuccessName), names)); err != nil {
		return &runFileError{c.Depfile, err}
	}
	return nil
}

// depfile returns a rule without a recipe that says what target depends on. Its second rule makes
// sure that make does not fail if an input is gone: target is then rebuilt. A build with a depfile
// checks that no name contains a newline.
func depfile(target string, inputs []string) []byte {
	const next = " \\\n  "
	b := []byte(makeTarget(target) + ":")
	for _, name := range inputs {
		b = append(b, next+makeName(name)...)
	}
	b = append(b, "\n\n"...)
	for i, name := range inputs {
		if i > 0 {
			b = append(b, next...)
		}
		b = append(b, makeTarget(name)...)
	}
	return append(b, ":\n"...)
}

// makeName returns name with escapes for the characters that are special in make. A backslash is
// only special before such a character.
func makeName(name string) string {
	var b strings.Builder
	slashes := 0
	for _, c := range []byte(name) {
		switch c {
		case ' ', '\t', '#', ':':
			b.WriteString(strings.Repeat(`\`, slashes+1))
		case '*', '?', '[':
			b.WriteByte('\\')
		case '$':
			b.WriteByte('$')
		}
		b.WriteByte(c)
		if slashes++; c != '\\' {
			slashes = 0
		}
	}
	return b.String()
}

// makeTarget returns a name that is before a colon, where a percent sign would make a pattern.
func makeTarget(name string) string {
	return strings.ReplaceAll(makeName(name), "%", `\%`)
}

// replaceFile replaces the file at path by data in one step.
func replaceFile(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".tfr-build-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644) // CreateTemp makes files that only their owner can read
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is returned
	}
	return err
}
