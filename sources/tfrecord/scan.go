package records

import (
	"encoding/binary"
	"fmt"
	"math"

	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// A layout is which columns are wanted.
type layout struct {
	in       *recordInput
	payload  []int          // slots
	slots    []int          // of the features
	features map[string]int // slots, by key
}

func (l *layout) scanner(*input.Facts, bool) input.Scanner {
	s := &scanner{layout: l}
	s.tell = s.feature
	return s
}

// A scanner reads records where they stand.
type scanner struct {
	*layout
	tell    func(key []byte, f message.Feature)
	vals    []schema.Value
	numbers []byte     // of the record at hand, of those of its features that came last
	texts   input.Room // of the record at hand
}

func (s *scanner) Close() {}

func (s *scanner) Scan(_ int, _ int64, data []byte, vals []schema.Value) (int, error) {
	size, ok := s.in.framed(data)
	if !ok {
		return 0, errNoRecord()
	}
	data = data[:size]
	if n := size - s.in.framing.Overhead(); n > s.in.limit && s.in.isWhole(data) {
		return size, s.in.tooLong(int64(n))
	}
	record, ok := s.in.framing.Payload(data)
	if !ok {
		return size, damaged("the payload's checksum is wrong")
	}
	for _, slot := range s.payload {
		vals[slot] = schema.Value{Kind: schema.Bytes, Text: record}
	}
	// Where features are wanted, reading them tells whether an OFRecord is whole.
	if len(s.slots) > 0 {
		ok = s.read(record, vals)
	} else {
		ok = s.in.isWhole(data)
	}
	switch {
	case ok:
		return size, nil
	case s.in.framing == tfrecord.OFRecord:
		return 0, errNoRecord()
	}
	return size, s.in.noMessage(record)
}

// errNoRecord is the fault of what stands where a record should begin.
func errNoRecord() *schema.RowError { return damaged("no whole record begins here") }

// read sets the slots of features; it reports whether the record is a message that
// has some.
func (s *scanner) read(record []byte, vals []schema.Value) bool {
	s.vals, s.numbers = vals, s.numbers[:0]
	if cap(s.numbers) > keptNumbers {
		s.numbers = nil
	}
	s.texts.Reset()
	for _, slot := range s.slots {
		vals[slot] = schema.Value{At: math.MaxUint32}
	}
	return message.Each(s.in.message, record, s.tell)
}

// feature sets the slot of a feature, if it is wanted. Of two with one key the
// later counts, as for every reader.
func (s *scanner) feature(key []byte, f message.Feature) {
	slot, wanted := s.features[string(key)]
	if !wanted {
		return
	}
	v := &s.vals[slot]
	*v = schema.Value{At: math.MaxUint32}
	if f.List == message.BytesList {
		*v = schema.Value{Kind: schema.List, Elem: schema.BytesType, List: s.list(f)}
		return
	}
	from := s.room(f)
	switch f.List {
	case message.Int64List, message.Int32List:
		v.Elem = schema.Int64
		for x := range f.Ints() {
			s.numbers = binary.LittleEndian.AppendUint64(s.numbers, uint64(x))
		}
	case message.FloatList:
		v.Elem = schema.Float
		for x := range f.Floats() {
			s.numbers = binary.LittleEndian.AppendUint32(s.numbers, math.Float32bits(x))
		}
	case message.DoubleList:
		v.Elem = schema.Float64
		for x := range f.Doubles() {
			s.numbers = binary.LittleEndian.AppendUint64(s.numbers, math.Float64bits(x))
		}
	default:
		return
	}
	v.Kind, v.Text = schema.Array, s.numbers[from:]
}

// How many bytes of numbers are taken at once, at least, and how many outlast a record.
const (
	someNumbers = 4 << 10
	keptNumbers = 1 << 20
)

// room makes room for the numbers of a feature, and tells where they begin. Those of the
// features before stay where they are.
func (s *scanner) room(f message.Feature) (from int) {
	size := 8 * f.Count
	if f.List == message.FloatList {
		size = 4 * f.Count
	}
	if cap(s.numbers)-len(s.numbers) < size {
		s.numbers = make([]byte, 0, max(size, min(2*cap(s.numbers), keptNumbers), someNumbers))
	}
	return len(s.numbers)
}

// list is the values of a bytes_list, in place.
func (s *scanner) list(f message.Feature) []schema.Value {
	list := s.texts.Take(f.Count)
	i := 0
	for text := range f.Bytes() {
		list[i] = schema.Value{Kind: schema.Text, Text: text}
		i++
	}
	return list
}

// noMessage is the fault of a record whose features are wanted and that has none.
func (in *recordInput) noMessage(record []byte) *schema.RowError {
	found := "the record is no " + in.message.String()
	if in.message == message.Example {
		switch message.KindOf(record) {
		case message.SequenceExample:
			found = "the record is a SequenceExample, and no Example"
		case message.ListWithContext:
			found = "the record is an ExampleListWithContext, and no Example"
		}
	}
	return &schema.RowError{
		Code: "NO_EXAMPLE", At: -1,
		Message: fmt.Sprintf("%s: the column %q is all that there is", found, payload),
	}
}
