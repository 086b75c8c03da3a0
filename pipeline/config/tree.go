package config

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

const (
	maxAliases = 100
	maxNodes   = 1_000_000 // with aliases followed, which can expand to any size
)

// parseTree returns the nodes of src, with the variables of env; nil if src is not a single
// document.
func parseTree(f *collector, env func(string) (string, bool), src []byte) *node {
	if !checkPlainText(f, src) {
		return nil
	}
	var doc, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(src))
	err := decoder.Decode(&doc)
	if errors.Is(err, io.EOF) || err == nil && isEmptyDocument(&doc) {
		f.reportAt(position{1, 1}, "", "name, output, source and features describe a dataset", "the config is empty")
		return nil
	}
	if err == nil {
		err = decoder.Decode(&second)
	}
	switch {
	case err == nil:
		f.reportAt(positionOf(&second), "", "remove the ---, or make a file of each",
			"found a second document; expected one")
		return nil
	case !errors.Is(err, io.EOF):
		reportSyntax(f, src, err)
		return nil
	}
	// The size is checked before anything is built: ten lines of aliases to aliases can expand to
	// more nodes than memory holds.
	b := builder{variables: variables{f, env}, sizes: map[*yaml.Node]int{}, built: map[*yaml.Node]*node{}}
	if !b.checkSize(&doc) {
		return nil
	}
	return b.build(doc.Content[0])
}

func positionOf(n *yaml.Node) position { return position{n.Line, n.Column} }

func isEmptyDocument(doc *yaml.Node) bool {
	n := doc.Content[0]
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0
}

// parses reports whether text is correct YAML.
func parses(text string) bool { return yaml.Unmarshal([]byte(text), new(yaml.Node)) == nil }

// NumberedNames returns the key names of a document in YAML, such as YOLO's data.yaml: a list, or a map whose keys are
// 0, 1, and so on. A number that the map skips has an empty name. It returns none for other documents.
func NumberedNames(text []byte) (names []string) {
	const mostSkipped = 1000
	var doc struct{ Names yaml.Node }
	if yaml.Unmarshal(text, &doc) != nil {
		return nil
	}
	for i, n := range doc.Names.Content {
		if doc.Names.Kind != yaml.MappingNode || i%2 > 0 {
			names = append(names, n.Value)
			continue
		}
		at, err := strconv.Atoi(n.Value)
		if err != nil || at < len(names) || at > len(names)+mostSkipped {
			return nil
		}
		names = append(names, make([]string, at-len(names))...)
	}
	return names
}

// A builder makes nodes of the parser's tree.
type builder struct {
	variables
	aliases int
	sizes   map[*yaml.Node]int // number of nodes with aliases followed; 0 while it is being counted
	built   map[*yaml.Node]*node
}

// checkSize reports whether the tree below n is small enough, and has no cycle.
func (b *builder) checkSize(n *yaml.Node) bool {
	ok := b.countNodes(n) <= maxNodes && b.aliases <= maxAliases
	switch {
	case ok || len(b.list) > 0:
	case b.aliases == 0:
		b.reportAt(position{1, 1}, "", "", "found more than %d nodes of YAML", maxNodes)
	default:
		b.reportAt(position{1, 1}, "", "", "the aliases of the config repeat too much")
	}
	return ok && len(b.list) == 0
}

func (b *builder) countNodes(n *yaml.Node) int {
	if size, seen := b.sizes[n]; seen {
		return size
	}
	b.sizes[n] = 0
	size := 1
	if n.Kind == yaml.AliasNode {
		size = b.countAlias(n)
	}
	for _, child := range n.Content {
		size = min(size+b.countNodes(child), maxNodes+1)
	}
	b.sizes[n] = size
	return size
}

func (b *builder) countAlias(n *yaml.Node) int {
	if b.aliases++; b.aliases == maxAliases+1 {
		b.reportAt(positionOf(n), "", "", "more than %d aliases", maxAliases)
	}
	size := b.countNodes(n.Alias)
	if size == 0 {
		b.reportAt(positionOf(n), "", "", "the alias *%s is inside the value that it names", n.Value)
	}
	return size
}

// build returns the node of n. A node that several aliases share is built once.
func (b *builder) build(n *yaml.Node) *node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if m := b.built[n]; m != nil {
		return m
	}
	m := &node{position: positionOf(n)}
	b.built[n] = m // built twice, a problem of a variable in it would be reported twice
	tagged := b.checkTag(n)
	switch n.Kind {
	case yaml.SequenceNode:
		m.kind = listNode
		for _, child := range n.Content {
			m.list = append(m.list, b.build(child))
		}
	case yaml.MappingNode:
		m.kind = mappingNode
		b.buildMapping(m, n)
	default:
		m.kind = scalarNode
		m.quoted = n.Style&^yaml.TaggedStyle != 0 || n.Style == yaml.TaggedStyle && n.Tag == "!!str"
		m.text, m.invalid = b.expand(m.position, n.Value)
		m.invalid = m.invalid || !tagged
		m.isBlock, m.verbatim = n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0, m.text == n.Value
	}
	return m
}

// checkTag reports an explicit tag that changes the type of n, and returns false.
func (b *builder) checkTag(n *yaml.Node) bool {
	if n.Style&yaml.TaggedStyle == 0 {
		return true
	}
	fits := map[yaml.Kind]string{yaml.ScalarNode: "!!str", yaml.SequenceNode: "!!seq",
		yaml.MappingNode: "!!map"}[n.Kind]
	if n.Tag == fits {
		return true
	}
	hint := ""
	if strings.ContainsAny(n.Tag, "()") { // an expression such as !missing(x)
		hint = "quote the value"
	}
	b.reportAt(positionOf(n), "", hint, "the tag %s is not part of a config", quoteValue(n.Tag))
	return false
}

// buildMapping adds the pairs of n to m, and then the pairs of its merge key that m does not have.
func (b *builder) buildMapping(m *node, n *yaml.Node) {
	first := map[string]position{}
	var merged []*node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		at := positionOf(key)
		name, ok := b.keyText(key)
		if !ok {
			continue
		}
		if before, duplicate := first[name]; duplicate {
			b.reportAt(at, "", "", "duplicate key %s; the first is on line %d", quoteValue(name), before.line)
			continue
		}
		first[name] = at
		value := b.build(n.Content[i+1])
		if key.Kind == yaml.ScalarNode && key.Tag == "!!merge" { // a quoted "<<" is an ordinary name
			merged = b.mergedMappings(value)
			continue
		}
		m.pairs = append(m.pairs, pair{name, at, value})
	}
	for _, from := range merged {
		for _, q := range from.pairs {
			if _, have := first[q.key]; !have {
				first[q.key] = q.at
				m.pairs = append(m.pairs, q)
			}
		}
	}
}

// keyText returns the text of a key.
func (b *builder) keyText(n *yaml.Node) (string, bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	m := b.build(n)
	switch {
	case !m.isScalar():
		b.reportAt(m.position, "", "quote the value", "found %s as a key; expected a string", m.describe())
	case m.isNull():
		b.reportAt(m.position, "", "quote it", "an empty key")
	default:
		return m.text, true
	}
	return "", false
}

// mergedMappings returns the mappings that a merge key names.
func (b *builder) mergedMappings(value *node) []*node {
	all := []*node{value}
	if value.kind == listNode {
		all = value.list
	}
	for _, m := range all {
		if m.kind != mappingNode {
			b.reportAt(m.position, "", "", "found %s after <<; expected a mapping, or a list of mappings", m.describe())
			return nil
		}
	}
	return all
}

// constant returns the value of YAML text that is part of the code.
func constant(text string) (v any) {
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		panic("config: " + text + ": " + err.Error())
	}
	return v
}
