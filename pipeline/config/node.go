package config

import (
	"regexp"
	"slices"
	"strings"
)

// A node is a value of the text: a scalar, a list or a mapping. Variables are
// expanded, aliases followed, and merge keys laid under their mapping.
type node struct {
	kind   nodeKind
	text   string // of a scalar
	quoted bool   // a scalar that is a text whatever it looks like
	faulty bool   // a scalar whose fault is already told
	list   []*node
	pairs  []pair
	place
}

type nodeKind uint8

const (
	scalarNode nodeKind = iota + 1
	listNode
	mappingNode
)

// A pair is a key of a mapping and its value.
type pair struct {
	key   string
	at    place
	value *node
}

var (
	wholeNumber  = regexp.MustCompile(`^[-+]?(0|[1-9][0-9]*)$`)
	leadingZero  = regexp.MustCompile(`^[-+]?0[0-9_]+$`)
	otherNumber  = regexp.MustCompile(`^[-+]?(0[xob][0-9a-fA-F_]+|[0-9][0-9_]*_[0-9_]*)$`)
	floatNumber  = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	yamlNan      = regexp.MustCompile(`^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
	oldBool      = regexp.MustCompile(`^(?i:y|yes|n|no|on|off|true|false)$`)
	nullSpelling = regexp.MustCompile(`^(|~|null|Null|NULL)$`)
)

func (n *node) isScalar() bool { return n.kind == scalarNode }

func (n *node) isNull() bool {
	return n.isScalar() && !n.quoted && nullSpelling.MatchString(n.text)
}

// looks says in words what n is.
func (n *node) looks() string {
	switch {
	case n.kind == listNode && n.list == nil:
		return "an empty list"
	case n.kind == listNode:
		return "a list"
	case n.kind == mappingNode && n.pairs == nil:
		return "an empty mapping"
	case n.kind == mappingNode:
		return "a mapping"
	case n.isNull():
		return "nothing"
	}
	return quoteValue(n.text)
}

// textNode is a scalar that is a text, for the canonical form.
func textNode(s string) *node { return &node{kind: scalarNode, text: s, quoted: true} }

// plainNode is a scalar that is typed by what it looks like.
func plainNode(s string) *node { return &node{kind: scalarNode, text: s} }

func listOf(texts []string) *node {
	n := &node{kind: listNode}
	for _, s := range texts {
		n.list = append(n.list, textNode(s))
	}
	return n
}

// add appends a key to a mapping.
func (n *node) add(key string, value *node) {
	n.pairs = append(n.pairs, pair{key: key, value: value})
}

// subPath is the path of key below path. A key with a dot or a bracket in it
// is quoted.
func subPath(path, key string) string {
	switch {
	case key == "" || strings.ContainsAny(key, ".[]\"\\ \t\r\n:"):
		return path + "[" + quoteValue(key) + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

// has reports whether a mapping has a key.
func (n *node) has(key string) bool {
	return slices.ContainsFunc(n.pairs, func(q pair) bool { return q.key == key })
}
