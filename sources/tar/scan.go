package tar

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
	"tfr-build/sources/lines"
)

// A part is what is wanted of the members of one extension.
type part struct {
	ext     string
	content []int         // slots
	facts   []input.Bound // of an image, by what follows its extension
	paths   []input.Bound // of JSON
	json    *jsonl.Paths  // these, compiled
	number  bool          // white space around it is left out
}

// A layout is which columns are wanted.
type layout struct {
	in    *tarInput
	all   []input.Bound
	names []input.Bound // of the key
	parts []*part
	of    map[string]int // parts, by extension
}

// Bind finds what is wanted of which members.
func (in *tarInput) Bind(columns []input.Bound) (input.Layout, error) {
	l := &layout{in: in, all: columns, of: map[string]int{}}
	for _, c := range columns {
		l.bind(c)
	}
	limits := jsonl.Limits{Record: in.limits.Record, Depth: in.limits.Depth, Columns: in.limits.Columns}
	for _, p := range l.parts {
		if p.paths == nil {
			continue
		}
		var names []string
		var slots []int
		for _, c := range p.paths {
			names, slots = append(names, c.Name), append(slots, c.Slot)
		}
		var err error
		if p.json, err = jsonl.Compile(names, slots, limits); err != nil {
			return nil, &input.FitError{Path: in.Listing().Label, Text: p.ext + ": " + err.Error()}
		}
	}
	return l.scanner, nil
}

// bind notes a column. A member whose extension is all of its name goes before a path
// in JSON and the fact of an image.
func (l *layout) bind(c input.Bound) {
	switch c.Name {
	case keyColumn, stemColumn, classColumn:
		l.names = append(l.names, c)
		return
	}
	name := extensionOf(c.Name)
	p := l.part(name)
	p.content = append(p.content, c.Slot)
	if ext, fact, ok := cutFact(name); ok {
		p = l.part(ext)
		p.facts = append(p.facts, input.Bound{Name: fact, Slot: c.Slot})
	} else if ext, path, ok := cutPath(name); ok {
		p = l.part(ext)
		p.paths = append(p.paths, input.Bound{Name: path, Slot: c.Slot})
	}
}

func (l *layout) part(ext string) *part {
	i, there := l.of[ext]
	if !there {
		i = len(l.parts)
		l.of[ext] = i
		l.parts = append(l.parts, &part{ext: ext, number: slices.Contains(numbers, ext)})
	}
	return l.parts[i]
}

// A scanner reads rows where they stand, or in their text.
type scanner struct {
	*layout
	grouper grouper
	in      mapped
	json    []*jsonl.DocumentScanner // by part; nil where it has no paths
	images  []*images.Examiner       // by part; nil where it is none
	found   []found                  // by part
	exts    extensions
	texts   []byte
}

// A found is the member of a part in the row at hand.
type found struct {
	there   bool
	name    []byte
	content []byte
	at      int // of the content in the row
}

func (l *layout) scanner(facts *input.Facts, _ bool) input.Scanner {
	s := &scanner{layout: l, found: make([]found, len(l.parts))}
	s.grouper = grouper{limits: l.in.limits, visit: s.member}
	for _, p := range l.parts {
		var doc *jsonl.DocumentScanner
		if p.json != nil {
			doc = p.json.NewDocumentScanner()
		}
		s.json, s.images = append(s.json, doc), append(s.images, p.examiner(l.in.limits, facts))
	}
	return s
}

// examiner examines the images of the part; nil where they are none.
func (p *part) examiner(limits input.Limits, facts *input.Facts) *images.Examiner {
	if p.ext == "" || !isImage(p.ext) {
		return nil
	}
	var asked []string
	if len(p.content) > 0 {
		asked = append(asked, "")
	}
	for _, c := range p.facts {
		asked = append(asked, c.Name)
	}
	e := images.NewExaminer(nil, nil)
	e.Ask(p.ext, limits, facts, asked)
	return e
}

func (s *scanner) Close() {}

// Scan reads the row that data begins with: of a mapped archive all that follows, else
// just the text of the row.
func (s *scanner) Scan(file int, offset int64, data []byte, vals []schema.Value) (int, error) {
	listed := &s.layout.in.Listing().Files[file]
	s.in = mapped{data: data, base: offset}
	s.grouper.partial = s.layout.in.IsPacked(file) || offset+int64(len(data)) != listed.Size
	for i := range s.found {
		s.found[i].there = false
	}
	s.exts.reset()
	s.grouper.start(&s.in)
	r, err := s.grouper.next()
	if err != nil { // the end: memory has no other
		return 0, damaged(damage("no member begins here"))
	}
	if r.bad != nil {
		return int(r.size), r.bad
	}
	for _, c := range s.all {
		vals[c.Slot] = schema.Value{At: math.MaxUint32}
	}
	s.texts = s.texts[:0]
	if err := s.values(vals); err != nil {
		return int(r.size), err
	}
	for _, c := range s.names {
		vals[c.Slot] = s.name(c.Name)
	}
	return int(r.size), nil
}

// member notes a member of the row.
func (s *scanner) member(content []byte) *schema.RowError {
	m := &s.grouper.w.member
	if !s.exts.add(m.ext) {
		return refused("TAR_DUPLICATE", m.name, "is the second of its row with the extension "+schema.Quote(m.ext))
	}
	if i, wanted := s.of[string(m.ext)]; wanted {
		f := &s.found[i]
		*f = found{there: true, name: append(f.name[:0], m.name...), content: content, at: s.in.at - int(padded(m.size))}
	}
	return nil
}

// values sets the slots of what members hold, last those of whole members.
func (s *scanner) values(vals []schema.Value) error {
	for i := range s.found {
		if f, p := &s.found[i], s.parts[i]; f.there && p.json != nil {
			if err := s.document(s.json[i], f, p, vals); err != nil {
				return err
			}
		}
	}
	for i := range s.found {
		if f := &s.found[i]; f.there && s.images[i] != nil {
			if err := s.image(s.images[i], f, s.parts[i], vals); err != nil {
				return err
			}
		}
	}
	for i := range s.found {
		f, p := &s.found[i], s.parts[i]
		if !f.there || s.images[i] != nil {
			continue
		}
		content := f.content
		if p.number {
			content = bytes.TrimSpace(content)
		}
		for _, slot := range p.content {
			vals[slot] = schema.Value{Kind: schema.Text, Text: content, At: uint32(f.at)}
		}
	}
	return nil
}

// document sets the slots of paths in a member of JSON.
func (s *scanner) document(doc *jsonl.DocumentScanner, f *found, p *part, vals []schema.Value) error {
	var err error
	if utf8.Valid(f.content) {
		err = doc.Scan(f.content, vals)
	} else {
		at := lines.FirstInvalid(f.content)
		err = &schema.RowError{Code: "UTF8_INVALID", At: at, Message: "found " + schema.Quote(f.content[at:at+1]) + "; expected UTF-8"}
	}
	if bad, ok := err.(*schema.RowError); ok && bad.Column != "" {
		bad.Column = p.ext + "." + bad.Column
	}
	if err != nil {
		return input.OfMember(f.name, err)
	}
	for _, c := range p.paths {
		shift(&vals[c.Slot], uint32(f.at))
	}
	return nil
}

// shift makes the offsets of a value and of all inside it those in a row.
func shift(v *schema.Value, by uint32) {
	v.At += by
	for i := range v.List {
		shift(&v.List[i], by)
	}
}

// image sets the slots of an image and of its facts.
func (s *scanner) image(e *images.Examiner, f *found, p *part, vals []schema.Value) error {
	picture, err := e.Examine(f.content, string(f.name))
	if err != nil {
		return input.OfMember(f.name, err)
	}
	for _, c := range p.facts {
		s.texts, vals[c.Slot] = picture.AppendColumn(s.texts, c.Name)
	}
	for _, slot := range p.content {
		_, vals[slot] = picture.AppendColumn(nil, "")
	}
	return nil
}

// name is a column of the row's key.
func (s *scanner) name(column string) schema.Value {
	text := s.grouper.key
	switch column {
	case stemColumn:
		text = text[bytes.LastIndexByte(text, '/')+1:]
	case classColumn:
		end := bytes.IndexByte(text, '/')
		if end < 0 {
			return schema.Value{}
		}
		text = text[:end]
	}
	return schema.Value{Kind: schema.Text, Text: text, At: math.MaxUint32}
}

// Extensions are those of a row's members, to find one that is there twice.
type extensions struct {
	few  [][]byte
	n    int
	many map[string]bool // nil while there are few
}

// fewExtensions is how many are compared with one another.
const fewExtensions = 16

func (x *extensions) reset() { x.n, x.many = 0, nil }

// add adds an extension; it reports whether it is a new one.
func (x *extensions) add(ext []byte) bool {
	if x.many != nil {
		if x.many[string(ext)] {
			return false
		}
		x.many[string(ext)] = true
		return true
	}
	for i := range x.n {
		if bytes.Equal(x.few[i], ext) {
			return false
		}
	}
	if x.n == len(x.few) {
		x.few = append(x.few, nil)
	}
	x.few[x.n] = append(x.few[x.n][:0], ext...)
	if x.n++; x.n == fewExtensions {
		x.many = make(map[string]bool, 2*fewExtensions)
		for _, e := range x.few {
			x.many[string(e)] = true
		}
	}
	return true
}
