package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

// resultsFile has what the page is made of.
const resultsFile = "bench/results.json"

//go:embed benchmarks.md.tmpl
var pageText string

//go:embed goals.md.tmpl
var goalsText string

// goalsPage is the page of the goals, next to the page of the benchmarks.
const goalsPage = "development/benchmark-goals.md"

// writePage keeps the results, and makes the page and its charts of them. Where only some
// groups ran, those that are kept of the others stay.
func writePage(page string, r *results, some bool) error {
	if some {
		kept, err := readResults(resultsFile)
		if err != nil {
			return err
		}
		r = kept.with(r)
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(resultsFile, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return renderPage(page)
}

// renderPage makes the page and its charts of the results that are kept. Charts are in a
// directory of the page's name.
func renderPage(page string) error {
	r, err := readResults(resultsFile)
	if err != nil {
		return err
	}
	files, err := r.page(strings.TrimSuffix(filepath.Base(page), ".md"))
	if err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(filepath.Dir(page), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func readResults(path string) (*results, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r results
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &r, nil
}

// page is NAME.md, the page of the goals, and the charts below NAME, by their names.
func (r *results) page(name string) (map[string]string, error) {
	files := map[string]string{}
	functions := template.FuncMap{
		"thousands": thousands,
		"table":     r.table,
		"goals":     r.goals,
		"doubts":    r.doubts,
		"caveat":    r.caveat,
		"steps":     r.steps,
		"jobs":      r.jobs,
		"days":      r.days,
		"megapixels": func() (string, error) {
			g, err := r.group(photoJobName)
			if err != nil {
				return "", err
			}
			return number(g.Megapixels), nil
		},
		"chart": func(group string) (string, error) {
			g, err := r.group(group)
			if err != nil {
				return "", err
			}
			file := name + "/" + fileName(group) + ".svg"
			files[file] = g.chart().svg()
			return fmt.Sprintf("![%s, bars of the times in the table](%s)", group, file), nil
		},
		"hero": func() (string, error) {
			c, err := r.hero()
			if err != nil {
				return "", err
			}
			file := name + "/hero.svg"
			files[file] = c.svg()
			return fmt.Sprintf("![%s](%s)", c.title, file), nil
		},
	}
	for file, source := range map[string]string{name + ".md": pageText, goalsPage: goalsText} {
		page, err := template.New(file).Funcs(functions).Parse(source)
		if err != nil {
			return nil, err
		}
		var text strings.Builder
		if err := page.Execute(&text, r); err != nil {
			return nil, err
		}
		files[file] = text.String()
	}
	return files, nil
}

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// fileName returns a file name for a title.
func fileName(text string) string {
	text = strings.NewReplacer(",", "", "'", "").Replace(strings.ToLower(text))
	return strings.Trim(notInNames.ReplaceAllString(text, "-"), "-")
}

// with adds the results of other groups, or newer results of the same ones.
func (r *results) with(newer *results) *results {
	all := *newer
	all.Groups = slices.Clone(r.Groups)
	for _, g := range newer.Groups {
		i := slices.IndexFunc(all.Groups, func(had result) bool { return had.Name == g.Name })
		if i < 0 {
			all.Groups = append(all.Groups, g)
			continue
		}
		all.Groups[i] = g
	}
	return &all
}

// group is the one of a name.
func (r *results) group(name string) (*result, error) {
	for i := range r.Groups {
		if r.Groups[i].Name == name {
			return &r.Groups[i], nil
		}
	}
	return nil, fmt.Errorf("found no results of %q", name)
}

// table returns the table of a group, with the ratio of each contender to the first.
func (r *results) table(group string) (string, error) {
	g, err := r.group(group)
	if err != nil {
		return "", err
	}
	var s strings.Builder
	fmt.Fprintf(&s, "| %s | ms | median | CPU ms | × |\n|---|---:|---:|---:|---:|\n", group)
	for _, c := range g.Contenders {
		name, median := c.Name, number(c.Median)
		if len(c.Copies) > 0 {
			name = "**tfr-build**, " + name
		}
		if c.Note != "" {
			name += " (" + c.Note + ")"
		}
		if c.Runs == 1 {
			median = ""
		}
		fmt.Fprintf(&s, "| %s | %s | %s | %s | %s |\n", name, number(c.Min), median, number(c.CPU),
			ratio(c.Min/g.Contenders[0].Min))
	}
	return strings.TrimSuffix(s.String(), "\n"), nil
}

// steps is a table of the steps of a conversion: a row for each program, and the million
// pixels of input that it takes per second of CPU time.
func (r *results) steps() (string, error) {
	columns := []string{decodeStep, areaStep, lanczosStep, encodeStep}
	programs := []string{stepOurs, stepPlain, openCV, libvips, pillow}
	rates := map[[2]string]string{}
	for _, step := range columns {
		g, err := r.group(stepName(step))
		if err != nil {
			return "", err
		}
		for _, c := range g.Contenders {
			rates[[2]string{c.Name, step}] = thousands(int(g.rate(&c) + 0.5))
		}
	}
	s := "| MP/s per core | decode | resize, area | resize, Lanczos | encode |\n|---|---:|---:|---:|---:|\n"
	for _, program := range programs {
		row := "| " + program
		if program == stepOurs {
			row = "| **" + program + "**"
		}
		for _, step := range columns {
			row += " | " + cmp.Or(rates[[2]string{program, step}], "–")
		}
		s += row + " |\n"
	}
	return strings.TrimSuffix(s, "\n"), nil
}

// jobs is a table of complete conversions, with the ratio of the CPU time of each to the first.
func (r *results) jobs() (string, error) {
	g, err := r.group(photoJobName)
	if err != nil {
		return "", err
	}
	s := "| 1,000 photos | CPU ms | ms | MP/s per core | × |\n|---|---:|---:|---:|---:|\n"
	for _, c := range g.Contenders {
		name := c.Name
		if len(c.Copies) > 0 {
			name = "**tfr-build**, " + name
		}
		s += fmt.Sprintf("| %s | %s | %s | %.0f | %s |\n", name, number(c.MedianCPU), number(c.Median), g.rate(&c),
			ratio(c.MedianCPU/g.Contenders[0].MedianCPU))
	}
	return strings.TrimSuffix(s, "\n"), nil
}

// rate is the million pixels of the group's input per second of a contender's CPU time.
func (r *result) rate(c *measured) float64 { return 1000 * r.Megapixels / c.MedianCPU }

// days are the first and the last day of the results.
func (r *results) days() string {
	first, last := r.Machine.Day, r.Machine.Day
	for _, g := range r.Groups {
		first, last = min(first, g.Day), max(last, g.Day)
	}
	if first == last {
		return first
	}
	return first + " to " + last
}

// goals is a table of the goals of all groups, those that are missed too.
func (r *results) goals() string {
	var s strings.Builder
	s.WriteString("| times | measured | goal | result |\n|---|---:|---:|---|\n")
	for _, g := range r.Groups {
		for _, j := range g.Goals {
			if j.Told {
				continue
			}
			verdict := "met"
			if !j.Met() {
				verdict = "**missed**"
			}
			measure := ""
			if j.ByCPU {
				measure = "CPU of "
			}
			fmt.Fprintf(&s, "| %s%s: %s : %s | %s | %s %s | %s |\n", measure, g.Name, j.Of, j.To, ratio(j.value()),
				j.sign(), ratio(j.Limit), verdict)
		}
	}
	return strings.TrimSuffix(s.String(), "\n")
}

// doubts is a list of the figures that are not to be trusted.
func (r *results) doubts() string {
	var s strings.Builder
	for _, g := range r.Groups {
		if doubts := g.doubts(); len(doubts) > 0 {
			fmt.Fprintf(&s, "- %s: %s.\n", g.Name, strings.Join(doubts, "; "))
		}
	}
	if s.Len() == 0 {
		return "No figure is in doubt."
	}
	return "These figures are in doubt:\n\n" + strings.TrimSuffix(s.String(), "\n")
}

// caveat is a sentence about the noise in a group, for below its chart.
func (r *results) caveat(group string) (string, error) {
	g, err := r.group(group)
	if err != nil {
		return "", err
	}
	if doubts := g.doubts(); len(doubts) > 0 {
		return fmt.Sprintf("Noise: %s.", strings.Join(doubts, "; ")), nil
	}
	return fmt.Sprintf("Noise: each median is within %.0f %% of its minimum.", muchSpread), nil
}

// number is milliseconds, with commas.
func number(ms float64) string { return thousands(int(ms + 0.5)) }

// ratio has two digits behind the point up to ten, and none of those that are a hundred.
func ratio(x float64) string {
	switch {
	case x >= 99.5:
		return fmt.Sprintf("%.0f", x)
	case x >= 9.95:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
