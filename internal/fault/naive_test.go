package fault

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What follows says of each row of an input whether it is good, as plainly as the
// documents put it, with the standard library's parsers and none of the product's.

// A badRow is a row that cannot be used.
type badRow struct {
	File   string
	Line   int
	Offset int64
	Code   string
	Raw    string
}

// A tally has the results of the rows of an input: the ids of the valid ones, and
// the bad ones in source order.
type tally struct {
	good []int64
	bad  []badRow
}

func count(in *input, usesPart bool) tally {
	var c tally
	for _, name := range slices.Sorted(maps.Keys(in.files)) {
		for _, row := range in.cut(in.files[name]) {
			id, code := int64(0), row.code
			if code == "" {
				id, code = in.judge(row.text, usesPart)
			}
			if code == "" {
				c.good = append(c.good, id)
				continue
			}
			line := 1 + bytes.Count(in.files[name][:row.fault], []byte("\n"))
			c.bad = append(c.bad, badRow{name, line, int64(row.at), code, row.text})
		}
	}
	return c
}

// A rowText is a row without its end, where it begins, and why it is none.
type rowText struct {
	at    int
	text  string
	fault int // where it stops being a row, else where it begins
	code  string
}

func cutLines(text []byte) []rowText {
	var rows []rowText
	at := 0
	for line := range bytes.Lines(text) {
		if trimmed := strings.TrimRight(string(line), "\r\n"); trimmed != "" {
			rows = append(rows, rowText{at: at, text: trimmed, fault: at})
		}
		at += len(line)
	}
	return rows
}

// cutCSV passes over the header.
func cutCSV(text []byte) []rowText {
	var rows []rowText
	for at := bytes.IndexByte(text, '\n') + 1; at > 0 && at < len(text); {
		end, fault, code := endOfCSV(text, at)
		if trimmed := strings.TrimRight(string(text[at:end]), "\r\n"); trimmed != "" {
			rows = append(rows, rowText{at, trimmed, fault, code})
		}
		at = end
	}
	return rows
}

// lineEnd is where the line that has a byte ends.
func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// endOfCSV is where the row that begins at a byte ends. A quoted cell opens after
// a comma or at the start of a row; a row that is not valid ends with the line of its
// quote.
func endOfCSV(text []byte, at int) (end, fault int, code string) {
	first := at
	for ; at < len(text); at++ {
		if text[at] == '"' {
			closed := closing(text, at)
			switch {
			case closed < 0:
				return lineEnd(text, at), at, "CSV_UNTERMINATED_QUOTE"
			case !endsCell(text[closed+1:]):
				return lineEnd(text, at), closed, "CSV_QUOTE"
			}
			at = closed + 1
		}
		for ; at < len(text) && text[at] != ','; at++ {
			switch text[at] {
			case '"':
				return lineEnd(text, at), at, "CSV_BARE_QUOTE"
			case '\n':
				return at + 1, first, ""
			}
		}
	}
	return len(text), first, ""
}

// closing is the quote that closes the one at a byte, or -1.
func closing(text []byte, at int) int {
	for at++; at < len(text); at++ {
		if text[at] != '"' {
			continue
		}
		if at+1 == len(text) || text[at+1] != '"' {
			return at
		}
		at++
	}
	return -1
}

func endsCell(rest []byte) bool {
	return len(rest) == 0 || rest[0] == ',' || rest[0] == '\n' || bytes.HasPrefix(rest, []byte("\r\n"))
}

func judgeCSV(text string, usesPart bool) (id int64, code string) {
	cells := cellsOf(text)
	switch {
	case len(cells) != 4:
		return 0, "CSV_RAGGED"
	case usesPart && cells[1] == "":
		return 0, "MISSING"
	case cells[0] == "" || cells[2] == "":
		return 0, "MISSING"
	}
	id, code = judgeNumbers(cells[0], cells[2])
	if code == "" && !utf8.ValidString(cells[3]) {
		code = "UTF8_INVALID"
	}
	return id, code
}

// cellsOf cuts a row that is well formed at the commas outside of quotes.
func cellsOf(text string) []string {
	cells, quoted := []string{""}, false
	for i := range len(text) {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ',' && !quoted:
			cells = append(cells, "")
			continue
		}
		cells[len(cells)-1] += text[i : i+1]
	}
	return cells
}

// judgeNumbers reads an id and an x.
func judgeNumbers(id, x string) (n int64, code string) {
	n, err := strconv.ParseInt(id, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, "INT_RANGE"
	case err != nil:
		return 0, "INT_SYNTAX"
	}
	_, err = strconv.ParseFloat(strings.ReplaceAll(x, "_", "?"), 32)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, "FLOAT_RANGE"
	case err != nil:
		return 0, "FLOAT_SYNTAX"
	}
	return n, ""
}

func judgeJSON(text string, usesPart bool) (id int64, code string) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var value any
	err := dec.Decode(&value)
	row, isObject := value.(map[string]any)
	switch {
	case !utf8.ValidString(text):
		return 0, "UTF8_INVALID"
	case err != nil:
		return 0, "JSON_SYNTAX"
	case !isObject:
		return 0, "JSON_NOT_OBJECT"
	case dec.Decode(&value) != io.EOF:
		return 0, "JSON_TRAILING"
	case strings.Count(text, `"id"`) > 1:
		return 0, "JSON_DUP_KEY"
	case strings.Contains(text, `\ud8`):
		return 0, "JSON_LONE_SURROGATE"
	case usesPart && row["part"] == nil:
		return 0, "MISSING"
	}
	var texts [2]string
	for i, key := range []string{"id", "x"} {
		number, isNumber := row[key].(json.Number)
		_, isList := row[key].([]any)
		switch {
		case isList:
			return 0, "SHAPE"
		case row[key] == nil:
			return 0, "MISSING"
		case !isNumber:
			return 0, "TYPE"
		}
		texts[i] = number.String()
	}
	return judgeNumbers(texts[0], texts[1])
}
