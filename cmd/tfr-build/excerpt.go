package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"tfr-build/internal/excerpt"
)

// unknownColumns is the width that is assumed for a pipe, and for a terminal of unknown width.
const unknownColumns = 80

// excerptText returns the line of e, and a line that marks what the error is about:
//
//	9 | age: interger
//	  |      ^^^^^^^^
//
// Both fit into the given number of columns. paint colors the marks.
func excerptText(e excerpt.Excerpt, line, columns int, paint func(string) string) string {
	if e == (excerpt.Excerpt{}) {
		return ""
	}
	number := fmt.Sprintf("%4d", line)
	room := max(columns-len(number)-len(" | ")-2*ellipsis.columns-1, 20)
	before, marked, after := cellsOf(e.Before), cellsOf(e.Marked), cellsOf(e.After)
	if columnsOf(before)+min(columnsOf(marked), room/2) > room {
		before, e.CutBefore = lastCells(before, room/3), true
	}
	shown := firstCells(slices.Concat(marked, after), room-columnsOf(before))
	e.CutAfter = e.CutAfter || len(shown) < len(marked)+len(after)
	marked = marked[:min(len(marked), len(shown))]
	if e.CutBefore {
		before = slices.Insert(before, 0, ellipsis)
	}
	if e.CutAfter {
		shown = append(shown, ellipsis)
	}
	return fmt.Sprintf("%s | %s%s\n%*s | %*s%s\n", number, textOf(before), textOf(shown),
		len(number), "", columnsOf(before), "", paint(strings.Repeat("^", max(1, columnsOf(marked)))))
}

// A cell is a character as a terminal shows it.
type cell struct {
	text    string
	columns int
}

// cellsOf returns the cells of s. A tab becomes a space, and control characters are escaped.
func cellsOf(s string) (list []cell) {
	for len(s) > 0 {
		_, size := utf8.DecodeRuneInString(s)
		c := cell{printable(s[:size]), 1}
		switch r, _ := utf8.DecodeRuneInString(c.text); {
		case s[0] == '\t':
			c.text = " "
		case len(c.text) > size: // an escape
			c.columns = len(c.text)
		case unicode.In(r, unicode.Mn, unicode.Me):
			c.columns = 0
		case slices.Contains(wide, width.LookupRune(r).Kind()):
			c.columns = 2
		}
		list = append(list, c)
		s = s[size:]
	}
	return list
}

// ellipsis replaces cells that are cut.
var ellipsis = cell{"…", 1}

// wide are the kinds of characters that take two columns.
var wide = []width.Kind{width.EastAsianWide, width.EastAsianFullwidth}

func columnsOf(list []cell) (n int) {
	for _, c := range list {
		n += c.columns
	}
	return n
}

func textOf(list []cell) string {
	var b strings.Builder
	for _, c := range list {
		b.WriteString(c.text)
	}
	return b.String()
}

// firstCells returns the first cells of list that fit into a number of columns.
func firstCells(list []cell, columns int) []cell {
	for i, c := range list {
		if columns -= c.columns; columns < 0 {
			return list[:i:i]
		}
	}
	return list
}

// lastCells returns the last cells of list that fit into a number of columns.
func lastCells(list []cell, columns int) []cell {
	for i, c := range slices.Backward(list) {
		if columns -= c.columns; columns < 0 {
			return list[i+1:]
		}
	}
	return list
}
