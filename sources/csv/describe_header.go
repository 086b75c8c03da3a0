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

// repeat returns the index of the next row that has the cell of the first row in a column, but is not equal to that
// row; 0 without one.
func repeat(rows []record, column int) int {
	first := rows[0].cells
	return 1 + slices.IndexFunc(rows[1:], func(r record) bool {
		return r.cells[column] == first[column] && (len(first) == 1 || !slices.Equal(r.cells, first))
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
	d.readHeader(rows[at:], top-at)
	if at > 0 {
		d.skip(rows[at].line-1, fmt.Sprintf("the header is below; line %d is %s", rows[0].line, shown(rows[0].text)))
	}
}

// readHeader reads the names of the columns in the first of several rows, of which so many are above the data.
func (d *dialect) readHeader(rows []record, above int) {
	header, doubt := rows[0].cells, ""
	switch i := slices.IndexFunc(header, number.MatchString); {
	case max(above, 2) < len(rows) && d.takeSeveral(rows, above):
		return
	case d.numbers == 0 || above <= 0:
		d.Header, doubt = d.judge(rows)
	case i >= 0:
		doubt = header[i] + " is an odd name"
	}
	d.known = !d.Header || doubt == "" || above > 0 && d.numbers > 0
	again := slices.IndexFunc(rows[1:], func(r record) bool { return slices.Equal(r.cells, header) })
	switch {
	case !d.Header:
		d.notes["header"] = "the first row looks like data: " + doubt + "; with a header, take these two lines out"
		d.notes["columns"] = "names of your own would be better"
	case again >= 0 && d.known:
		d.notes["header"] = fmt.Sprintf("line %d repeats it, and is a row", rows[1+again].line)
		if header[0] != "" {
			d.notes["header"] += fmt.Sprintf("; where: %s != %q skips such rows", input.Operand(header[0]), header[0])
		}
	case doubt != "":
		_, names := d.counted()
		d.notes["header"] = doubt + "; if the first row is data: header: false, and columns: " + names
	}
	if d.Header {
		d.numberNames(rows)
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
		name := cmp.Or(cell, fmt.Sprintf("column_%d", c))
		before, isTaken := of[name]
		if cell != "" {
			if of[cell]++; before == 0 {
				continue
			}
			again = cell
		}
		names[c] = name
		for n := max(before, 1) + 1; isTaken; n++ {
			names[c] = fmt.Sprintf("%s_%d", name, n)
			_, isTaken = of[names[c]]
		}
		of[names[c]] = 1
	}
	if again == "" || !d.name(names, fmt.Sprintf("of line %d, where several columns are called %s", rows[0].line,
		shown(again))) {
		return
	}
	d.known = known
	note := "the names"
	if doubt != "" {
		note += ", it seems: " + doubt
	}
	d.skip(rows[0].last, note)
}

// isData reports whether the first of the rows has, in a column of numbers, a number or a word that other rows
// have, too; and whether it has a word there.
func (d *dialect) isData(rows []record) (data, word bool) {
	for c, cell := range rows[0].cells {
		if d.numeric[c] && !isMissing(cell) {
			isNumber := number.MatchString(cell)
			data, word = data || isNumber || repeat(rows, c) > 0, word || !isNumber
		}
	}
	return data, word
}

// unitSign matches units that are nothing else, such as m/s and [kg].
var unitSign = regexp.MustCompile(`^[^nN#]*[°%µ²³^/\[(]`)

// typeWords are types as SQL, pandas, and ClickHouse call them, without widths. Tables of the USGS have s, d, and n.
const typeWords = " int uint integer bigint float double decimal numeric string fixedstring text varchar bool " +
	"boolean date datetime timestamp object category uuid enum array nullable lowcardinality s d n "

// isNoType reports whether a cell is not the name of a type, such as Decimal(9, 2).
func isNoType(cell string) bool {
	word, _, _ := strings.Cut(strings.ToLower(cell), "(")
	return !strings.Contains(typeWords, " "+strings.Trim(word, "0123456789")+" ")
}

// role returns what a row of words above numbers has, and nothing else: types, units, or the name of the first column,
// as pandas writes it. Units have a sign, or all columns have numbers, or rows below have something in a column of
// words. The result is empty for a row that may be data.
func (d *dialect) role(r record, below []record) string {
	if d.numbers > 0 && !slices.ContainsFunc(r.cells, isNoType) {
		return "types"
	}
	words, isFull := map[string]bool{"": true}, false // one word in all columns may say that values are missing
	isOdd, isUnits := slices.ContainsFunc(r.cells, unitSign.MatchString), true
	for c, cell := range r.cells {
		words[cell] = true
		isNull := isMissing(cell) && strings.ContainsFunc(cell, unicode.IsLetter)
		isUnits = isUnits && !isNull && (cell == "" || d.numeric[c])
		isOdd = isOdd || !d.numeric[c] && count(below, c, isMissing) == 0
		isFull = isFull || c > 0 && count(below, c, isMissing) == 0
	}
	switch {
	case isUnits && (isOdd || d.numbers == d.width && len(words) > 2):
		return "units or other words"
	case d.width > 2 && isFull && d.numeric[0] && r.cells[0] != "" && r.named(1) == 0:
		return firstName
	}
	return ""
}

// firstName is the role of a row with the name of the first column.
const firstName = "the name of the first column"

// takeSeveral takes the names from several rows: names above the other count-1 rows that are above the data, or groups
// of columns above the names in each. It reports whether it found such rows.
func (d *dialect) takeSeveral(rows []record, count int) bool {
	names, first, notes := slices.Clone(rows[0].cells), "", []string(nil)
	where, isTop := fmt.Sprintf("of line %d", rows[0].line), count > 1 && !slices.Contains(names[1:], "")
	for _, r := range rows[1:max(count, 1)] {
		role := d.role(r, rows[count:])
		if isTop = isTop && role != ""; role == firstName {
			first = r.cells[0]
		}
		notes = append(notes, fmt.Sprintf("line %d has %s: %s", r.line, role, shown(r.text)))
	}
	if len(notes) == 1 {
		notes[0] += fmt.Sprintf("; if it is a row: skip_lines: %d", rows[1].line-1)
	}
	count = max(count, 2)
	if data, _ := d.isData(rows[1:]); !isTop {
		below, _ := d.isData(rows[2:])
		if data || !below || d.numbers < 2 || slices.ContainsFunc(rows[1].cells, isMissing) {
			return false
		}
		for c := 1; c < d.width; c++ { // the cells of a group are merged
			names[c] = cmp.Or(names[c], names[c-1])
		}
		if areDistinct(names) {
			return false
		}
		notes = []string{"groups of columns are above the names: " + shown(rows[0].text)}
		where = fmt.Sprintf("of lines %d and %d", rows[0].line, rows[1].line)
	}
	for _, r := range rows[1:count] {
		isDistinct := areDistinct(names)
		for c := range names {
			if !isDistinct {
				names[c] = strings.TrimSpace(names[c] + " " + r.cells[c])
			}
		}
	}
	names[0] = cmp.Or(first, names[0])
	if !d.name(names, where) {
		return false
	}
	d.skip(rows[count-1].last, strings.Join(notes, "; "))
	return true
}

// areDistinct reports whether all names are different.
func areDistinct(names []string) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(names)))) == len(names)
}

// count returns the number of rows whose cell in a column has a property.
func count(rows []record, c int, is func(cell string) bool) (n int) {
	for _, r := range rows {
		if is(r.cells[c]) {
			n++
		}
	}
	return n
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

// code matches codes: letters of one case, or capital letters and digits.
var code = regexp.MustCompile(`^([A-Z]{2,3}|[a-z]{2,3}|[A-Z .:_-]*\d[A-Z\d .:_-]*)$`)

// codeName matches names of columns of codes that may be codes themselves.
var codeName = regexp.MustCompile(`^(?i:id|iso|cc|key|tld)$`)

// areCodes reports whether all cells of a column are different codes, and the first is not the only one of its length.
func areCodes(rows []record, c int) bool {
	first, seen := rows[0].cells[c], map[string]bool{}
	isCode := func(cell string) bool {
		seen[cell] = true
		return code.MatchString(cell)
	}
	isLong := func(cell string) bool { return len(cell) == len(first) }
	return !codeName.MatchString(first) && count(rows, c, isCode) == len(rows) && len(seen) == len(rows) &&
		count(rows, c, isLong) > 1
}

// sentenceBlanks is the number of blanks in a sentence, as names of columns have only as exceptions.
const sentenceBlanks = 3

// judge reports whether the first row is a header although it has numbers or no word in it is above numbers, and what
// speaks against it.
func (d *dialect) judge(rows []record) (header bool, doubt string) {
	first, below := rows[0].cells, rows[1:]
	var numbers, names, again, odd, empty int
	var known, proven, isOther bool
	like, areMany := "", len(rows) >= headRows
	isCount := first[0] == "" || codeName.MatchString(first[0])
	rises, counts, years, last := isCount && count(below, 0, isMissing) == 0, true, true, math.Inf(-1)
	for c, cell := range first {
		has := func(is func(cell string) bool) int { return count(below, c, is) }
		all := func(is func(cell string) bool) bool { return len(below) > 0 && has(is) == len(below) }
		isFull := has(isMissing) == 0
		if len(below) > 0 && c > 0 && cell == "" && 2*rows[0].named(0) <= d.width && isFull {
			return false, fmt.Sprintf("it has empty cells; a title needs skip_lines: %d", rows[1].line-1)
		}
		isAlike := func(other string) bool { return shape(other) == shape(cell) }
		isMarked := func(other string) bool { return strings.HasPrefix(other, cell[:1]) }
		isWord := func(cell string) bool { return !marked.MatchString(cell) }
		isText := func(cell string) bool { return strings.Count(cell, " ") >= sentenceBlanks }
		small := func(cell string) int { return min(strings.Index(shape(cell), "a"), 1) } // none, the first, or another
		isOther = isOther || cell != "" && has(func(other string) bool { return small(other) == small(cell) }) == 0
		switch {
		case isText(cell) && 2*has(isText)+2 > len(rows):
			like = cmp.Or(like, shown(cell)+" is a sentence, as others below")
		case areMany && areCodes(rows, c):
			like = cmp.Or(like, shown(cell)+" is a code, as all below")
		}
		other := repeat(rows, c)
		switch {
		case number.MatchString(cell):
			isOdd := func(cell string) bool { return !isFloat(cell) && !isMissing(cell) }
			if isOdd(cell) && areMany && has(isOdd) == 0 {
				odd++ // a date, a range, or a share above plain numbers
			}
			x, err := strconv.ParseFloat(cell, 64)
			rises, last = rises && err == nil && x > last, x
			years = years && isYear(cell) && 2*has(isYear) <= len(below)
			counts = counts && cell == strconv.Itoa(numbers)
			if numbers++; numbers == 1 {
				doubt = cell
			}
		case cell == "" && d.numeric[c] && !isFull:
			empty = below[slices.IndexFunc(below, func(r record) bool { return isMissing(r.cells[c]) })].line
		case strings.Contains(shape(cell), "0") && all(isAlike),
			areMany && cell != "" && strings.Contains("/#@<", cell[:1]) && all(isMarked):
			return false, shown(cell) + ", as others below"
		case other > 0 && cell != "":
			if again++; again == 1 && numbers == 0 {
				doubt = fmt.Sprintf("%s, which line %d has, too", shown(cell), rows[other].line)
			}
		case d.numeric[c] && !isMissing(cell):
			names++
			proven = proven || areMany && all(number.MatchString)
		}
		known = known || len(below) > 0 && isWord(cell) && has(isWord) == 0
	}
	switch {
	case numbers > 0 && (years || rises || counts && numbers > 1 || odd == numbers && odd > 1 || names >= numbers ||
		proven && areDistinct(first)):
		return true, doubt + " is an odd name"
	case numbers == 0 && empty > 0:
		return false, fmt.Sprintf("like line %d, it has no number in a column of numbers", empty)
	case numbers > 0, again > 0 && 2*again >= rows[0].named(0):
		return false, doubt
	case again == 0 && !known && !isOther && names == 0 && like != "":
		return false, like
	case again == 0 && !known:
		doubt = "no column tells it from a row"
	}
	return true, doubt
}
