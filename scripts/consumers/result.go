package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A result is what came of a consumer that found every value as it should be.
type result struct {
	Name    string `json:"name"`
	Version string `json:"version"` // as the consumer itself says it
	Date    string `json:"date"`
	Values  int    `json:"values"` // so many were compared
}

// The table is in a page of the docs between two lines.
const (
	tableBegin = "<!-- consumers: made by scripts/consumers -table -->\n"
	tableEnd   = "<!-- /consumers -->\n"
)

func resultsFile(project string) string {
	return filepath.Join(project, "scripts", "consumers", "results.json")
}

// readResults returns the results by name.
func readResults(project string) (map[string]result, error) {
	data, err := os.ReadFile(resultsFile(project))
	if err != nil {
		return nil, err
	}
	var list []result
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", resultsFile(project), err)
	}
	byName := map[string]result{}
	for _, r := range list {
		byName[r.Name] = r
	}
	return byName, nil
}

// record adds what was found to results.json, and writes the table again. A consumer that
// failed keeps its last result: the table has the date of each.
func record(project string, found []result) error {
	results, err := readResults(project)
	if errors.Is(err, os.ErrNotExist) {
		results, err = map[string]result{}, nil
	}
	if err != nil {
		return err
	}
	for _, r := range found {
		if r.Name != "" {
			results[r.Name] = r
		}
	}
	var list []result
	for _, c := range consumers {
		if r, ok := results[c.name]; ok {
			list = append(list, r)
		}
	}
	data, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(resultsFile(project), append(data, '\n'), 0o644); err != nil {
		return err
	}
	page := filepath.Join(project, tablePage)
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, _, after, err := cutTable(string(text))
	if err != nil {
		return err
	}
	return os.WriteFile(page, []byte(before+table(results)+after), 0o644)
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

// table is the table of the page.
func table(results map[string]result) string {
	var t strings.Builder
	t.WriteString("\n| consumer | tried | on | opens | wants |\n|---|---|---|---|---|\n")
	for _, c := range consumers {
		r, ok := results[c.name]
		if !ok {
			r.Version, r.Date = "–", "–"
		}
		fmt.Fprintf(&t, "| [%s](%s#%s) | %s | %s | %s | %s |\n", c.name, guideLink, anchor(c.name), r.Version, r.Date, c.opens, c.takes)
	}
	t.WriteString("\n")
	return t.String()
}

// anchor is what a heading is called in a link.
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
