package sources

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// A PathPattern takes columns out of relative names: `{split}/{class}/*.png`.
//
//	{name}       at least one character, and as few as do
//	{name+}      at least one character, and as many as do
//	{name:RE}    what an expression of RE2 matches
//	*            any number of characters, as few as do
//	**           as a level: any number of levels
//
// None but `**` goes beyond a level. What stands first is settled first.
type PathPattern struct {
	text    string
	levels  []pathLevel
	columns []string
}

// A pathLevel is what stands between two slashes.
type pathLevel struct {
	deep   bool // `**`
	pieces []pathPiece
	expr   *regexp.Regexp // of the whole level, where a column is not as short as can be
}

// A pathPiece is a literal, a `*`, or a column.
type pathPiece struct {
	literal string
	any     bool
	column  int    // index+1
	long    bool   // the column takes as much as it can
	re      string // that it matches; empty for any
	groups  int    // that has
	group   int    // the column's, of the level's expression
}

// A PatternError says what is wrong with a pattern.
type PatternError struct {
	At       int    // the byte of the pattern, from 0
	Expected string // in its place
	Hint     string
}

func (e *PatternError) Error() string {
	return fmt.Sprintf("expected %s at character %d", e.Expected, e.At+1)
}

// ParsePathPattern compiles pattern. Its error is a *PatternError.
func ParsePathPattern(pattern string) (*PathPattern, error) {
	p := &patternParser{PathPattern: &PathPattern{text: pattern}}
	for {
		if err := p.level(); err != nil {
			return nil, err
		}
		if p.at == len(pattern) {
			return p.PathPattern, nil
		}
		p.at++ // the slash
	}
}

// A patternParser goes through a pattern.
type patternParser struct {
	*PathPattern
	at int
}

func (p *patternParser) bad(at int, hint, expected string, args ...any) error {
	return &PatternError{At: at, Expected: fmt.Sprintf(expected, args...), Hint: hint}
}

// level parses up to the next slash, or the end.
func (p *patternParser) level() error {
	rest := p.text[p.at:]
	if rest == "**" || strings.HasPrefix(rest, "**/") {
		p.at += len("**")
		p.levels = append(p.levels, pathLevel{deep: true})
		return nil
	}
	begin, l := p.at, pathLevel{}
	for p.at < len(p.text) && p.text[p.at] != '/' {
		at := p.at
		piece, err := p.piece()
		if err != nil {
			return err
		}
		if n := len(l.pieces); n > 0 && piece.isOpen() && l.pieces[n-1].isOpen() {
			return p.bad(at, "", "something between two columns") // or nobody could tell where one ends
		}
		l.pieces = append(l.pieces, piece)
	}
	if err := l.compile(); err != nil {
		return p.bad(begin, "", "expressions that go together (%v)", err)
	}
	p.levels = append(p.levels, l)
	return nil
}

// isOpen reports whether a piece is a column that ends where something else begins.
func (p *pathPiece) isOpen() bool { return p.column > 0 && p.re == "" }

// piece parses a piece of a level.
func (p *patternParser) piece() (pathPiece, error) {
	switch p.text[p.at] {
	case '*':
		p.at++
		return pathPiece{any: true}, nil
	case '{':
		return p.column()
	case '}':
		return pathPiece{}, p.bad(p.at, "", "a { before the }")
	}
	rest := p.text[p.at:]
	end := strings.IndexAny(rest, "*{}/")
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	return pathPiece{literal: rest[:end]}, nil
}

// column parses a column in its braces.
func (p *patternParser) column() (pathPiece, error) {
	begin := p.at
	text, err := p.braced()
	if err != nil {
		return pathPiece{}, err
	}
	piece := pathPiece{}
	name, re, hasRE := strings.Cut(text, ":")
	if !hasRE {
		name, piece.long = strings.CutSuffix(name, "+")
	}
	switch {
	case name == "" || strings.ContainsAny(name, "{}*/"):
		return piece, p.bad(begin, "", "{column}, {column+} or {column:expression}")
	case slices.Contains(p.columns, name):
		return piece, p.bad(begin, "", "another column than {%s}, which is there already,", name)
	case hasRE:
		if piece.groups, err = p.expression(begin+len("{"+name+":"), re); err != nil {
			return piece, err
		}
	}
	p.columns = append(p.columns, name)
	piece.column, piece.re = len(p.columns), re
	return piece, nil
}

// braced parses a text in braces, within which each has its partner.
func (p *patternParser) braced() (text string, err error) {
	begin, open := p.at, 0
	for ; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '{':
			open++
		case '}':
			open--
		}
		if open == 0 {
			p.at++
			return p.text[begin+1 : p.at-1], nil
		}
	}
	hint := ""
	if strings.Contains(p.text[begin:], ":") {
		hint = `a brace without its partner is \x7b or \x7d in an expression`
	}
	return "", p.bad(begin, hint, "a } that closes the {")
}

// expression checks the expression of a column, and counts its groups.
func (p *patternParser) expression(at int, re string) (groups int, err error) {
	if re == "" {
		return 0, p.bad(at, "", "an expression")
	}
	parsed, err := syntax.Parse(re, syntax.Perl)
	if fault := (*syntax.Error)(nil); errors.As(err, &fault) {
		return 0, p.bad(at, "", "an expression of RE2 (%s: %q)", fault.Code, fault.Expr)
	}
	if steps(parsed) > mostSteps {
		return 0, p.bad(at, "", "an expression of at most %d steps", mostSteps)
	}
	if namesSlash(parsed) {
		return 0, p.bad(at, "", "an expression without /, which no column holds,")
	}
	return parsed.MaxCap(), nil
}

// mostSteps is how long an expression may be when its repetitions are written out.
const mostSteps = 10_000

// steps is how long an expression is.
func steps(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		n += steps(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return n
}

// namesSlash reports whether an expression asks for a slash.
func namesSlash(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral && slices.Contains(re.Rune, '/') {
		return true
	}
	return slices.ContainsFunc(re.Sub, namesSlash)
}

// compile makes the expression of a level that needs one.
func (l *pathLevel) compile() (err error) {
	needs := func(p pathPiece) bool { return p.long || p.re != "" }
	if !slices.ContainsFunc(l.pieces, needs) {
		return nil
	}
	var text strings.Builder
	groups := 0
	for i := range l.pieces {
		p := &l.pieces[i]
		if p.column > 0 {
			groups++
			p.group = groups
		}
		switch {
		case p.re != "":
			groups += p.groups
			text.WriteString("(" + p.re + ")")
		case p.column > 0 && p.long:
			text.WriteString("((?s:.)+)")
		case p.column > 0:
			text.WriteString("((?s:.)+?)")
		case p.any:
			text.WriteString("(?s:.)*?")
		default:
			text.WriteString(regexp.QuoteMeta(p.literal))
		}
	}
	l.expr, err = regexp.Compile(`\A(?:` + text.String() + `)\z`)
	return err
}

// Columns names the columns in the order of the pattern.
func (p *PathPattern) Columns() []string { return p.columns }

// Match fills values, one a column, from name, and reports whether it fits.
func (p *PathPattern) Match(name string, values []string) bool {
	return matchPath(p.levels, strings.Split(name, "/"), values)
}

// matchPath matches level by level. After a `**` the first levels that fit are
// right: a later `**` can take whatever an earlier one could, so that nothing is
// tried twice.
func matchPath(levels []pathLevel, name, values []string) bool {
	for len(levels) > 0 {
		if !levels[0].deep {
			if len(name) == 0 || !levels[0].match(name[0], values) {
				return false
			}
			levels, name = levels[1:], name[1:]
			continue
		}
		levels = levels[1:]
		n := slices.IndexFunc(levels, func(l pathLevel) bool { return l.deep })
		from := 0
		if n < 0 { // it is the last `**`: the rest is the end of the name
			n = len(levels)
			from = max(0, len(name)-n)
		}
		for !matchLevels(levels[:n], name[from:], values) {
			if from++; from+n > len(name) {
				return false
			}
		}
		levels, name = levels[n:], name[from+n:]
	}
	return len(name) == 0
}

// matchLevels reports whether name begins with levels, which have no `**`.
func matchLevels(levels []pathLevel, name, values []string) bool {
	if len(name) < len(levels) {
		return false
	}
	for i := range levels {
		if !levels[i].match(name[i], values) {
			return false
		}
	}
	return true
}

// match matches a level.
func (l *pathLevel) match(s string, values []string) bool {
	if l.expr == nil {
		return matchPieces(l.pieces, s, values)
	}
	found := l.expr.FindStringSubmatchIndex(s)
	if found == nil {
		return false
	}
	for i := range l.pieces {
		if p := &l.pieces[i]; p.column > 0 {
			values[p.column-1] = s[found[2*p.group]:found[2*p.group+1]]
		}
	}
	return true
}

// matchPieces matches a level whose columns are as short as can be. A `*` or a column takes as little as lets the
// literal after it follow: what a longer one would leave out, the next can take.
func matchPieces(pieces []pathPiece, s string, values []string) bool {
	for i := range pieces {
		p := &pieces[i]
		n := len(p.literal)
		if p.takesAny() {
			n = p.length(s, pieces[i+1:])
		} else if !strings.HasPrefix(s, p.literal) {
			return false
		}
		if n < 0 {
			return false
		}
		if p.column > 0 {
			values[p.column-1] = s[:n]
		}
		s = s[n:]
	}
	return s == ""
}

func (p *pathPiece) takesAny() bool { return p.any || p.column > 0 }

// length is how much of s a `*` or a column takes before the pieces that follow;
// -1 where it cannot.
func (p *pathPiece) length(s string, after []pathPiece) int {
	least := 1
	if p.any {
		least = 0
	}
	n := least
	switch {
	case len(after) == 0:
		n = len(s)
	case after[0].takesAny():
	case len(after) == 1:
		n = len(s) - len(after[0].literal)
	case len(s) >= least:
		if n = strings.Index(s[least:], after[0].literal); n >= 0 {
			n += least
		}
	}
	if n < least || n > len(s) {
		return -1
	}
	return n
}
