package csv

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tfr-build/internal/plural"
	"tfr-build/sources/input"
)

// commentMarks are the characters that may begin the lines of a preamble.
const commentMarks = "#%;!*"

var markedLine = regexp.MustCompile(`\n[` + commentMarks + `]`)

// leadingComments returns the lines at the begin of a file that begin with the same mark, and blank lines between them.
func leadingComments(text []byte) (lead []byte) {
	for line := range bytes.Lines(text) {
		if !strings.ContainsRune(commentMarks, rune(text[0])) || line[0] != text[0] && len(bytes.TrimSpace(line)) > 0 {
			break
		}
		lead = text[:len(lead)+len(line)]
	}
	return lead
}

// skipComments skips lines above the table. The last of them may have the names. It reports whether the lines are
// comments, not rows.
func (d *dialect) skipComments(text, lead []byte, lines int) bool {
	list := d.records(lead, 0)
	below := d.records(text[len(lead):], lines)
	words := 0 // lines of a table of words that have the cells of a row directly after the mark
	isRow := func(r record) bool {
		if len(r.cells) != d.width {
			return false
		}
		if d.numbers == 0 && r.isTight() {
			words++
		}
		data, word := d.isData([]record{r})
		return r.cells[0] == string(lead[:1]) && d.Delimiter != Whitespace || // a column called #
			data && !(word && d.Delimiter == Whitespace) || // as a sentence may have
			words > 1 || words > 0 && lead[0] != '#' ||
			d.numbers == 0 && slices.ContainsFunc(below[1:], func(o record) bool {
				return len(o.cells) == d.width && o.cells[d.width-1] == r.cells[d.width-1]
			})
	}
	if len(list) == 0 || string(lead[:1]) == d.Delimiter || slices.ContainsFunc(list, isRow) {
		return false
	}
	d.mark, d.marked = string(lead[:1]), lines
	d.skip(lines, plural.Of(lines, "line")+" with "+d.mark+" in front")
	last := &list[len(list)-1]
	for len(list) > 1 && len(bytes.Trim(last.text, d.mark+" \t\r\n")) == 0 {
		list = list[:len(list)-1]
		last = &list[len(list)-1]
	}
	names := d.commented(last)
	if names == nil || d.Header && (d.known || lines > 1 && !last.isTight()) {
		return true
	}
	note := fmt.Sprintf("of line %d; if it is a comment and the next row has the names, take these two lines out",
		last.line)
	if len(list) > 1 {
		above := &list[len(list)-2]
		cells := d.commented(above)
		if cells != nil && (above.isTight() || slices.ContainsFunc(names, unitSign.MatchString)) {
			names, note = cells, fmt.Sprintf("of line %d; line %d has units, it seems: %s", above.line, last.line,
				shown(last.text))
		}
	}
	d.name(names, note)
	return true
}

// isTight reports whether the first word follows the mark directly, as in sentences it rarely does.
func (r *record) isTight() bool { return r.text[1] > ' ' && r.text[1] != r.text[0] }

// commented returns the cells of a comment without its mark, if it has one for each column.
func (d *dialect) commented(r *record) []string {
	names := d.records(bytes.TrimLeft(r.text, d.mark+" \t"), r.line)
	if len(names) != 1 || len(names[0].cells) != d.width {
		return nil
	}
	return names[0].cells
}

// name gives the columns names that are not in a header below. It reports whether they can be names of columns.
func (d *dialect) name(names []string, note string) bool {
	isNone := func(name string) bool {
		return input.NameProblem(name) != "" || number.MatchString(name) || strings.HasPrefix(name, "@")
	}
	if !areDistinct(names) || slices.ContainsFunc(names, isNone) {
		return false
	}
	d.Header, d.known, d.columns, d.notes["header"], d.notes["columns"] = false, true, names, "", note
	return true
}

// takeNames takes the names of the columns from a row above the table that has one cell more or less. It
// reports whether that is possible.
func (d *dialect) takeNames(above *record, rows []record) bool {
	const several = 3
	names, first, filled := above.cells, map[string]bool{}, false
	for _, r := range rows {
		first[r.cells[0]] = true
		filled = filled || r.cells[d.width-1] != ""
	}
	switch note := "of the header, "; {
	case len(names) == d.width+1 && names[d.width] == "":
		return d.name(names[:d.width], note+"which ends with a delimiter")
	case len(names) != d.width-1,
		// with blanks in them
		d.Delimiter == Whitespace && d.numbers < d.width-1 &&
			countFields(append([]record{*above}, rows...)) == len(names):
		return false
	case !filled:
		return d.name(append(slices.Clip(names), "rest"), note+"and one for the delimiter at the end of each row")
	default:
		return d.width > 2 && len(rows) >= several && len(first) == len(rows) &&
			d.name(append([]string{"row"}, names...),
				note+"and one for the first cell of each row, which are all different")
	}
}

// skip skips lines for a reason. Those below them may be skipped for another one.
func (d *dialect) skip(lines int, note string) {
	if below := d.notes["skip_lines"]; below != "" {
		note += "; " + below
	}
	d.SkipLines, d.notes["skip_lines"] = max(d.SkipLines, lines), note
}

// countFields returns the number of fields in aligned lines: runs of positions that are not blank in all of them. It is
// 0 if quotes say where the fields are.
func countFields(lines []record) (n int) {
	var isUsed []bool
	for _, l := range lines {
		if bytes.IndexByte(l.text, '"') >= 0 {
			return 0
		}
		for i, r := range []rune(string(l.text)) {
			if i == len(isUsed) {
				isUsed = append(isUsed, false)
			}
			isUsed[i] = isUsed[i] || !unicode.IsSpace(r)
		}
	}
	for i := range isUsed {
		if isUsed[i] && (i == 0 || !isUsed[i-1]) {
			n++
		}
	}
	return n
}

// singleQuotes says how to read a table whose cells are in single quotes, with delimiters inside of some; empty for
// other tables.
func singleQuotes(text []byte, delimiter string) string {
	by, cells := regexp.QuoteMeta(delimiter), bytes.Count(text, []byte("'"))/2
	if delimiter == Whitespace {
		by, delimiter = "[ \t]+", " "
	}
	inside := regexp.MustCompile("(?m)^(?:[^\"\n]*" + by + ")??('[^'\"\n]*" + by + "[^'\"\n]*')(?:" + by + "|\r?$)")
	if m := inside.FindSubmatch(text); m != nil && 2*cells >= bytes.Count(text, []byte("\n")) {
		return fmt.Sprintf("a table in single quotes, with delimiters inside: %s; python3 -c 'import csv, sys; "+
			"csv.writer(sys.stdout).writerows(csv.reader(sys.stdin, quotechar=chr(39), delimiter=%q, "+
			"skipinitialspace=True))' < OLD > NEW.csv writes it with double quotes", shown(m[1]), delimiter)
	}
	return ""
}
