package tar

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"

	"tfr-build/internal/tarfile"
	"tfr-build/pixels/convert"
	"tfr-build/pixels/geometry"
	"tfr-build/schema"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
)

// An extColumns has the requested columns of members with one extension.
type extColumns struct {
	ext        string
	content    []int         // slots of members that are not images
	ofImage    []input.Bound // each Name is the rest after the extension
	paths      []input.Bound // of JSON
	json       *jsonl.Paths  // the compiled paths
	transforms bool          // coordinates move to the image
	number     bool          // the white space around the content is removed
}

// A layout has the requested columns.
type layout struct {
	in         *tarInput
	all        []input.Bound
	names      []input.Bound // columns of the key
	extColumns []*extColumns
	byExt      map[string]int // indexes of extColumns, by extension
}

// Bind finds the members of the requested columns.
func (in *tarInput) Bind(columns []input.Bound) (input.Layout, error) {
	columns, transforms := input.CutTransforms(columns)
	l := &layout{in: in, all: columns, byExt: map[string]int{}}
	for _, ext := range transforms {
		l.columnsOf(ext).transforms = true
	}
	for _, c := range columns {
		l.bind(c)
	}
	for _, p := range l.extColumns {
		if p.paths == nil {
			continue
		}
		var err error
		if p.json, err = jsonl.Compile(p.paths, jsonl.Limits{Limits: in.limits}); err != nil {
			return nil, &input.MismatchError{Path: in.Listing().Label, Text: p.ext + ": " + err.Error()}
		}
	}
	return l.scanner, nil
}

// bind adds a column. A member whose complete extension is the column has priority over a path in
// JSON and the metadata of an image.
func (l *layout) bind(c input.Bound) {
	switch c.Name {
	case keyColumn, stemColumn, classColumn:
		l.names = append(l.names, c)
		return
	}
	name := extensionOf(c.Name)
	p := l.columnsOf(name)
	if p.isImage() {
		p.ofImage = append(p.ofImage, input.Bound{Slot: c.Slot})
	} else {
		p.content = append(p.content, c.Slot)
	}
	if ext, fact, ok := l.in.options.cutFact(name); ok {
		p = l.columnsOf(ext)
		p.ofImage = append(p.ofImage, input.Bound{Name: fact, Slot: c.Slot})
	} else if ext, path, ok := cutPath(name); ok {
		p = l.columnsOf(ext)
		p.paths = append(p.paths, input.Bound{Name: path, Slot: c.Slot})
	}
}

func (l *layout) columnsOf(ext string) *extColumns {
	i, ok := l.byExt[ext]
	if !ok {
		i = len(l.extColumns)
		l.byExt[ext] = i
		l.extColumns = append(l.extColumns, &extColumns{ext: ext, number: slices.Contains(numbers, ext)})
	}
	return l.extColumns[i]
}

// A scanner reads rows at their offsets, or from their text.
type scanner struct {
	*layout
	grouper tarfile.Grouper
	in      tarfile.Mapped
	json    []*jsonl.Scanner // by extension; nil if it has no paths
	images  []images.Filler  // by extension; without an Examiner if it is not an image
	found   []found          // by extension
	exts    map[string]bool  // of all members of the row
}

// A found is the member with an extension in the current row.
type found struct {
	present bool
	name    []byte
	content []byte
	at      int // offset of the content in the row
}

func (l *layout) scanner(observed *input.Observations, namesOnly bool) input.Scanner {
	s := &scanner{layout: l, found: make([]found, len(l.extColumns)), exts: map[string]bool{}}
	s.grouper = newGrouper(l.in.limits)
	s.grouper.Visit = s.addMember
	for _, p := range l.extColumns {
		var doc *jsonl.Scanner
		if p.json != nil {
			doc = p.json.NewScanner()
		}
		of := images.Filler{}
		if p.isImage() {
			e := images.NewExaminer(nil, l.in.options.conversion(p.ext))
			of = images.NewFiller(e, p.ext, p.ofImage, l.in.limits, observed, namesOnly)
		}
		s.json, s.images = append(s.json, doc), append(s.images, of)
	}
	return s
}

// isImage reports whether the members are images.
func (p *extColumns) isImage() bool { return p.ext != "" && isImage(p.ext) }

// Transform implements [images.Transformer].
func (s *scanner) Transform(ext string) *geometry.Transform {
	i := s.byExt[ext]
	if !s.found[i].present {
		return nil
	}
	return s.images[i].Transform(ext)
}

// KeepFiles implements [input.Converter].
func (s *scanner) KeepFiles() {
	for i := range s.images {
		s.images[i].KeepFiles()
	}
}

// Measure implements [images.Measurer].
func (s *scanner) Measure(m *convert.Meter) {
	for i := range s.images {
		s.images[i].Measure(m)
	}
}

// Scan reads the row that data begins with. In a mapped archive data continues to the end of it;
// else data is the text of the row.
func (s *scanner) Scan(file int, offset int64, data []byte, vals []schema.Value) (int, error) {
	listed := &s.layout.in.Listing().Files[file]
	s.in = tarfile.Mapped{Data: data, Base: offset}
	s.grouper.Partial = s.layout.in.IsCompressed(file) || offset+int64(len(data)) != listed.Size
	for i := range s.found {
		s.found[i].present = false
	}
	clear(s.exts)
	s.grouper.Start(&s.in)
	r, err := s.grouper.Next()
	if err != nil { // io.EOF: reading memory has no other error
		return 0, &schema.RowError{Code: "TAR_DAMAGED", At: -1, Message: "no member begins here", Damage: true}
	}
	if r.Bad != nil {
		return int(r.Size), r.Bad
	}
	for _, c := range s.all {
		vals[c.Slot] = schema.Value{At: math.MaxUint32}
	}
	if err := s.setValues(vals); err != nil {
		return int(r.Size), err
	}
	for _, c := range s.names {
		vals[c.Slot] = s.keyValue(c.Name)
	}
	return int(r.Size), nil
}

// addMember records a member of the row.
func (s *scanner) addMember(m *tarfile.Member, content []byte) *schema.RowError {
	if s.exts[string(m.Ext)] {
		return tarfile.MemberError("TAR_DUPLICATE", m.Name,
			"is the second of its row with the extension "+schema.Quote(m.Ext))
	}
	s.exts[string(m.Ext)] = true
	if i, requested := s.byExt[string(m.Ext)]; requested {
		f := &s.found[i]
		*f = found{present: true, name: append(f.name[:0], m.Name...), content: content,
			at: s.in.At - int(tarfile.Padded(m.Size))}
	}
	return nil
}

// setValues sets the slots of members. Those with the complete content are set last.
func (s *scanner) setValues(vals []schema.Value) error {
	for i := range s.found {
		if f, p := &s.found[i], s.extColumns[i]; f.present && p.json != nil {
			if err := s.setDocument(s.json[i], f, p, vals); err != nil {
				return err
			}
		}
	}
	for i := range s.found {
		if f, of := &s.found[i], &s.images[i]; f.present && of.Examiner != nil {
			if err := of.FillOne(vals, f.content, nil, string(f.name)); err != nil {
				return input.OfMember(f.name, err)
			}
		}
	}
	for i := range s.found {
		f, p := &s.found[i], s.extColumns[i]
		if !f.present {
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

// setDocument sets the slots of paths in a JSON member.
func (s *scanner) setDocument(doc *jsonl.Scanner, f *found, p *extColumns, vals []schema.Value) error {
	var err error
	if utf8.Valid(f.content) {
		err = doc.ScanDocument(f.content, vals)
	} else {
		err = jsonl.NotUTF8(f.content, 0)
	}
	if bad, ok := err.(*schema.RowError); ok && bad.Column != "" {
		bad.Column = p.ext + "." + bad.Column
	}
	if err != nil {
		return input.OfMember(f.name, err)
	}
	for _, c := range p.paths {
		vals[c.Slot].Move(uint32(f.at))
	}
	return nil
}

// keyValue returns the value of a column of the row's key.
func (s *scanner) keyValue(column string) schema.Value {
	text := s.grouper.Key
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
