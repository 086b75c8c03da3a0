package tfrecord

import (
	"encoding/binary"
	"fmt"
	"math"

	"tfr-build/internal/room"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A layout is the columns that are used.
type layout struct {
	in       *recordInput
	payload  []int          // slots
	slots    []int          // of the features
	features map[string]int // key → slot
}

func (l *layout) newScanner(*input.Observations, bool) input.Scanner {
	s := &scanner{layout: l}
	s.visit = s.setFeature
	return s
}

// A scanner reads the values of records in place.
type scanner struct {
	*layout
	visit   func(key []byte, f message.Feature)
	vals    []schema.Value
	numbers input.Bytes // of the current record
	texts   room.Room   // strings of the current record
	taken   int         // bytes of memory that the elements of the current record take
}

func (s *scanner) Scan(_ int, _ int64, data []byte, vals []schema.Value) (int, error) {
	size, ok := s.in.framedSize(data)
	if !ok {
		return 0, noRecordError()
	}
	data = data[:size]
	if n := size - s.in.frames.Overhead(); n > s.in.limit && s.in.isComplete(data) {
		return size, s.in.tooLongError(int64(n))
	}
	record, ok := s.in.frames.Payload(data)
	if !ok {
		return size, damagedError("the payload's checksum is wrong")
	}
	for _, slot := range s.payload {
		vals[slot] = schema.Value{Kind: schema.Bytes, Text: record}
	}
	// Without checksums, reading the features shows whether a record is complete.
	if len(s.slots) > 0 {
		ok = s.readFeatures(record, vals)
	} else {
		ok = s.in.isComplete(data)
	}
	switch {
	case ok && s.taken > s.in.limit:
		return size, input.LongMemory(int64(s.taken), s.in.limit)
	case ok:
		return size, nil
	case !s.in.format.HasChecksums:
		return 0, noRecordError()
	}
	return size, s.in.notMessageError(record)
}

// noRecordError returns the error of other bytes in place of a record.
func noRecordError() *schema.RowError { return damagedError("no complete record begins here") }

// readFeatures sets the slots of the features. It reports whether the record is a message with
// features.
func (s *scanner) readFeatures(record []byte, vals []schema.Value) bool {
	s.vals, s.taken = vals, 0
	s.numbers.Reset()
	s.texts.Reset()
	for _, slot := range s.slots {
		vals[slot] = schema.Value{At: math.MaxUint32}
	}
	return message.Each(s.in.message, record, s.visit)
}

// setFeature sets the slot of a feature, if the feature is used. If a key occurs twice, the later
// feature counts, as in other readers.
func (s *scanner) setFeature(key []byte, f message.Feature) {
	slot, wanted := s.features[string(key)]
	if !wanted {
		return
	}
	v := &s.vals[slot]
	*v = schema.Value{At: math.MaxUint32}
	if s.taken += memoryOf(f); s.taken > s.in.limit {
		return
	}
	if f.List == message.BytesList {
		*v = schema.Value{Kind: schema.List, Elem: schema.BytesType, List: s.bytesList(f)}
		return
	}
	numbers := s.numbers.Take(memoryOf(f))
	switch f.List {
	case message.Int64List, message.Int32List:
		v.Elem = schema.Int64
		for x := range f.Ints() {
			numbers = binary.LittleEndian.AppendUint64(numbers, uint64(x))
		}
	case message.FloatList:
		v.Elem = schema.Float
		for x := range f.Floats() {
			numbers = binary.LittleEndian.AppendUint32(numbers, math.Float32bits(x))
		}
	case message.DoubleList:
		v.Elem = schema.Float64
		for x := range f.Doubles() {
			numbers = binary.LittleEndian.AppendUint64(numbers, math.Float64bits(x))
		}
	default:
		return
	}
	v.Kind, v.Text = schema.Array, numbers
}

// memoryOf returns the bytes of memory that the elements of a feature take, which a record of a few
// bytes may have many times: an empty string takes two bytes of the record, and a number one.
func memoryOf(f message.Feature) int {
	switch f.List {
	case message.BytesList:
		return input.ElementSize * f.Count
	case message.FloatList:
		return 4 * f.Count
	}
	return 8 * f.Count
}

// bytesList returns the values of a bytes_list, in place.
func (s *scanner) bytesList(f message.Feature) []schema.Value {
	list := s.texts.Take(f.Count)
	i := 0
	for text := range f.Bytes() {
		list[i] = schema.Value{Kind: schema.Text, Text: text}
		i++
	}
	return list
}

// notMessageError returns the error of a record whose features are used but that has none.
func (in *recordInput) notMessageError(record []byte) *schema.RowError {
	found := "the record is not " + in.message.Phrase()
	if kind := message.KindOf(record); in.format.Message == message.None && kind != message.None {
		found = "the record is " + kind.Phrase() + ", not " + in.message.Phrase()
	}
	return &schema.RowError{
		Code: "NO_EXAMPLE", At: -1,
		Message: fmt.Sprintf("%s: the column %q is all that there is", found, payload),
	}
}
