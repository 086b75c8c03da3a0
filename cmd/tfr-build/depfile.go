package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"tfr-build/dataset"
)

// An asideError says that a file about the run could not be written.
type asideError struct {
	path string
	err  error
}

func (e *asideError) Error() string { return "writing " + e.path + ": " + cause(e.err).Error() }
func (e *asideError) Unwrap() error { return e.err }

// writeDepfile writes, for make, that the dataset at output is made from
// inputs. The file appears whole, and is left alone where it says so already.
func (c *call) writeDepfile(output string, inputs []string) error {
	if c.output == "" {
		output = c.log.path(output) // else it is named as on the command line
	}
	names := make([]string, len(inputs))
	for i, p := range inputs {
		names[i] = c.log.path(p)
	}
	if err := replaceFile(c.depfile, depfile(filepath.Join(output, dataset.SuccessName), names)); err != nil {
		return &asideError{c.depfile, err}
	}
	return nil
}

// depfile is a rule without a recipe that says what target depends on. The
// second rule keeps make from failing when an input is gone: then the target is
// to be made again. No name holds a newline: a build with a depfile refuses that.
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

// makeName is name with what is more than a name to make escaped. A backslash
// is one only before such a character.
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

// makeTarget is a name before a colon, where a percent sign makes a pattern.
func makeTarget(name string) string {
	return strings.ReplaceAll(makeName(name), "%", `\%`)
}

// replaceFile puts data in the place of the file at path in one step.
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
		err = f.Chmod(0o644) // CreateTemp makes files that only their owner may read
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the error that matters is in hand
	}
	return err
}
