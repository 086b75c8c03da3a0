package sources

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"tfr-build/sources/files"
)

// A PathPattern extracts columns from relative names: `{split}/{class}/*.png`.
//
//	{name}       at least one character, as few as possible
//	{name+}      at least one character, as many as possible
//	{name:RE}    a match of an RE2 expression
//	*            any number of characters, as few as possible
//	**           as a level: any number of levels
//
// Only `**` matches a slash. The leftmost placeholder matches first.
type PathPattern struct {
	text    string
	levels  []*pathLevel
	columns []string
}

// A pathLevel is the part of a pattern between two slashes.
type pathLevel struct {
	deep   bool // the level is `**`
	pieces []pathPiece
	expr   *regexp.Regexp // of the complete level; nil if each column is as short as possible
}

func (l *pathLevel) isDeep() bool { return l.deep }

// A pathPiece is a literal, a `*`, or a column.
type pathPiece struct {
	literal string
	any     bool
	column  int    // index+1 of the column
	long    bool   // the column is as long as possible
	re      string // expression of the column; empty for any string
	groups  int    // number of groups in re
	group   int    // group of the column in the expression of the level
}

// A PatternError is a syntax error in a pattern.
type PatternError struct {
	At       int    // offset in the pattern, from 0
	Expected string // what should be there instead
	Hint     string
}

func (e *PatternError) Error() string {
	return fmt.Sprintf("expected %s at character %d", e.Expected, e.At+1)
}

// ParsePathPattern compiles pattern. Its error is a *PatternError.
func ParsePathPattern(pattern string) (*PathPattern, error) {
	p := &patternParser{PathPattern: &PathPattern{text: pattern}}
	for {
		if err := p.parseLevel(); err != nil {
			return nil, err
		}
		if p.at == len(pattern) {
			return p.PathPattern, nil
		}
		p.at++ // the slash
	}
}

// A patternParser parses a pattern from left to right.
type patternParser struct {
	*PathPattern
	at int
}

func (p *patternParser) errorAt(at int, hint, expected string, args ...any) error {
	return &PatternError{At: at, Expected: fmt.Sprintf(expected, args...), Hint: hint}
}

// parseLevel parses up to the next slash, or the end.
func (p *patternParser) parseLevel() error {
	rest := p.text[p.at:]
	if rest == "**" || strings.HasPrefix(rest, "**/") {
		p.at += len("**")
		p.levels = append(p.levels, &pathLevel{deep: true})
		return nil
	}
	begin, l := p.at, &pathLevel{}
	for p.at < len(p.text) && p.text[p.at] != '/' {
		at := p.at
		piece, err := p.parsePiece()
		if err != nil {
			return err
		}
		if n := len(l.pieces); n > 0 && piece.isOpen() && l.pieces[n-1].isOpen() {
			return p.errorAt(at, "", "something between two columns") // else the end of the first is ambiguous
		}
		l.pieces = append(l.pieces, piece)
	}
	if err := l.compile(); err != nil {
		return p.errorAt(begin, "", "expressions that go together (%v)", err)
	}
	p.levels = append(p.levels, l)
	return nil
}

// isOpen reports whether a piece is a column that ends where the next piece begins.
func (p *pathPiece) isOpen() bool { return p.column > 0 && p.re == "" }

// parsePiece parses a piece of a level.
func (p *patternParser) parsePiece() (pathPiece, error) {
	switch p.text[p.at] {
	case '*':
		p.at++
		return pathPiece{any: true}, nil
	case '{':
		return p.parseColumn()
	case '}':
		return pathPiece{}, p.errorAt(p.at, "", "a { before the }")
	}
	rest := p.text[p.at:]
	end := strings.IndexAny(rest, "*{}/")
	if end < 0 {
		end = len(rest)
	}
	p.at += end
	return pathPiece{literal: rest[:end]}, nil
}

// parseColumn parses a column in its braces.
func (p *patternParser) parseColumn() (pathPiece, error) {
	begin := p.at
	text, err := p.parseBraces()
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
		return piece, p.errorAt(begin, "", "{column}, {column+} or {column:expression}")
	case slices.Contains(p.columns, name):
		return piece, p.errorAt(begin, "", "another column than {%s}, which occurs before,", name)
	case hasRE:
		if piece.groups, err = p.parseExpression(begin+len("{"+name+":"), re); err != nil {
			return piece, err
		}
	}
	p.columns = append(p.columns, name)
	piece.column, piece.re = len(p.columns), re
	return piece, nil
}

// parseBraces parses a string in braces. Braces in it must be balanced.
func (p *patternParser) parseBraces() (text string, err error) {
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
	return "", p.errorAt(begin, hint, "a } that closes the {")
}

// parseExpression checks the expression of a column, and counts its groups.
func (p *patternParser) parseExpression(at int, re string) (groups int, err error) {
	if re == "" {
		return 0, p.errorAt(at, "", "an expression")
	}
	// Parsed alone, an error has the position of the column. In the level, ")(" would be an expression, too.
	parsed, err := syntax.Parse(re, syntax.Perl)
	if fault := (*syntax.Error)(nil); errors.As(err, &fault) {
		return 0, p.errorAt(at, "", "an expression of RE2 (%s: %q)", fault.Code, fault.Expr)
	}
	// regexp writes repetitions out, and allows 128 MB of them. A short expression would fill the memory.
	if countSteps(parsed) > maxSteps {
		return 0, p.errorAt(at, "", "an expression of at most %d steps", maxSteps)
	}
	if hasSlash(parsed) {
		return 0, p.errorAt(at, "", "an expression without /, which no column holds,")
	}
	return parsed.MaxCap(), nil
}

// maxSteps is the largest length of an expression with its repetitions written out.
const maxSteps = 10_000

// countSteps returns the length of an expression with its repetitions written out.
func countSteps(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		n += countSteps(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(1, re.Min, re.Max)
	}
	return n
}

// hasSlash reports whether an expression has a literal slash.
func hasSlash(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral && slices.Contains(re.Rune, '/') {
		return true
	}
	return slices.ContainsFunc(re.Sub, hasSlash)
}

// compile compiles the expression of a level that needs one. Other levels do without, as an expression
// takes time for each of its columns at each character.
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
			text.WriteString("((?s:.)+)") // (?s: since names may have line feeds
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

// Columns returns the columns in the order of the pattern.
func (p *PathPattern) Columns() []string { return p.columns }

// Match reports whether name matches, and then sets values, one per column.
func (p *PathPattern) Match(name string, values []string) bool {
	names := strings.Split(name, "/")
	return files.MatchLevels(p.levels, names, (*pathLevel).isDeep,
		func(l *pathLevel, n int) bool { return l.deep || l.match(names[n], values) })
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

// matchPieces matches a level whose columns are as short as possible. A `*` or a column is only
// as long as necessary for the next literal to follow. Characters that a longer match would
// include, the next placeholder can match.
func matchPieces(pieces []pathPiece, s string, values []string) bool {
	for i := range pieces {
		p := &pieces[i]
		n := len(p.literal)
		if p.isVariable() {
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

func (p *pathPiece) isVariable() bool { return p.any || p.column > 0 }

// length returns how many bytes of s a `*` or a column matches before the pieces that follow, or
// -1 if it cannot match.
func (p *pathPiece) length(s string, after []pathPiece) int {
	least := 1
	if p.any {
		least = 0
	}
	n := least
	switch {
	case len(after) == 0:
		n = len(s)
	case after[0].isVariable():
		if least > 0 {
			_, n = utf8.DecodeRuneInString(s)
		}
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
