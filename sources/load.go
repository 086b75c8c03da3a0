package sources

import (
	"errors"
	"path/filepath"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/image"
)

// A boundLoad fills slots from a file that the row names.
type boundLoad struct {
	load    *Load
	path    []int // slots of the template's columns
	content int   // slot of the content; -1 where nobody wants it
	facts   []factSlot
}

type factSlot struct {
	name string
	slot int
}

// load notes that slot takes its value from load i.
func (b *binder) load(i int, name string, slot int) error {
	load := &b.s.spec.Load[i]
	k := -1
	for n := range b.l.loads {
		if b.l.loads[n].load == load {
			k = n
		}
	}
	if k < 0 {
		bound := boundLoad{load: load, content: -1}
		for _, c := range load.Path.Columns() {
			if b.s.loadOf(c) >= 0 {
				return b.unknown(c) // a path is made of columns that are there before
			}
			from, err := b.slot(c)
			if err != nil {
				return err
			}
			bound.path = append(bound.path, from)
		}
		b.l.loads = append(b.l.loads, bound)
		k = len(b.l.loads) - 1
	}
	bound := &b.l.loads[k]
	if name == load.Name {
		bound.content = slot
		return nil
	}
	bound.facts = append(bound.facts, factSlot{strings.TrimPrefix(name, load.Name+"."), slot})
	return nil
}

// load reads the file that the row names into its slots.
func (r *Reader) load(i int) error {
	l, buf := &r.l.loads[i], &r.loads[i]
	if buf.loader == nil {
		var err error
		if buf.loader, err = openLoader(l.load); err != nil {
			return err
		}
	}
	for k, slot := range l.path {
		if v := &r.vals[slot]; v.Kind >= schema.Bytes || r.s.IsMissing(l.load.Path.columns[k], v) {
			return &schema.RowError{Code: "MISSING", At: int(v.At), Column: l.load.Path.columns[k], Message: "no text to make the path of " + l.load.Name + " from"}
		}
	}
	buf.name = l.load.Path.Append(buf.name[:0], func(k int) []byte { return r.vals[l.path[k]].Text })
	name := string(buf.name)
	var err error
	if buf.content, err = buf.loader.read(buf.content[:0], name, r.s.spec.Limits.Record); err != nil {
		return err
	}
	if l.content >= 0 {
		r.vals[l.content] = schema.Value{Kind: schema.Bytes, Text: buf.content}
	}
	if !l.load.Image {
		return nil
	}
	facts, err := r.examine(buf.content, l.load.Name, name)
	if err != nil {
		var bad *schema.RowError
		if errors.As(err, &bad) {
			bad.Column = l.load.Name
			bad.Message = schema.Quote(buf.name) + ": " + bad.Message
		}
		return err
	}
	buf.numbers = buf.numbers[:0]
	for _, f := range l.facts {
		r.vals[f.slot] = fact(&buf.numbers, f.name, &facts)
	}
	return nil
}

// examine learns the facts of the image in column and checks it as the source
// says; a loaded image's structure is checked.
func (r *Reader) examine(data []byte, column, name string) (image.Facts, error) {
	s := &r.s.spec
	check := s.Check
	if s.Kind != Images {
		check = image.Structure
	}
	facts, err := image.Read(data, image.Limits{Pixels: s.Limits.Pixels})
	kept := s.mayKeep(err)
	if err == nil || kept {
		err = facts.Verify(data, check)
	}
	if err != nil && !s.mayKeep(err) {
		return facts, err
	}
	if kept || err != nil {
		r.note("IMG_UNSUPPORTED", "the image is of a kind that common decoders do not read", name)
	}
	if named := image.FormatOfName(name); named != facts.Format && filepath.Ext(name) != "" {
		if s.RefuseMismatch {
			return facts, &schema.RowError{Code: "FORMAT_MISMATCH", At: 0, Message: "a " + facts.Format.String() + " file named " + filepath.Ext(name), Hint: "format_mismatch: accept"}
		}
		r.note("FORMAT_MISMATCH", "the image is not of the format that its extension says", name)
	}
	for w := range facts.Warnings.All() {
		r.note(w.Code(), w.String(), name)
	}
	r.see(column, &facts)
	return facts, nil
}

// mayKeep reports whether err only says that others may not read the image, and
// the source takes it nevertheless.
func (t *Tree) mayKeep(err error) bool {
	bad, ok := errors.AsType[*schema.RowError](err)
	return ok && bad.Code == "IMG_UNSUPPORTED" && t.AllowUnsupported
}

func (r *Reader) note(code, text, name string) {
	r.Notes[Note{code, text}] = r.Notes[Note{code, text}].Add(Noted{1, name})
}

func (r *Reader) see(column string, f *image.Facts) {
	seen := r.Seen[column]
	if seen == nil {
		seen = NewSeenFacts()
		r.Seen[column] = seen
	}
	if format := f.Format.String(); !seen.Formats[format] {
		seen.Formats[format] = true
	}
	if !seen.Colorspaces[f.Colorspace] {
		seen.Colorspaces[f.Colorspace] = true
	}
	if !seen.Channels[f.Channels] {
		seen.Channels[f.Channels] = true
	}
}
