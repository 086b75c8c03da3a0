package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tfr-build/dataset"
	"tfr-build/internal/store"
)

// writeDepfile writes a file for make that says that the dataset at output depends on inputs.
func (c *call) writeDepfile(output string, inputs []string) error {
	if c.Output == "" {
		output = c.log.path(output) // otherwise it has the name of the command line
	}
	names := make([]string, len(inputs))
	for i, p := range inputs {
		names[i] = c.log.path(p)
	}
	return replaceFile(c.Depfile, depfile(filepath.Join(output, dataset.SuccessName), names))
}

// depfile returns a rule without a recipe that says what target depends on. Its second rule makes
// sure that make does not fail if an input is gone: target is then rebuilt. A build with a depfile
// checks that no name contains a newline.
func depfile(target string, inputs []string) []byte {
	const next = " \\\n  "
	list := func(names []string, escape func(string) string) string {
		words := make([]string, len(names))
		for i, name := range names {
			words[i] = escape(name)
		}
		// Make reads a first word with an equals sign as a variable and its value.
		words[0] = strings.ReplaceAll(words[0], "=", "$(subst ,,=)")
		return strings.Join(words, next)
	}
	return []byte(list([]string{target}, makeTarget) + ":" + next + list(inputs, makeName) + "\n\n" +
		list(inputs, makeTarget) + ":\n")
}

// makeName returns name with escapes for the characters that are special in make. A backslash is
// only special before such a character. Make has no escape for a vertical bar and for a blank at the end: a question
// mark is in their place, which matches any character.
func makeName(name string) string {
	var b strings.Builder
	slashes := 0
	for i, c := range []byte(name) {
		if c == '|' || i == len(name)-1 && (c == ' ' || c == '\t') {
			b.WriteString(strings.Repeat(`\`, slashes) + "?")
			slashes = 0
			continue
		}
		switch c {
		case ' ', '\t', '#', ':':
			b.WriteString(strings.Repeat(`\`, slashes+1))
		case ';': // make removes escapes of it twice
			b.WriteString(strings.Repeat(`\`, 3*slashes+3))
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

// replaceFile replaces the file at path by data in one step, unless it has the same content.
func replaceFile(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return store.OS().Local().WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
