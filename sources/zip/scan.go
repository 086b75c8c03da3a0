package zip

import (
	"cmp"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
	"tfr-build/sources/tree"
)

// imageColumn is the column of a member that is an image, and the prefix of its metadata columns.
const imageColumn = "image"

// Bind finds out which columns need the content and which are of an image.
func (in *zipInput) Bind(columns []input.Bound) (input.Layout, error) {
	columns, transforms := input.CutTransforms(columns)
	ofImage, others := images.CutColumns(imageColumn, columns)
	content := slices.ContainsFunc(others, func(c input.Bound) bool { return c.Name == contentColumn })
	return func(observed *input.Observations, namesOnly bool) input.Scanner {
		s := &scanner{in: in, others: others, namesOnly: namesOnly && !content && ofImage == nil && transforms == nil}
		if ofImage != nil || transforms != nil {
			s.Examiner = images.NewExaminer(nil, in.options.Convert)
			s.images = images.NewFiller(s.Examiner, imageColumn, ofImage, in.limits, observed, namesOnly)
		}
		return s
	}, nil
}

// A scanner reads members at their offsets, or from their text.
type scanner struct {
	*images.Examiner // nil if no column of an image is required
	in               *zipInput
	images           images.Filler
	others           []input.Bound
	namesOnly        bool // contents are not read
	inflater         inflater
	texts            []byte
}

// Scan reads the member at offset. data begins with its header.
func (s *scanner) Scan(file int, offset int64, data []byte, vals []schema.Value) (int, error) {
	members := s.in.archives[file]
	i, found := slices.BinarySearchFunc(members, offset, func(m member, at int64) int { return cmp.Compare(m.At, at) })
	if !found {
		return 0, &schema.RowError{Code: "ZIP_CORRUPT", At: -1, Message: "no member begins here", Damage: true}
	}
	m := &members[i]
	if bad := m.check(&s.in.limits); bad != nil {
		return 0, bad
	}
	n, bad := m.textSize(data)
	if bad == nil && n > int64(len(data)) {
		bad = m.damaged("is cut short")
	}
	if bad != nil {
		return 0, bad
	}
	return int(n), s.setValues(m, data[:n], vals)
}

// setValues sets the slots of a member's columns.
func (s *scanner) setValues(m *member, text []byte, vals []schema.Value) (err error) {
	var content []byte
	if !s.namesOnly {
		if content, err = s.inflater.content(m, text); err != nil {
			return err
		}
	}
	if s.Examiner != nil {
		if err := s.images.FillOne(vals, content, nil, m.Name); err != nil {
			return input.OfMember(m.Name, err)
		}
	}
	s.texts = s.texts[:0]
	for _, c := range s.others {
		if c.Name == contentColumn {
			vals[c.Slot] = schema.Value{Kind: schema.Bytes, Text: content}
			continue
		}
		s.texts, vals[c.Slot] = tree.AppendName(s.texts, c.Name, m.Name)
	}
	return nil
}
