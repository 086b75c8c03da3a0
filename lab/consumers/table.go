package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The table is in a page of the docs between two lines.
const (
	tableBegin = "<!-- consumers: made by lab/consumers -->\n"
	tableEnd   = "<!-- /consumers -->\n"
)

// writeTable writes the table again, from the answers.
func writeTable(project string) error {
	page := filepath.Join(project, tablePage)
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, _, after, err := cutTable(string(text))
	if err != nil {
		return err
	}
	rows, err := table(project)
	if err != nil {
		return err
	}
	return os.WriteFile(page, []byte(before+rows+after), 0o644)
}

// cutTable cuts the page around its table.
func cutTable(text string) (before, inside, after string, err error) {
	before, rest, ok := strings.Cut(text, tableBegin)
	inside, after, closed := strings.Cut(rest, tableEnd)
	if !ok || !closed {
		return "", "", "", fmt.Errorf("%s has no table between %q and %q", tablePage, tableBegin, tableEnd)
	}
	return before + tableBegin, inside, tableEnd + after, nil
}

// table returns the table of the page.
func table(project string) (string, error) {
	var t strings.Builder
	t.WriteString("\n| consumer | tried | on | opens | wants |\n|---|---|---|---|---|\n")
	for _, c := range consumers {
		if c.opens == "" {
			continue
		}
		a, err := readAnswer(project, c)
		if errors.Is(err, fs.ErrNotExist) {
			a.Version, a.Date, err = "–", "–", nil
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&t, "| [%s](%s#%s) | %s | %s | %s | %s |\n", c.name, guideLink, anchor(c.name), a.Version, a.Date,
			c.opens, c.takes)
	}
	t.WriteString("\n")
	return t.String(), nil
}

// anchor returns the anchor of a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case strings.ContainsRune("./,()", r):
			return -1
		}
		return r
	}, strings.ToLower(heading))
}
