package config

import "slices"

// A node is a value of the config: a scalar, a list, or a mapping. Its variables are expanded, and
// its aliases and merge keys are replaced by their values.
type node struct {
	kind     nodeKind
	text     string // of a scalar
	quoted   bool   // a scalar that is a string, even if it looks like a number
	invalid  bool   // a scalar whose problem is already reported
	isBlock  bool   // a block scalar, with lines below its key
	verbatim bool   // a scalar without variables: the config contains its text
	list     []*node
	strings  []string // instead of list: a list of strings, for the canonical text
	pairs    []pair
	position
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
	at    position
	value *node
}

func (n *node) isScalar() bool { return n.kind == scalarNode }

func (n *node) isNull() bool {
	return n.isScalar() && !n.quoted && nullSpelling.MatchString(n.text)
}

// describe returns a description of n for a message.
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

// stringNode returns a scalar that is a string, for the canonical text.
func stringNode(s string) *node { return &node{kind: scalarNode, text: s, quoted: true} }

// plainNode returns a scalar whose type follows from its characters.
func plainNode(s string) *node { return &node{kind: scalarNode, text: s} }

// asMapping returns a mapping with n as the value of one key. It expands a shorthand.
func (n *node) asMapping(key string) *node {
	return &node{kind: mappingNode, pairs: []pair{{key, n.position, n}}, position: n.position}
}

// add appends a key to a mapping.
func (n *node) add(key string, value *node) {
	n.pairs = append(n.pairs, pair{key: key, value: value})
}

// hasKey reports whether a mapping has a key.
func (n *node) hasKey(key string) bool {
	return slices.ContainsFunc(n.pairs, func(q pair) bool { return q.key == key })
}

func (n *node) lacksKey(key string) bool { return !n.hasKey(key) }
