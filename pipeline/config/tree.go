package config

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

const (
	maxAliases = 100
	maxNodes   = 1_000_000 // aliases followed; what a mapping of aliases to aliases can grow to
)

// tree makes nodes of src, with the variables of env; nil where the text is not a
// single document.
func tree(f *faults, env func(string) (string, bool), src []byte) *node {
	if !plainText(f, src) {
		return nil
	}
	var doc, second yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(src))
	err := decoder.Decode(&doc)
	if errors.Is(err, io.EOF) || err == nil && saysNothing(&doc) {
		f.add(Problem{Line: 1, Col: 1, Text: "the config is empty", Hint: "name, output, source and features describe a dataset"})
		return nil
	}
	if err == nil {
		err = decoder.Decode(&second)
	}
	switch {
	case err == nil:
		f.add(Problem{Line: second.Line, Col: second.Column, Text: "found a second document; expected one", Hint: "remove the ---, or make a file of each"})
		return nil
	case !errors.Is(err, io.EOF):
		syntax(f, src, err)
		return nil
	}
	// Sizes are counted before anything is built: ten lines of aliases to aliases
	// can stand for more nodes than there is memory.
	b := builder{variables: variables{f, env}, sizes: map[*yaml.Node]int{}, built: map[*yaml.Node]*node{}}
	if !b.bounded(&doc) {
		return nil
	}
	return b.build(doc.Content[0])
}

func saysNothing(doc *yaml.Node) bool {
	n := doc.Content[0]
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0
}

var (
	parserLine    = regexp.MustCompile(`^line (\d+): `)
	unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
)

// syntax reports what the parser says, with the line that it names; it names
// none for the first.
func syntax(f *faults, src []byte, err error) {
	q := Problem{Line: 1, Text: strings.TrimPrefix(err.Error(), "yaml: ")}
	lines := strings.Split(string(src), "\n")
	if m := parserLine.FindStringSubmatch(q.Text); m != nil {
		q.Line, _ = strconv.Atoi(m[1])
		q.Text = q.Text[len(m[0]):]
	} else if m := unknownAnchor.FindStringSubmatch(q.Text); m != nil {
		for i, line := range lines {
			if j := strings.Index(line, "*"+m[1]); j >= 0 {
				q.Line = i + 1
				break
			}
		}
	}
	// The parser names the line of what it was reading or the one before.
	tooDeep := strings.HasPrefix(q.Text, "exceeded") // to quote a value would not help
	for i := q.Line; i <= q.Line+1 && i <= len(lines) && q.Hint == "" && !tooDeep; i++ {
		q.Hint = syntaxHint(lines[i-1])
	}
	f.add(q)
}

func syntaxHint(line string) string {
	switch {
	case strings.HasPrefix(strings.TrimLeft(line, " "), "\t"):
		return "indent with spaces, not tabs"
	case strings.ContainsAny(line, "{}[]*%@`") || strings.Count(line, ":") > 1:
		return "quote the value"
	}
	return ""
}

// A builder makes nodes of the parser's tree.
type builder struct {
	variables
	aliases int
	sizes   map[*yaml.Node]int // with aliases followed; 0 while it is counted
	built   map[*yaml.Node]*node
}

// bounded reports whether the tree below n has an end that can be reached.
func (b *builder) bounded(n *yaml.Node) bool {
	ok := b.size(n) <= maxNodes && b.aliases <= maxAliases
	if !ok && len(b.list) == 0 {
		b.add(Problem{Line: 1, Col: 1, Text: "the aliases of the config repeat too much"})
	}
	return ok && len(b.list) == 0
}

func (b *builder) size(n *yaml.Node) int {
	if size, seen := b.sizes[n]; seen {
		return size
	}
	b.sizes[n] = 0
	size := 1
	if n.Kind == yaml.AliasNode {
		size = b.aliasSize(n)
	}
	for _, child := range n.Content {
		size = min(size+b.size(child), maxNodes+1)
	}
	b.sizes[n] = size
	return size
}

func (b *builder) aliasSize(n *yaml.Node) int {
	if b.aliases++; b.aliases == maxAliases+1 {
		b.add(Problem{Line: n.Line, Col: n.Column, Text: "more than " + strconv.Itoa(maxAliases) + " aliases"})
	}
	size := b.size(n.Alias)
	if size == 0 {
		b.add(Problem{Line: n.Line, Col: n.Column, Text: "the alias *" + n.Value + " is inside the value that it names"})
	}
	return size
}

// build makes a node of n. What aliases share is built once.
func (b *builder) build(n *yaml.Node) *node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if m := b.built[n]; m != nil {
		return m
	}
	m := &node{place: place{n.Line, n.Column}}
	b.built[n] = m // built again, a fault of a variable in it would be told again
	b.tag(n)
	switch n.Kind {
	case yaml.SequenceNode:
		m.kind = listNode
		for _, child := range n.Content {
			m.list = append(m.list, b.build(child))
		}
	case yaml.MappingNode:
		m.kind = mappingNode
		b.mapping(m, n)
	default:
		m.kind = scalarNode
		m.quoted = n.Style&^yaml.TaggedStyle != 0 || n.Style == yaml.TaggedStyle && n.Tag == "!!str"
		m.text, m.faulty = b.expand(m.place, n.Value)
		m.isBlock, m.verbatim = n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0, m.text == n.Value
	}
	return m
}

// tag refuses explicit tags that say anything but what n is anyway.
func (b *builder) tag(n *yaml.Node) {
	if n.Style&yaml.TaggedStyle == 0 {
		return
	}
	fits := map[yaml.Kind]string{yaml.ScalarNode: "!!str", yaml.SequenceNode: "!!seq", yaml.MappingNode: "!!map"}[n.Kind]
	if n.Tag != fits {
		hint := ""
		if strings.ContainsAny(n.Tag, "()") { // of an expression such as !missing(x)
			hint = "quote the value"
		}
		b.add(Problem{Line: n.Line, Col: n.Column, Text: "the tag " + quoteValue(n.Tag) + " is not part of a config", Hint: hint})
	}
}

// mapping lays the pairs of n into m, and what its merge key names around them.
func (b *builder) mapping(m *node, n *yaml.Node) {
	first := map[string]place{}
	var merged []*node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		at := place{key.Line, key.Column}
		name, ok := b.key(key)
		if !ok {
			continue
		}
		if before, duplicate := first[name]; duplicate {
			b.add(Problem{Line: at.line, Col: at.col, Text: "duplicate key " + quoteValue(name) + "; the first is on line " + strconv.Itoa(before.line)})
			continue
		}
		first[name] = at
		value := b.build(n.Content[i+1])
		if key.Kind == yaml.ScalarNode && key.Tag == "!!merge" { // not a quoted "<<", which is a name
			merged = b.merge(value)
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

// key is the text of a key.
func (b *builder) key(n *yaml.Node) (string, bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	m := b.build(n)
	switch {
	case !m.isScalar():
		b.add(Problem{Line: n.Line, Col: n.Column, Text: "found " + m.describe() + " as a key; expected a text", Hint: "quote the value"})
	case m.isNull():
		b.add(Problem{Line: n.Line, Col: n.Column, Text: "a key without a text", Hint: "quote it"})
	default:
		return m.text, true
	}
	return "", false
}

// merge lists the mappings that a merge key names.
func (b *builder) merge(value *node) []*node {
	all := []*node{value}
	if value.kind == listNode {
		all = value.list
	}
	for _, m := range all {
		if m.kind != mappingNode {
			b.add(Problem{Line: m.line, Col: m.col, Text: "found " + m.describe() + " after <<; expected a mapping, or a list of mappings"})
			return nil
		}
	}
	return all
}

// constant returns the value of YAML that is part of the code.
func constant(text string) (v any) {
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		panic("config: " + text + ": " + err.Error())
	}
	return v
}
