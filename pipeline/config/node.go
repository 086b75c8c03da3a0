package config

import "slices"

// A node is a value of the text: a scalar, a list or a mapping. Variables are
// expanded, aliases followed, and merge keys laid under their mapping.
type node struct {
	kind     nodeKind
	text     string // of a scalar
	quoted   bool   // a scalar that is a text, whatever its characters
	faulty   bool   // a scalar whose fault is already told
	isBlock  bool   // a scalar of lines below its key
	verbatim bool   // a scalar without variables: its text stands in the config
	list     []*node
	texts    []string // instead of list: one of texts, of the canonical form
	pairs    []pair
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

func (n *node) isScalar() bool { return n.kind == scalarNode }

func (n *node) isNull() bool {
	return n.isScalar() && !n.quoted && nullSpelling.MatchString(n.text)
}

// describe says in words what n is.
func (n *node) describe() string {
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

// plainNode is a scalar whose type follows from its characters.
func plainNode(s string) *node { return &node{kind: scalarNode, text: s} }

// under is a mapping with one key, for a shorthand of that mapping.
func (n *node) under(key string) *node {
	return &node{kind: mappingNode, pairs: []pair{{key, n.place, n}}, place: n.place}
}

// listOf is a list of texts; nil where there is none.
func listOf(texts []string) *node {
	if texts == nil {
		return nil
	}
	return &node{kind: listNode, texts: texts}
}

// entries makes a mapping of values; nil where there are none.
func entries[T any](values []T, entry func(T) (key string, value *node)) *node {
	if len(values) == 0 {
		return nil
	}
	n := &node{kind: mappingNode}
	for _, v := range values {
		n.add(entry(v))
	}
	return n
}

// add appends a key to a mapping.
func (n *node) add(key string, value *node) {
	n.pairs = append(n.pairs, pair{key: key, value: value})
}

// has reports whether a mapping has a key.
func (n *node) has(key string) bool {
	return slices.ContainsFunc(n.pairs, func(q pair) bool { return q.key == key })
}
