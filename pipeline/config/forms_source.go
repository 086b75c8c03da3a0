package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

func (f *Files) decode(p *parser, path string, n *node) {
	f.IsList = n.kind == listNode
	f.Patterns = p.patterns(path, n, "a pattern, or a list of patterns")
}

func (l *Patterns) decode(p *parser, path string, n *node) {
	*l = p.patterns(path, n, "a pattern, or a list of patterns")
}

// patterns is a pattern, or a list of them.
func (p *parser) patterns(path string, n *node, want string) []string {
	if n.kind != listNode {
		s, ok := p.text(path, n, want)
		if !ok {
			return nil
		}
		p.pattern(path, s)
		return []string{s}
	}
	texts, ok := p.texts(path, n, false)
	if !ok {
		return nil
	}
	for i, s := range texts {
		sub := path + "[" + strconv.Itoa(i) + "]"
		if j := slices.Index(texts, s); j < i {
			p.bad(sub, "%s stands twice", quoteValue(s))
		}
		p.pattern(sub, s)
	}
	return texts
}

func (p *parser) pattern(path, s string) {
	if want := patternFault(s); want != "" {
		p.bad(path, "found %s; want %s", quoteValue(s), want)
	}
}

func (x *Extensions) decode(p *parser, path string, n *node) {
	if n.isScalar() && n.text == "any" {
		*x = Extensions{Any: true}
		return
	}
	if n.kind != listNode {
		p.wants(path, n, "any, or a list of extensions")
		return
	}
	texts, ok := p.texts(path, n, false)
	if !ok {
		return
	}
	for i, s := range texts {
		sub := path + "[" + strconv.Itoa(i) + "]"
		bare, dotted := strings.CutPrefix(s, ".")
		switch {
		case dotted && bare != "":
			p.hinted(sub, "write "+bare, "found %s; want an extension without its dot", quoteValue(s))
		case s == "" || strings.ContainsAny(s, "./*?[") || strings.ContainsFunc(s, isControl):
			p.bad(sub, "found %s; want an extension such as jpg", quoteValue(s))
		case slices.Contains(x.List, strings.ToLower(s)):
			p.bad(sub, "%s stands twice", quoteValue(s))
		}
		x.List = append(x.List, strings.ToLower(s))
	}
}

func (l *Pairs) decode(p *parser, path string, n *node) {
	if n.kind != mappingNode {
		p.wants(path, n, "a mapping of texts")
		return
	}
	*l = Pairs{}
	for _, q := range n.pairs {
		sub := subPath(path, q.key)
		if s, ok := p.text(sub, q.value, "a text"); ok {
			p.name(sub, q.at, q.key)
			*l = append(*l, Pair{q.key, s, sub})
		}
	}
}

// name checks a name that stands as a key.
func (p *parser) name(path string, at place, name string) {
	if _, want, _ := lineForm(name); want != "" {
		p.problem(Problem{Path: path, Line: at.line, Col: at.col, Text: "found the name " + quoteValue(name) + "; want " + want})
	}
}

func (l *Loads) decode(p *parser, path string, n *node) {
	if n.kind != mappingNode {
		p.wants(path, n, "a mapping of columns to files")
		return
	}
	*l = Loads{}
	for _, q := range n.pairs {
		sub := subPath(path, q.key)
		load := Loaded{Name: q.key}
		p.value(sub, q.value, reflect.ValueOf(&load).Elem(), "")
		p.name(sub, q.at, q.key)
		*l = append(*l, load)
	}
}

func (o *On) decode(p *parser, path string, n *node) {
	if n.kind != mappingNode {
		s, ok := p.text(path, n, "a column, or ours: theirs")
		if ok && s == "" {
			p.bad(path, `found ""; want a column`)
		}
		*o = On{s, s}
		return
	}
	if len(n.pairs) != 1 {
		p.bad(path, "found %d pairs; want one, ours: theirs", len(n.pairs))
		return
	}
	theirs, ok := p.text(subPath(path, n.pairs[0].key), n.pairs[0].value, "a column of the side table")
	*o = On{n.pairs[0].key, theirs}
	if ok && (o.Ours == "" || o.Theirs == "") {
		p.bad(path, "found an empty name; want the names of two columns")
	}
}
