package config

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/expr"
	"tfr-build/internal/nearest"
	"tfr-build/sources"
	"tfr-build/sources/column"
)

// An expression is the node with the text of an expression.
type expression struct{ *node }

// reportInExpression reports a problem of the expression at path, at a byte of its text.
func (f *collector) reportInExpression(path string, at int, hint, text string) {
	e, known := f.exprs[path]
	if !known {
		e, known = f.exprs[path+".expr"] // of a mapping
	}
	if !known {
		f.reportWithHint(path, hint, "%s", text)
		return
	}
	if hint == "" && !e.quoted && at >= len(e.text) { // YAML may have read the rest as a comment
		hint = "quote the expression"
	}
	position, exact := e.positionOf(f.src, at)
	if !exact {
		position, text = e.position, text+", at character "+strconv.Itoa(utf8.RuneCountInString(e.text[:min(at,
			len(e.text))])+1)
	}
	f.add(Problem{Path: path, Line: position.line, Col: position.col, Text: text, Hint: hint, inValue: true})
}

// positionOf returns the position of byte at of the expression in the lines of the config. The
// result exact is false if a variable, or an escape for more than one character, comes before it.
func (e expression) positionOf(src []string, at int) (p position, exact bool) {
	if !e.verbatim || e.line < 1 || e.line > len(src) || at > len(e.text) {
		return e.position, false
	}
	w := walk{src: src, line: e.line - 1}
	w.runes = []rune(src[w.line])
	w.col = min(e.col-1, len(w.runes))
	switch {
	case e.isBlock:
		if !w.enterBlock() {
			return e.position, false
		}
	case e.quoted && w.col < len(w.runes):
		w.quote = w.runes[w.col]
		w.col++
	}
	for _, r := range e.text[:at] {
		if !w.skip(r) {
			return e.position, false
		}
	}
	return position{w.line + 1, w.col + 1}, true
}

// A walk steps through the lines of a config and the characters of a string in it, in parallel.
type walk struct {
	src    []string
	line   int
	col    int // number of characters before the position
	runes  []rune
	quote  rune // quote around the string; 0 if it has none
	indent int  // indentation of the lines of a block; 0 for other strings
}

// enterBlock moves to the first character of a block.
func (w *walk) enterBlock() bool {
	for w.nextLine() {
		if n := len(w.runes) - len([]rune(strings.TrimLeft(string(w.runes), " "))); n < len(w.runes) {
			w.indent, w.col = n, n
			return true
		}
	}
	return false
}

// nextLine moves to the next line.
func (w *walk) nextLine() bool {
	if w.line++; w.line >= len(w.src) {
		return false
	}
	w.runes = []rune(strings.TrimSuffix(w.src[w.line], "\r"))
	w.col = min(w.indent, len(w.runes))
	if w.indent == 0 {
		w.col = len(w.runes) - len([]rune(strings.TrimLeft(string(w.runes), " \t")))
	}
	return true
}

// skip moves past a character of the string. ok is false if the config has another character here.
func (w *walk) skip(r rune) (ok bool) {
	rest := w.runes[w.col:]
	switch {
	case w.quote == '"' && len(rest) > 1 && rest[0] == '\\': // an escape: of r, or of another character
		w.col += 2
		return rest[1] == r && strings.ContainsRune(`"\/`, r)
	case len(rest) > 0 && rest[0] == r:
		w.col++
		if w.quote == '\'' && r == '\'' { // the config has it twice
			w.col++
		}
		return true
	}
	if (r == ' ' || r == '\n') && strings.TrimSpace(string(w.runes[w.col:])) == "" {
		return w.nextLine()
	}
	return false
}

// checkWhere checks `where` against the columns of each source.
func (c *checker) checkWhere(cfg *Config) {
	if cfg.Where == "" || !c.isValid("where") {
		return
	}
	for _, set := range c.sets {
		if !c.checkCondition("where", string(cfg.Where), set) {
			return
		}
	}
}

// checkCondition checks the condition at path against the columns of rows, and reports whether it is
// valid.
func (c *checker) checkCondition(path, text string, set *column.Set) (ok bool) {
	p, err := set.Compile(text)
	if err == nil {
		err = p.Condition()
	}
	if err == nil {
		err = lateColumnError(set, text)
	}
	if err == nil {
		return true
	}
	hint := err.Hint
	if hint == "" && err.Column != "" {
		hint = cmp.Or(nearest.Hint(err.Column, set.Names()), quoteHint(text, err.At, err.Column))
	}
	c.reportInExpression(path, err.At, hint, err.Text)
	return false
}

// quoteHint returns a hint if a name is compared but is not a column. It may be a string without
// its quotes, as in class == cat.
func quoteHint(text string, at int, name string) string {
	before := strings.TrimRight(text[:min(at, len(text))], " ")
	if strings.HasSuffix(before, "==") || strings.HasSuffix(before, "!=") {
		return "quote a string: " + strconv.Quote(name)
	}
	return ""
}

// WhereHint returns a hint for a column of a condition that the rows do not have. It is empty if
// the condition does not name the column, or does not compare a value with it.
func WhereHint(where sources.Expression, name string) string {
	_, err := expr.Compile(string(where), func(column string) (expr.Type, bool) { return expr.Dynamic, column != name })
	if err == nil || err.Column != name {
		return ""
	}
	return quoteHint(string(where), err.At, name)
}

// lateColumnError returns an error if a condition uses a column that is known only when the
// position of a row is already decided.
func lateColumnError(set *column.Set, text string) *expr.Error {
	_, err := expr.Compile(text, func(name string) (expr.Type, bool) { return expr.Dynamic, set.Late(name) == "" })
	if err == nil || err.Column == "" {
		return nil
	}
	return &expr.Error{At: err.At, Text: lateColumnText(err.Column, set)}
}
