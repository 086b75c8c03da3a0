package statistics

import (
	"slices"

	"tfr-build/message"
)

// Options control the content of a Document.
type Options struct {
	Top    int         // number of most frequent values; default: 20; negative: none
	Values bool        // whether to show values of records; names of classes are always shown
	Images ImageReader // reads the headers of images; the zero ImageReader finds none
}

// defaultTop is the default number of most frequent values.
const defaultTop = 20

// A Layout says what is counted: the kind of message, and the known features. It may be used by
// several goroutines.
type Layout struct {
	kind   message.Kind
	fields []Feature
	top    int
	values bool
	images *ImageReader
}

// NewLayout returns a layout for messages of a kind. The fields, without Splits, must be sorted by key, feature
// lists after features. If the kind of a bytes list is empty, its values decide. For kind None, a record is a value of
// the only field.
func NewLayout(kind message.Kind, fields []Feature, opt Options) *Layout {
	l := &Layout{kind: kind, fields: fields, top: opt.Top, values: opt.Values, images: opt.Images.orNone()}
	if l.top == 0 {
		l.top = defaultTop
	}
	l.top = max(0, l.top)
	return l
}

// A list is a message.List as a small number.
type list uint8

// The types of lists; noList is a feature without a list.
const (
	noList list = iota
	bytesList
	floatList
	int64List
	doubleList
	int32List
	listCount // the number of types
)

var listNames = [listCount]message.List{"", message.BytesList, message.FloatList, message.Int64List, message.DoubleList,
	message.Int32List}

// listOf returns the list with that name.
func listOf(name message.List) list { return list(max(0, slices.Index(listNames[:], name))) }

// A name identifies a column: a key with one type of list.
type name struct {
	key   string
	steps bool
	list  list
}

// shapeOf returns the shape of a field's column.
func (l *Layout) shapeOf(f *Feature) shape {
	s := shape{list: listOf(f.List)}
	switch {
	case s.list == bytesList && f.Kind == "":
		return l.unknownShape(s.list)
	case s.list == bytesList:
		if s.isText = f.Kind != Image; !s.isText {
			s.imageReader = l.images
		}
	case f.Kind == Class && s.list != floatList && s.list != doubleList:
		s.firstClass, s.classCount = f.First, len(f.Classes)
	}
	return s
}

// unknownShape returns the shape of a column outside the layout: bytes may be text or images.
func (l *Layout) unknownShape(of list) shape {
	s := shape{list: of, isText: of == bytesList}
	if s.isText {
		s.imageReader = l.images
	}
	return s
}
