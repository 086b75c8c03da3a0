package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"syscall"

	"tfr-build/dataset"
	"tfr-build/dataset/diff"
	"tfr-build/internal/exit"
	"tfr-build/internal/plural"
)

var diffCommand = &command{
	name: "diff", meant: "compare", group: lookGroup, about: "compare two datasets or two record files",
	least: 2, most: 2, needs: "two datasets or two files of records", operand: oneFile, prints: true, run: diffDatasets,
	flags:    "json workers retry log-format",
	means:    map[string]flagMeaning{"json": {about: "print one JSON object"}},
	synopsis: []string{"diff [flags] OLD NEW"},
	text: `Compares two datasets, or two files of records:
  records    equal, added, removed, or moved to another split; and their order
  features   changed features and classes; drift of the values, as the
             Jensen-Shannon divergence from 0 to 1
  config     changed lines
Splits with equal digests in both manifests are not read. The last line begins
with equal or differ. The exit code is 0 if nothing differs, otherwise 10.`,
}

func diffDatasets(ctx context.Context, c *call) error {
	from := openStorage(ctx, c, nil)
	defer from.Close()
	result, err := diff.Compare(ctx, c.operands[0], c.operands[1], diff.Options{Workers: c.Workers, Store: from})
	if err != nil {
		return asInputError(c.operands[0], err)
	}
	if c.form != dataset.TextForm {
		encoder := json.NewEncoder(c.stdout)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(result) // stdout keeps its error
	} else {
		printDiff(c.stdout, result, c.log.workingDirs)
	}
	if !result.Equal && (c.stdout.err == nil || errors.Is(c.stdout.err, syscall.EPIPE)) {
		return &commandError{exit: exit.Differs}
	}
	return nil
}

// littleDrift is the largest drift that is not worth a line.
const littleDrift = 0.001

func printDiff(w io.Writer, r *diff.Result, from workingDirs) {
	for i := range r.Splits {
		fmt.Fprintln(w, splitLine(&r.Splits[i]))
	}
	little := int64(0)
	for i := range r.Features {
		if f := &r.Features[i]; f.Differs || f.Worst() >= littleDrift {
			fmt.Fprintln(w, featureLine(f))
		} else {
			little++
		}
	}
	if little > 0 {
		fmt.Fprintf(w, "%s: drift below %g\n", plural.Of(little, "more feature"), littleDrift)
	}
	for _, l := range r.Config {
		sign := "-"
		if l.In == "new" {
			sign = "+"
		}
		fmt.Fprintf(w, "config %s %d: %s\n", sign, l.Number, printable(l.Text))
	}
	for _, note := range r.Notes {
		fmt.Fprintln(w, "note: "+printable(note))
	}
	verb := "equal"
	if !r.Equal {
		verb = "differ"
	}
	fmt.Fprintf(w, "%s %s %s\n", verb, printable(from.path(r.Old.Path)), printable(from.path(r.New.Path)))
}

// splitLine returns a line such as `train: 8 records, 10 before: 7 equal, 1 added, 3 removed, in
// another order`.
func splitLine(s *diff.Split) string {
	parts := []string{fmt.Sprintf("%d equal", s.Equal)}
	for _, p := range []struct {
		n    int64
		what string
	}{{s.Added, "added"}, {s.Removed, "removed"}, {s.MovedIn, "moved in"}, {s.MovedOut, "moved out"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	if s.Reordered {
		parts = append(parts, "in another order")
	}
	head := fmt.Sprintf("%s: %s", printable(s.Name), plural.Of(s.New, "record"))
	if s.Old != s.New {
		head += fmt.Sprintf(", %d before", s.Old)
	}
	switch s.In {
	case "old":
		head += ", the split is gone"
	case "new":
		head += ", the split is new"
	}
	return head + ": " + strings.Join(parts, ", ")
}

func featureLine(f *diff.Feature) string {
	name := "feature " + quote(f.Key) + ": "
	switch {
	case f.Old == nil:
		return name + "added, " + shapeText(f.New)
	case f.New == nil:
		return name + "removed, " + shapeText(f.Old)
	}
	var parts []string
	if before, now := shapeText(f.Old), shapeText(f.New); before != now {
		parts = append(parts, before+" before, "+now+" now")
	}
	for _, list := range []struct {
		names []string
		what  string
	}{{f.Added, "added"}, {f.Removed, "removed"}, {f.Moved, "with other numbers"}} {
		if len(list.names) > 0 {
			classes := plural.Of(len(list.names), "class")
			parts = append(parts, fmt.Sprintf("%s %s: %s", classes, list.what, firstNames(list.names)))
		}
	}
	for _, d := range f.Drift {
		if d.Divergence >= littleDrift {
			parts = append(parts, fmt.Sprintf("drift %.3f in %s", d.Divergence, printable(d.Split)))
		}
	}
	return name + strings.Join(parts, "; ")
}

// shapeText returns words such as `int64_list of classes, 1 value`.
func shapeText(s *diff.Shape) string {
	text := s.List
	if text == "" {
		text = "no values"
	}
	text += ", " + string(s.Kind)
	if s.Least == s.Most {
		return text + ", " + plural.Of(s.Most, "value")
	}
	return text + fmt.Sprintf(", %d to %d values", s.Least, s.Most)
}

// firstNames returns the first names of list, quoted.
func firstNames(list []string) string {
	const most = 5
	rest := len(list) - most
	list = slices.Clone(list[:min(len(list), most)])
	for i := range list {
		list[i] = quote(list[i])
	}
	if rest > 0 {
		list = append(list, fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(list, ", ")
}
