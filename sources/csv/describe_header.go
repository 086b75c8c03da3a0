package csv

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tfr-build/sources/input"
)

// repeats returns the rows that have the cell of the first row in a column, but are not equal to that row.
func repeats(rows []record, column int) []record {
	return slices.DeleteFunc(slices.Clone(rows[1:]), func(r record) bool {
		return r.cells[column] != rows[0].cells[column] || len(r.cells) > 1 && slices.Equal(r.cells, rows[0].cells)
	})
}

// findHeader finds the names of the columns, and titles above them. A first row that may be data is data,
// so that no row is lost.
func (d *dialect) findHeader(rows []record) {
	at, top := 0, 0 // row of the header, and number of rows above the data
	for i := range min(headRows, len(rows)/2) {
		data, word := d.isData(rows[i:])
		if data {
			break
		}
		if word || d.numbers == 0 {
			top = i + 1
		}
	}
	for at < top-1 && 2*rows[at].named(0) <= d.width && (rows[at].cells[0] != "" || rows[at].named(0) == 0) {
		if rows[at].named(0) > 1 && !areDistinct(rows[at+1].cells) {
			break // groups of columns
		}
		at++ // a title or a blank row
	}
	if at > 0 && d.numbers == 0 {
		if isHeader, doubt := d.judge(rows[at:]); !isHeader || doubt != "" && rows[at-1].named(0) > 0 {
			at = 0 // rows with empty cells, and no header below
		}
	}
	if at > 0 {
		d.SkipLines = rows[at].line - 1
		d.notes["skip_lines"] = fmt.Sprintf("the header is below; line %d is %s", rows[0].line, shown(rows[0].text))
	}
	header, doubt := rows[at].cells, ""
	switch i := slices.IndexFunc(header, number.MatchString); {
	case at+2 < len(rows) && d.takeTwo(rows[at:], top == at+2):
		return
	case d.numbers == 0 || top == 0:
		d.Header, doubt = d.judge(rows[at:])
	case i >= 0:
		doubt = header[i] + " is an odd name"
	}
	d.known = !d.Header || doubt == "" || top > 0 && d.numbers > 0
	again := slices.IndexFunc(rows[at+1:], func(r record) bool { return slices.Equal(r.cells, header) })
	switch {
	case !d.Header:
		d.notes["header"] = "the first row looks like data: " + doubt + "; with a header, take these two lines out"
		d.notes["columns"] = "names of your own would be better"
	case again >= 0 && d.known:
		d.notes["header"] = fmt.Sprintf("line %d repeats it, and is a row", rows[at+1+again].line)
		if header[0] != "" {
			d.notes["header"] += fmt.Sprintf("; where: %s != %q skips such rows", input.Operand(header[0]), header[0])
		}
	case doubt != "":
		_, names := d.counted()
		d.notes["header"] = doubt + "; if the first row is data: header: false, and columns: " + names
	}
	if d.Header {
		d.numberNames(rows[at:])
	}
}

// numberNames takes the names of columns from the first row if several columns have the same: the second one of x is
// x_2. A config could only select them by position.
func (d *dialect) numberNames(rows []record) {
	names, of := slices.Clone(rows[0].cells), map[string]int{} // the number of columns by name
	for _, name := range names {
		of[name] = 0
	}
	doubt, known, again := d.notes["header"], d.known, ""
	for c, cell := range names {
		names[c] = cmp.Or(cell, fmt.Sprintf("column_%d", c))
		if of[names[c]]++; of[names[c]] == 1 {
			continue
		}
		again = cell
		for n, isTaken := of[cell], true; isTaken; n++ {
			names[c] = fmt.Sprintf("%s_%d", cell, n)
			_, isTaken = of[names[c]]
		}
		of[names[c]] = 1
	}
	if again == "" || !d.name(names, fmt.Sprintf("of line %d, where several columns are called %s", rows[0].line,
		shown(again))) {
		return
	}
	if d.known, d.SkipLines = known, rows[0].line; len(rows) > 1 {
		d.SkipLines = rows[1].line - 1
	}
	note := "the names"
	if doubt != "" {
		note += ", it seems: " + doubt
	}
	if above := d.notes["skip_lines"]; above != "" {
		note = above + "; " + note
	}
	d.notes["skip_lines"] = note
}

// isData reports whether the first of the rows has, in a column of numbers, a number or a word that other rows
// have, too; and whether it has a word there.
func (d *dialect) isData(rows []record) (data, word bool) {
	for c, cell := range rows[0].cells {
		if d.numeric[c] && !isMissing(cell) {
			data, word = data || number.MatchString(cell) || len(repeats(rows, c)) > 0, true
		}
	}
	return data, word
}

// unitSign matches units that are nothing else, such as m/s and [kg].
var unitSign = regexp.MustCompile(`^[^nN#]*[°%µ²³^/\[(]`)

// isUnits reports whether the first row has units above the numbers of columns, and nothing else. All columns have
// numbers, the other rows have something in a column of words, or there is a sign of units.
func (d *dialect) isUnits(rows []record) bool {
	words := map[string]bool{"": true} // one in all columns may say that values are missing
	for _, cell := range rows[0].cells {
		words[cell] = true
	}
	isOdd := slices.ContainsFunc(rows[0].cells, unitSign.MatchString) || d.numbers == d.width && len(words) > 2
	for c, cell := range rows[0].cells {
		if cell != "" && !d.numeric[c] {
			return false
		}
		isOdd = isOdd || !d.numeric[c] && !mayBeEmpty(rows[1:], c)
	}
	return isOdd
}

// takeTwo takes the names from two rows: names above units, or groups of columns above the names in each. It reports
// whether there are such rows. isTop says that no other row is above the data.
func (d *dialect) takeTwo(rows []record, isTop bool) bool {
	names, second := slices.Clone(rows[0].cells), rows[1].cells
	note, where := fmt.Sprintf("line %d has units: %s", rows[1].line, shown(rows[1].text)), fmt.Sprintf("of line %d",
		rows[0].line)
	isUnits := isTop && d.isUnits(rows[1:]) && !slices.Contains(names[1:], "")
	if data, _ := d.isData(rows[1:]); !isUnits {
		if below, _ := d.isData(rows[2:]); data || !below || d.numbers < 2 || slices.ContainsFunc(second, isMissing) {
			return false
		}
		for c := 1; c < d.width; c++ { // the cells of a group are merged
			names[c] = cmp.Or(names[c], names[c-1])
		}
		note, where = "groups of columns are above the names: "+shown(rows[0].text), fmt.Sprintf("of lines %d and %d",
			rows[0].line, rows[1].line)
	}
	isDistinct := areDistinct(names)
	if isDistinct && !isUnits {
		return false
	}
	for c := range names {
		if !isDistinct {
			names[c] = strings.TrimSpace(names[c] + " " + second[c])
		}
	}
	if !d.name(names, where) {
		return false
	}
	d.SkipLines, d.notes["skip_lines"] = rows[1].line, note
	return true
}

// areDistinct reports whether all names are different.
func areDistinct(names []string) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(names)))) == len(names)
}

// mayBeEmpty reports whether a row may have no value in a column.
func mayBeEmpty(rows []record, c int) bool {
	return slices.ContainsFunc(rows, func(r record) bool { return isMissing(r.cells[c]) })
}

// isFloat reports whether a cell is a plain number.
func isFloat(cell string) bool {
	_, err := strconv.ParseFloat(cell, 64)
	return err == nil
}

// isYear reports whether a cell may be a year.
func isYear(cell string) bool {
	n, err := strconv.Atoi(cell)
	return err == nil && n > 1500 && n < 2200
}

// marked matches words of data, such as names of files and numbered things, which are not names of columns.
var marked = regexp.MustCompile(`[\d/@]|\.\w{2,4}$`)

// shape returns a cell with 0 for its digits, and a or A for letters, once for several of a kind.
func shape(cell string) string {
	last := '?'
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			r = '0'
		case unicode.IsUpper(r):
			r = 'A'
		case unicode.IsLetter(r):
			r = 'a'
		}
		if r == last {
			return -1
		}
		last = r
		return r
	}, cell)
}

// haveMark reports whether all cells of a column begin with the same mark, as the IDs of Freebase do (/m/011k07).
func haveMark(rows []record, c int) bool {
	first := rows[0].cells[c]
	return first != "" && strings.IndexByte("/#@<", first[0]) >= 0 &&
		!slices.ContainsFunc(rows, func(r record) bool { return !strings.HasPrefix(r.cells[c], first[:1]) })
}

// sentenceBlanks is the number of blanks in a sentence, as names of columns have only as exceptions.
const sentenceBlanks = 3

// judge reports whether the first row is a header although it has numbers or no word in it is above numbers, and what
// speaks against it.
func (d *dialect) judge(rows []record) (header bool, doubt string) {
	first := rows[0].cells
	var numbers, names, again, odd int
	var empty, known, proven bool
	sentence := ""
	rises, counts, years, last := first[0] == "" && !mayBeEmpty(rows[1:], 0), true, true, math.Inf(-1)
	for c, cell := range first {
		if len(rows) > 1 && c > 0 && cell == "" && 2*rows[0].named(0) <= d.width && !mayBeEmpty(rows[1:], c) {
			return false, fmt.Sprintf("it has empty cells; a title needs skip_lines: %d", rows[1].line-1)
		}
		differs := func(r record) bool { return shape(r.cells[c]) != shape(cell) }
		isWord := func(r record) bool { return !marked.MatchString(r.cells[c]) }
		isText := func(r record) bool { return strings.Count(r.cells[c], " ") >= sentenceBlanks }
		if sentence == "" && isText(rows[0]) && 2*len(slices.DeleteFunc(slices.Clone(rows), isText)) < len(rows) {
			sentence = shown(cell)
		}
		others := repeats(rows, c)
		switch {
		case number.MatchString(cell):
			isOdd := func(r record) bool { return !isFloat(r.cells[c]) && !isMissing(r.cells[c]) }
			if isOdd(rows[0]) && len(rows) >= headRows && !slices.ContainsFunc(rows[1:], isOdd) {
				odd++ // a date, a range, or a share above plain numbers
			}
			x, err := strconv.ParseFloat(cell, 64)
			rises, last = rises && err == nil && x > last, x
			words := slices.DeleteFunc(slices.Clone(rows), func(r record) bool { return isYear(r.cells[c]) })
			years = years && isYear(cell) && 2*len(words) > len(rows)-2
			counts = counts && cell == strconv.Itoa(numbers)
			if numbers++; numbers == 1 {
				doubt = cell
			}
		case cell == "" && d.numeric[c] && mayBeEmpty(rows[1:], c):
			empty = true
		case len(rows) > 1 && strings.Contains(shape(cell), "0") && !slices.ContainsFunc(rows, differs),
			len(rows) >= headRows && haveMark(rows, c):
			return false, shown(cell) + ", as others below"
		case len(others) > 0 && cell != "":
			if again++; again == 1 && numbers == 0 {
				doubt = fmt.Sprintf("%s, which line %d has, too", shown(cell), others[0].line)
			}
		case d.numeric[c] && !isMissing(cell):
			names++
			proven = proven || len(rows) >= headRows && !slices.ContainsFunc(rows[1:], func(r record) bool {
				return !number.MatchString(r.cells[c])
			})
		}
		known = known || len(rows) > 1 && isWord(rows[0]) && !slices.ContainsFunc(rows[1:], isWord)
	}
	switch {
	case numbers > 0 && (years || rises || counts && numbers > 1 || odd == numbers && odd > 1 || names >= numbers ||
		proven && areDistinct(first)):
		return true, doubt + " is an odd name"
	case numbers == 0 && empty:
		return false, "like others, it has no number in a column of numbers"
	case numbers > 0, again > 0 && 2*again >= rows[0].named(0):
		return false, doubt
	case again == 0 && !known && names == 0 && sentence != "":
		return false, sentence + " is a sentence, as others below"
	case again == 0 && !known:
		doubt = "no column tells it from a row"
	}
	return true, doubt
}
