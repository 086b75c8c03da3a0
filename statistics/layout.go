package statistics

import (
	"tfr-build/message"
)

// A Field is what is known of a feature before any record is read.
type Field struct {
	Key     string
	List    message.List // that holds the values
	Kind    Kind         // empty: that of bytes is told by the values
	Steps   bool         // a feature list of a SequenceExample
	First   int64        // of Class: the number of the first class
	Classes []string     // of Class: the names, in the order of their numbers
}

// Options say what goes into a Document.
type Options struct {
	Top    int  // how many of the most frequent values; 0 means 20, and less none
	Values bool // whether values of records may be shown; the names of classes always are
}

// usualTop is how many of the most frequent values are shown.
const usualTop = 20

// A Layout is what is counted: a kind of message, and what is known of its
// features. It may be used by several goroutines.
type Layout struct {
	kind   message.Kind
	fields []Field
	top    int
	values bool
}

// NewLayout returns the layout of messages of that kind. Fields stand in ascending
// order of their keys, those of feature lists after the others. Of kind None, the
// one field is that of records that are a value themselves.
func NewLayout(kind message.Kind, fields []Field, opt Options) *Layout {
	l := &Layout{kind: kind, fields: fields, top: opt.Top, values: opt.Values}
	if l.top == 0 {
		l.top = usualTop
	}
	l.top = max(0, l.top)
	return l
}

// A list is a message.List as a small number.
type list uint8

// The lists, and that of a feature that has none.
const (
	noList list = iota
	bytesList
	floatList
	int64List
	doubleList
	int32List
	lists // how many there are
)

var listNames = [lists]message.List{"", message.BytesList, message.FloatList, message.Int64List, message.DoubleList, message.Int32List}

// listOf is the number of a list.
func listOf(name message.List) list {
	for i, n := range listNames {
		if n == name {
			return list(i)
		}
	}
	return noList
}

// The lists of a Feature by their numbers in the message.
var (
	exampleLists  = [...]list{noList, bytesList, floatList, int64List}
	ofRecordLists = [...]list{noList, bytesList, floatList, doubleList, int32List, int64List}
)

func listsOf(kind message.Kind) []list {
	if kind == message.OFRecord {
		return ofRecordLists[:]
	}
	return exampleLists[:]
}

// A name tells the values that are counted together: those that a key has in one
// kind of list.
type name struct {
	key   string
	steps bool
	list  list
}

// shapeOf says how the values of a field are counted.
func shapeOf(f *Field) shape {
	s := shape{list: listOf(f.List)}
	switch {
	case s.list == bytesList && f.Kind == "":
		return unknownShape(s.list)
	case s.list == bytesList:
		s.isImage = f.Kind == Image
		s.isText = f.Kind != Image
	case f.Kind == Class && s.list != floatList && s.list != doubleList:
		s.first, s.many = f.First, len(f.Classes)
	}
	return s
}

// unknownShape is that of values of which nothing is known: bytes may be texts or
// images.
func unknownShape(l list) shape {
	return shape{list: l, isText: l == bytesList, isImage: l == bytesList}
}
