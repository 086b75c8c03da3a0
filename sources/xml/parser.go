package xml

import (
	"bytes"
	"encoding/xml"
	"io"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A parser reads the values of columns from one document after the other. It may be used by one
// goroutine.
type parser struct {
	paths  *paths
	limits input.Limits
	trim   bool
	inRow  bool // data begins with an element, and elements around it may declare prefixes

	rooted bool // the first element was found
	size   int  // of the document or the element
	data   []byte
	vals   []schema.Value
	open   []opened // elements, outermost first; the first one is around the root
	active []active // nodes of the open elements
	counts []int    // elements that were found for the edges of the active nodes
	buffer []byte   // strings that are not in the document as they are
	lists  input.RowLists
	names  []string
}

// An opened is an open element.
type opened struct {
	name   string
	at     int // offset of its tag
	active int // its nodes are active[active:]
	counts int // the counts of these nodes are counts[counts:]

	wanted bool // its text is a value
	text   []byte
	textAt int  // offset of the text
	copied bool // the text is in the buffer
}

// An active is a node to which an open element belongs.
type active struct {
	node    *node
	counts  int // index of the count of the first edge
	ordinal int // number of the element in the list of its name, from 1; 0 without a list
}

func newParser(p *paths, limits input.Limits, trim bool) *parser {
	return &parser{paths: p, limits: limits, trim: trim, lists: input.NewRowLists(p.columns, limits.Record)}
}

// parse reads the values of the document in data, which is UTF-8, or of the element that data begins with. They are
// valid until the next call, and as long as data is.
func (p *parser) parse(data []byte, vals []schema.Value) error {
	p.reset(data, vals)
	t := newTokens(data, p.limits.Columns, p.names)
	t.inRow = p.inRow
	defer func() { p.names = t.names }()
	p.push("", 0)
	p.enter(p.paths.root, 0)
	for !p.inRow || !p.rooted || len(p.open) > 1 {
		at := t.at()
		token, err := t.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = p.take(token, at, t.at())
		}
		if err != nil {
			return err
		}
	}
	p.size = t.at()
	switch {
	case len(p.open) > 1:
		return rowError("XML_SYNTAX", len(data), "found the end of the file; expected </%s>; the file may be cut short",
			p.top().name)
	case !p.rooted:
		return noElement(len(data))
	}
	return p.lists.Err()
}

// take takes the next token, data[at:end].
func (p *parser) take(token xml.Token, at, end int) error {
	switch token := token.(type) {
	case xml.StartElement:
		if len(p.open) == 1 && p.rooted {
			return rowError("XML_SYNTAX", at, "found a second element <%s>; expected the end of the document after "+
				"the first", written(token.Name))
		}
		p.rooted = true
		return p.begin(token, at)
	case xml.EndElement:
		return p.end(written(token.Name), at)
	case xml.CharData:
		return p.addText(token, at, end)
	case xml.Directive:
		if p.rooted {
			return rowError("XML_SYNTAX", at, "found a DOCTYPE; expected it before the first element")
		}
	}
	return nil
}

func noElement(at int) *schema.RowError {
	return rowError("XML_SYNTAX", at, "found the end of the file; expected an element")
}

func (p *parser) reset(data []byte, vals []schema.Value) {
	p.data, p.vals = data, vals
	p.open, p.active = input.Reuse(p.open), input.Reuse(p.active)
	p.counts, p.buffer = input.Reuse(p.counts), input.Reuse(p.buffer)
	p.lists.Reset()
	p.rooted = false
	for _, c := range p.paths.columns {
		vals[c.Slot] = schema.Value{}
	}
}

func (p *parser) top() *opened { return &p.open[len(p.open)-1] }

func (p *parser) push(name string, at int) {
	p.open = append(p.open, opened{name: name, at: at, active: len(p.active), counts: len(p.counts)})
}

// enter makes a node one of the innermost element.
func (p *parser) enter(n *node, ordinal int) {
	p.active = append(p.active, active{n, len(p.counts), ordinal})
	for i := range n.edges {
		p.counts = append(p.counts, 0)
		if n.edges[i].index == each {
			p.lists.Open(n.edges[i].to.below)
		}
	}
	top := p.top()
	top.wanted = top.wanted || len(n.texts) > 0
}

// begin opens an element.
func (p *parser) begin(token xml.StartElement, at int) error {
	if len(p.open) > p.limits.Depth {
		return rowError("LIMIT_DEPTH", at, "nested more than limits.depth, %d", p.limits.Depth)
	}
	around := *p.top()
	if around.wanted {
		bad := rowError("TYPE", at, "the element <%s> has the element <%s>; expected only text", around.name,
			written(token.Name))
		bad.Column = p.textColumn(&around)
		return bad
	}
	p.push(written(token.Name), at)
	for i := around.active; i < p.top().active; i++ {
		if err := p.follow(p.active[i], at); err != nil {
			return err
		}
	}
	for i := range p.active[p.top().active:] {
		n := p.active[p.top().active+i].node
		for _, a := range n.attributes {
			p.addAttribute(a, token.Attr, at)
		}
	}
	return nil
}

// textColumn returns the name of the first column whose value is the text of an element.
func (p *parser) textColumn(o *opened) string {
	for _, a := range p.active[o.active:] {
		if len(a.node.texts) > 0 {
			return p.paths.columns[a.node.texts[0]].Name
		}
	}
	return ""
}

// follow enters the nodes to which edges of a node of its parent lead from the innermost element.
func (p *parser) follow(from active, at int) error {
	name := p.top().name
	for _, i := range from.node.named[name] {
		e := &from.node.edges[i]
		n := p.counts[from.counts+i]
		p.counts[from.counts+i]++
		switch {
		case e.index == only && n > 0:
			bad := rowError("TYPE", at, "found a second element <%s>; expected one; %s.* has all of them", name, name)
			bad.Column = p.paths.columns[e.to.below[0]].Name
			return bad
		case e.index == each:
			p.lists.Count(e.to.below, at, n, func() int { return bytes.Count(p.data[at:], []byte("<"+e.name)) })
			p.enter(e.to, n+1)
		case e.index == only, e.index == n:
			p.enter(e.to, 0)
		}
	}
	return nil
}

// addAttribute delivers the value of an attribute, if the element has it.
func (p *parser) addAttribute(a attribute, list []xml.Attr, at int) {
	for i := range list {
		if written(list[i].Name) == a.name {
			from := len(p.buffer)
			p.buffer = append(p.buffer, list[i].Value...)
			p.deliver(a.column, schema.Value{Kind: schema.Text, Text: p.buffer[from:len(p.buffer):len(p.buffer)],
				At: uint32(at)})
		}
	}
}

// addText adds to the text of the innermost element. The token is data[at:end], unless it has
// references.
func (p *parser) addText(token xml.CharData, at, end int) error {
	top := p.top()
	switch {
	case len(p.open) == 1:
		written := p.data[at:end]
		if text := bytes.TrimLeft(written, space); len(text) > 0 {
			return rowError("XML_SYNTAX", at+len(written)-len(text),
				"found characters outside the elements; expected an element or the end of the document")
		}
	case !top.wanted || len(token) == 0:
	case len(top.text) == 0 && bytes.Equal(token, p.data[at:end]): // no references: not copied
		top.text, top.textAt = p.data[at:end:end], at
	default:
		if len(top.text) == 0 {
			top.textAt = at
		}
		if !top.copied {
			from := len(p.buffer)
			p.buffer = append(p.buffer, top.text...)
			top.text, top.copied = p.buffer[from:], true
		}
		p.buffer = append(p.buffer, token...)
		top.text = p.buffer[len(p.buffer)-len(top.text)-len(token):] // append may have moved it
	}
	return nil
}

// space is the white space of XML.
const space = " \t\r\n"

// end closes the innermost element.
func (p *parser) end(name string, at int) error {
	top := p.top()
	if len(p.open) == 1 {
		return rowError("XML_SYNTAX", at, "found </%s>; expected an element", name)
	}
	if name != top.name {
		return rowError("XML_SYNTAX", at, "found </%s>; expected </%s>", name, top.name)
	}
	if top.wanted {
		p.deliverText(top)
	}
	for _, a := range p.active[top.active:] {
		for i := range a.node.edges {
			if a.node.edges[i].index == each {
				for _, c := range a.node.edges[i].to.below {
					p.deliver(c, p.lists.Close(c, top.at))
				}
			}
		}
		if a.ordinal > 0 {
			p.lists.FillMissing(a.node.below, top.at, a.ordinal)
		}
	}
	p.active, p.counts = p.active[:top.active], p.counts[:top.counts]
	p.open = p.open[:len(p.open)-1]
	return nil
}

// deliverText delivers the text of an element.
func (p *parser) deliverText(o *opened) {
	v := schema.Value{Kind: schema.Text, Text: o.text, At: uint32(o.at)}
	if len(o.text) > 0 {
		v.At = uint32(o.textAt)
	}
	if p.trim {
		text := bytes.TrimLeft(v.Text, space)
		v.At += uint32(len(v.Text) - len(text))
		v.Text = bytes.TrimRight(text, space)
	}
	for _, a := range p.active[o.active:] {
		for _, column := range a.node.texts {
			p.deliver(column, v)
		}
	}
}
