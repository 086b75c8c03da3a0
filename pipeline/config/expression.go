package config

import (
	"cmp"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/expr"
	"tfr-build/internal/nearest"
	"tfr-build/sources"
	"tfr-build/sources/column"
)

func decodeDerives(d *decoder, at spot, l *sources.Derives) {
	if at.kind != mappingNode {
		d.expected(at, "a mapping of columns to expressions")
		return
	}
	*l = sources.Derives{} // not nil: an empty one keeps the config's away
	for _, q := range at.pairs {
		derived := sources.Derived{Name: q.key}
		sub := d.entry(at, q)
		if sub.kind == mappingNode {
			d.fields(sub, reflect.ValueOf(&derived).Elem())
			if text, ok := d.exprs[subPath(sub.path, "expr")]; ok {
				d.exprs[sub.path] = text
			}
		} else {
			derived.At = sub.path
			decodeExpression(d, sub, &derived.Expr)
		}
		checkColumnName(d, sub.path, q)
		*l = append(*l, derived)
	}
}

// encodeDerives gives a column without a type its expression alone, however it was
// written.
func encodeDerives(e encoder, l sources.Derives) *node {
	return entries(l, func(c sources.Derived) (string, *node) {
		if c.Type == "" {
			return c.Name, encodeExpression(e, c.Expr)
		}
		return c.Name, e.fields(reflect.ValueOf(c))
	})
}

func derivesSchema(g *generator) object {
	return mappingOf(anyOf(scalar(), g.ref(reflect.TypeFor[sources.Derived]())))
}

func decodeExpression(d *decoder, at spot, e *sources.Expression) {
	s, ok := d.text(at, "an expression")
	if !ok {
		return
	}
	*e = sources.Expression(s)
	d.exprs[at.path] = expression{at.node}
	if strings.TrimSpace(s) == "" {
		d.bad(at.path, "found %s; expected an expression", quoteValue(s))
	}
}

func encodeExpression(_ encoder, e sources.Expression) *node {
	if e == "" {
		return nil
	}
	return textNode(string(e))
}

func expressionSchema(*generator) object { return scalar() }

// An expression is where the text of one stands.
type expression struct{ *node }

// inExpression is a fault of the expression at path, at a byte of it.
func (f *faults) inExpression(path string, at int, hint, text string) {
	e, known := f.exprs[path]
	if !known {
		f.hinted(path, hint, "%s", text)
		return
	}
	if hint == "" && !e.quoted {
		hint = "quote the expression"
	}
	place, exact := e.within(f.src, at)
	if !exact {
		place, text = e.place, text+", at character "+strconv.Itoa(utf8.RuneCountInString(e.text[:min(at, len(e.text))])+1)
	}
	f.add(Problem{Path: path, Line: place.line, Col: place.col, Text: text, Hint: hint, inValue: true})
}

// within is where the byte at of the expression stands in the lines of the config. It is
// not exact where a variable, or an escape for more than one character, is in between.
func (e expression) within(src []string, at int) (p place, exact bool) {
	if !e.verbatim || e.line < 1 || e.line > len(src) || at > len(e.text) {
		return e.place, false
	}
	w := walk{src: src, line: e.line - 1}
	w.runes = []rune(src[w.line])
	w.col = min(e.col-1, len(w.runes))
	switch {
	case e.isBlock:
		if !w.enter() {
			return e.place, false
		}
	case e.quoted && w.col < len(w.runes):
		w.quote = w.runes[w.col]
		w.col++
	}
	for _, r := range e.text[:at] {
		if !w.pass(r) {
			return e.place, false
		}
	}
	return place{w.line + 1, w.col + 1}, true
}

// A walk goes through the lines of a config beside the characters of a text in it.
type walk struct {
	src    []string
	line   int
	col    int // characters before the place
	runes  []rune
	quote  rune // around the text; 0 for none
	indent int  // of the lines of a block; 0 for others
}

// enter goes to the first character of a block.
func (w *walk) enter() bool {
	for w.next() {
		if n := len(w.runes) - len([]rune(strings.TrimLeft(string(w.runes), " "))); n < len(w.runes) {
			w.indent, w.col = n, n
			return true
		}
	}
	return false
}

// next goes to the next line.
func (w *walk) next() bool {
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

// pass goes beyond a character of the text; ok is false where it stands otherwise in the
// config.
func (w *walk) pass(r rune) (ok bool) {
	rest := w.runes[w.col:]
	switch {
	case w.quote == '"' && len(rest) > 1 && rest[0] == '\\': // an escape: of itself, or of another character
		w.col += 2
		return rest[1] == r && strings.ContainsRune(`"\/`, r)
	case len(rest) > 0 && rest[0] == r:
		w.col++
		if w.quote == '\'' && r == '\'' { // which stands there twice
			w.col++
		}
		return true
	}
	if (r == ' ' || r == '\n') && strings.TrimSpace(string(w.runes[w.col:])) == "" {
		return w.next()
	}
	return false
}

// where checks the condition of the rows against the columns of each source.
func (c *checker) where(cfg *Config) {
	if cfg.Where == "" || !c.fine("where") {
		return
	}
	for _, set := range c.sets {
		p, err := set.Compile(string(cfg.Where))
		if err == nil {
			err = p.Condition()
		}
		if err == nil {
			err = tooLate(set, string(cfg.Where))
		}
		if err != nil {
			hint := err.Hint
			if hint == "" && err.Column != "" {
				hint = cmp.Or(nearest.DidYouMean(nearest.Of(err.Column, set.Names())), quoteHint(string(cfg.Where), err.At, err.Column))
			}
			c.inExpression("where", err.At, hint, err.Text)
			return
		}
	}
}

// quoteHint is the hint for a name that is compared but is not a column: it may be a string
// without its quotes, as in class == cat.
func quoteHint(text string, at int, name string) string {
	before := strings.TrimRight(text[:min(at, len(text))], " ")
	if strings.HasSuffix(before, "==") || strings.HasSuffix(before, "!=") {
		return "quote a string: " + strconv.Quote(name)
	}
	return ""
}

// WhereHint is the hint for a column of a condition that the rows do not have; empty if it
// does not name the column, or does not compare something with it.
func WhereHint(where sources.Expression, name string) string {
	_, err := expr.Compile(string(where), func(column string) (expr.Type, bool) { return expr.Dynamic, column != name })
	if err == nil || err.Column != name {
		return ""
	}
	return quoteHint(string(where), err.At, name)
}

// tooLate is the fault of a condition of a column that is known only when rows have
// their place.
func tooLate(set *column.Set, text string) *expr.Error {
	_, err := expr.Compile(text, func(name string) (expr.Type, bool) { return expr.Dynamic, set.Late(name) == "" })
	if err == nil || err.Column == "" {
		return nil
	}
	return &expr.Error{At: err.At, Text: lateText(err.Column, set.Late(err.Column))}
}
