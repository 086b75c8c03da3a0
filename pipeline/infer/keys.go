package infer

import (
	"fmt"

	"tfr-build/internal/plural"
	"tfr-build/sources/charset"
	"tfr-build/sources/input"
)

// addDialect adds the keys of a table's dialect.
func (d *draft) addDialect(s *source, files []found) error {
	f := files[0].fileType.format
	for _, other := range files[1:] {
		o := other.fileType.format
		if o.delimiter != f.delimiter || o.encoding != f.encoding {
			return &input.FitError{Path: other.path, Text: fmt.Sprintf("is written in another way than %s: delimiter %q in place of %q, encoding %s in place of %s", base(files[0].path), o.delimiter, f.delimiter, o.encoding, f.encoding)}
		}
		if o.comment != f.comment || o.skip != f.skip {
			return &input.FitError{Path: other.path, Text: fmt.Sprintf("begins in another way than %s: found comment %q and skip_lines %d, expected comment %q and skip_lines %d", base(files[0].path), o.comment, o.skip, f.comment, f.skip), Hint: "a source of its own for each kind of beginning"}
		}
	}
	add := func(text, note string) { s.keys = append(s.keys, line{text, note}) }
	if f.delimiter != "," {
		text := quoted(f.delimiter)
		if f.delimiter == "\t" {
			text = "tab"
		}
		add("delimiter: "+text, plural.Of(f.columns, "column"))
	}
	if f.encoding != charset.UTF8 {
		note := "as the file begins"
		if f.latin {
			note = "a guess: there are bytes that are not UTF-8"
		}
		add("encoding: "+f.encoding.String(), note)
	}
	if !f.quotes {
		add("quotes: none", "with quotes as syntax rows do not fit the header")
	}
	if f.trim {
		add("trim: true", "cells are written with spaces around them")
	}
	if f.skip > 0 {
		add(fmt.Sprintf("skip_lines: %d", f.skip), "the header is below them")
	}
	if f.comment != "" {
		add("comment: "+quoted(f.comment), "the file begins with lines that begin so")
	}
	d.addHeader(s, &f)
	return nil
}

// addHeader adds keys or a comment if the first row looks like data. It is only treated as data if
// nothing else makes sense.
func (d *draft) addHeader(s *source, f *dialect) {
	numbers, surely := f.headless()
	if numbers == "" {
		return
	}
	names := make([]string, len(f.names))
	for i := range names {
		names[i] = fmt.Sprintf("c%d", i)
	}
	columns := list(names)
	if len(names) > 4 {
		columns = fmt.Sprintf(`"c{0..%d}"`, len(names)-1)
	}
	if surely {
		s.keys = append(s.keys,
			line{"header: false", "the first row looks like data: " + numbers + "; with a header, take these two lines out"},
			line{"columns: " + columns, "names of your own would be better"})
		return
	}
	s.keys = append(s.keys, line{"header: true", numbers + " is an odd name; if the first row is data: header: false, and columns: " + columns})
}
