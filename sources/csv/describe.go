package csv

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/sources/charset"
	"tfr-build/sources/input"
	"tfr-build/sources/lines"
)

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{
		Reads: "CSV", Noun: "table", Rows: input.Cells, AnyLine: true, NullWords: true, ImageDepth: 1,
		Extensions: []string{"csv", "tsv", "tab", "psv"},
		Tried: fmt.Sprintf("the delimiters , tab ; | :: ~ ^ \\x01 and whitespace, quotes as syntax and as data, and a "+
			"table below up to %d lines",
			maxSkipped),
		Recognize: recognize, Divide: divide, Choose: chooseOptions, Revise: revise,
	}
}

// arff matches the beginning of tables of Weka.
var arff = regexp.MustCompile(`(?i)^(%.*\n|\s)*@relation\s`)

// oddARFF matches names in quotes and sparse rows of such tables.
var oddARFF = regexp.MustCompile(`(?im)^@attribute\s+['"]|^\{`)

// sql matches the first statements of a dump of SQL.
var sql = regexp.MustCompile(`(?i)^(--.*\n|/\*.*\n|\s)*((create|drop) (table|database)|insert into|pragma) `)

// recognize recognizes tables. It also says what a file is that is not text.
func recognize(h *input.FileHead) input.Match {
	what, _ := detectFormat(h.Bytes)
	if arff.Match(h.Bytes[lines.First(h.Bytes):]) {
		what = `an ARFF table; awk 'tolower($1) == "@attribute" {h = h s $2; s = ","} d && NF && !/^%/; ` +
			`tolower($1) == "@data" {print h; d = 1}' OLD > NEW.csv writes it as CSV`
		if oddARFF.Match(h.Bytes) {
			what = "an ARFF table with names in quotes or sparse rows; Weka writes it as CSV"
		}
	}
	if what != "" && what != "JSON" {
		return input.Match{Certainty: input.Foreign, Problem: what}
	}
	named := slices.Contains(Describe().Extensions, h.Ext)
	guess := charset.NewGuess(h.Bytes, h.Complete)
	m := input.Match{Problem: guess.Problem}
	if named {
		m.Certainty = input.Named
	}
	if m.Problem != "" {
		return m
	}
	d := newDialect(h, &guess)
	m.Detail = d
	if m.Problem = d.escaped; m.Problem == "" && !d.Rest {
		m.Problem = singleQuotes(h.Bytes, d.Delimiter)
	}
	if !named && d.score > 0 && !sql.Match(h.Bytes) && (h.Ext != "txt" && d.Delimiter == "\t" && d.mostFit || d.sure) {
		m.Certainty = input.Likely
	}
	return m
}

// divide returns the indices of the files of each source. Quotes are data in all of them, or in none. Tables without
// names that have other columns get other names.
func divide(all []input.Match) (groups [][]int) {
	var shared []*dialect // by group
next:
	for i := range all {
		o := all[i].Detail.(*dialect)
		for g, d := range shared {
			if d = d.merge(o); d != nil {
				shared[g], groups[g] = d, append(groups[g], i)
				continue next
			}
		}
		shared, groups = append(shared, o), append(groups, []int{i})
	}
	for g, d := range shared {
		isOther := slices.ContainsFunc(shared[:g], func(o *dialect) bool { return o.contradicts(d) })
		for _, i := range groups[g] {
			o := all[i].Detail.(*dialect)
			if isOther {
				o.form = g
			}
			if o.Quotes && !d.Quotes {
				o.Quotes, o.notes["quotes"] = false, "in another file: "+d.notes["quotes"]
			}
		}
	}
	return groups
}

// contradicts reports whether tables without names have other columns: words in place of numbers, in more than a third
// of them, or in any if one table has more columns.
func (d *dialect) contradicts(o *dialect) bool {
	if d.Header || o.Header || d.columns != nil || o.columns != nil {
		return false
	}
	n, both := 0, min(len(d.numeric), len(o.numeric))
	for c := range both {
		if d.numeric[c] && o.worded[c] || d.worded[c] && o.numeric[c] {
			n++
		}
	}
	return 3*n > both || n > 0 && d.width != o.width
}

// chooseOptions returns the options for files that one source reads.
func chooseOptions(_ context.Context, g *input.FileGroup) (*input.Choice, error) {
	d := g.Matches[0].Detail.(*dialect)
	for _, m := range g.Matches[1:] {
		d = d.merge(m.Detail.(*dialect))
	}
	return &input.Choice{Options: d.options()}, nil
}

// revise returns the options that invalid rows show to be necessary.
func revise(r *input.Reading) *input.Revision {
	switch {
	case r.First == nil:
		return nil
	case r.First.Code == "UTF8_INVALID" && r.First.Hint != "" && !r.Wide &&
		!r.Has("encoding"): // not in the first part of the file
		return &input.Revision{Option: input.Option{Name: "encoding", Value: "latin-1",
			Note: "a guess: " + r.Where + " has bytes that are not UTF-8"}, Reread: true}
	case r.Marked > 0 && r.Hashes == 0 && !r.Has("comment"):
		return &input.Revision{Option: input.Option{Name: "comment", Value: "#",
			Note: plural.Of(r.Marked, "line") + " with # in front"}, Reread: true}
	}
	return nil
}

// A dialect is the way a table is written as text.
type dialect struct {
	Format
	columns []string          // names for the config; nil if the header has them
	known   bool              // the rows show whether there is a header
	notes   map[string]string // reasons, by option
	width   int               // number of columns
	fits    bool              // all rows fit
	mostFit bool              // four of five rows fit; lines of code may have a few tabs
	sure    bool              // they do, and are several, or numbers
	last    string            // with Rest: its column; empty if the names are counted
	numeric []bool            // which columns have numbers
	worded  []bool            // which columns have words and no number
	numbers int               // how many
	form    int               // position among tables without names that have other columns; 0 for the first
	byName  string            // delimiter that the extension says
	score   float64           // how well the rows fit; 0 if they are not a table
	mark    string            // what the skipped lines begin with, if all do
	marked  int               // number of those lines
	rows    bool              // rows may begin with a mark, too

	escaped   string // says that backslashes escape quotes, and how to read the table; empty for others
	mayBeData bool   // all rows have equal numbers of cells with quotes as data
	areSyntax bool   // more rows have valid quotes than invalid ones
}

// merge returns the dialect of files of either kind, or nil if they differ: the one of the file that shows more, with a
// mark of comments in place of lines to skip if they begin with different numbers of comments.
func (d *dialect) merge(o *dialect) *dialect {
	m, less := *d, o
	if o.known && !d.known || o.Rest && !d.Rest {
		m, less = *o, d
	}
	f, g := m.Format, less.Format
	if m.mayBeData = d.mayBeData && o.mayBeData; m.mayBeData && m.width == less.width && f.Quotes != g.Quotes {
		note := m.notes["quotes"]
		if m.Quotes {
			note = less.notes["quotes"]
		}
		m.notes = maps.Clone(m.notes)
		m.Quotes, f.Quotes, g.Quotes, m.notes["quotes"] = false, false, false, note
	}
	f.SkipLines, g.SkipLines = f.SkipLines-m.marked, g.SkipLines-less.marked
	f.Header, f.Comment = g.Header, g.Comment
	if m.width == less.width && m.Rest {
		f.Rest, f.Quotes = g.Rest, g.Quotes
	}
	switch {
	case f != g, less.known && !m.known, !m.Header && m.width != less.width, m.contradicts(less),
		(less.known || m.Header == less.Header) && (m.Header != less.Header || !slices.Equal(m.columns, less.columns)):
		return nil
	case d.SkipLines == o.SkipLines && d.Comment == "":
		return &m
	case d.rows || o.rows || d.mark != "" && o.mark != "" && d.mark != o.mark:
		return nil
	}
	m.mark, m.notes = cmp.Or(d.mark, o.mark), maps.Clone(m.notes)
	m.SkipLines, m.marked, m.Comment, m.notes["comment"] = g.SkipLines, 0, m.mark, "files begin with lines with it in "+
		"front"
	return &m
}

// options returns the options that differ from the defaults.
func (d *dialect) options() (list []input.Option) {
	add := func(name string, value any, differs bool) {
		if differs {
			list = append(list, input.Option{Name: name, Value: value, Note: d.notes[name]})
		}
	}
	add("delimiter", strings.ReplaceAll(d.Delimiter, "\t", "tab"), d.Delimiter != ",")
	add("encoding", d.Encoding.String(), d.Encoding != charset.UTF8)
	add("quotes", map[bool]string{true: "rfc4180", false: "none"}[d.Quotes], !d.Quotes || d.notes["quotes"] != "")
	add("trim", true, d.Trim)
	add("skip_lines", d.SkipLines, d.SkipLines > 0)
	add("comment", d.Comment, d.Comment != "")
	add("header", d.Header, !d.Header || d.notes["header"] != "")
	names, _ := d.counted()
	if d.columns != nil {
		names = d.columns
	}
	add("columns", names, !d.Header)
	add("rest", cmp.Or(d.last, d.letter()+strconv.Itoa(d.width-1)), d.Rest)
	return list
}

// letter returns what the names of columns begin with that are counted.
func (d *dialect) letter() string { return string(rune('c' + d.form)) }

// counted returns the names of the columns of a table without a header, and how a config has them.
func (d *dialect) counted() (names any, text string) {
	const few = 4
	letter := d.letter()
	if d.width > few {
		all := fmt.Sprintf("%s{0..%d}", letter, d.width-1)
		return all, strconv.Quote(all)
	}
	var list []string
	for c := range d.width {
		list = append(list, letter+strconv.Itoa(c))
	}
	return list, "[" + strings.Join(list, ", ") + "]"
}
