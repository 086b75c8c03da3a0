package message

import (
	"encoding/binary"
	"iter"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Feature is a validated Feature message. It shares the memory of its payload.
type Feature struct {
	List  List // the list that it has; empty for none
	Count int  // number of values
	kind  Kind // the message that contains it
	data  []byte
}

// readFeature validates a Feature message. As in protobuf, a repeated list of the same kind appends
// its values, and a list of another kind replaces the list before it. So f.data begins with the
// first list whose values count.
func readFeature(kind Kind, data []byte) (f Feature, ok bool) {
	f.kind = kind
	for rest := data; len(rest) > 0; {
		start := rest
		var field wireField
		if field, rest, ok = cutField(rest); !ok {
			return f, false
		}
		list := field.list(kind)
		if list == "" {
			continue
		}
		if list != f.List {
			f = Feature{List: list, kind: kind, data: start}
		}
		n, ok := countValues(list, field.content)
		if !ok {
			return f, false
		}
		f.Count += n
	}
	return f, true
}

// list returns the list for the field number of p in a Feature; it is empty for other fields.
func (p wireField) list(kind Kind) List {
	lists := kind.lists()
	if p.wireType != protowire.BytesType || int(p.number) >= len(lists) {
		return ""
	}
	return lists[p.number]
}

// countValues validates a list and returns its number of values.
func countValues(list List, data []byte) (count int, ok bool) {
	wireType, size := list.wireType()
	for len(data) > 0 {
		var v wireField
		if v, data, ok = cutField(data); !ok {
			return 0, false
		}
		switch {
		case v.number != fieldValue:
		case v.wireType == wireType:
			count++
		case v.wireType == protowire.BytesType && size > 0:
			if len(v.content)%size != 0 {
				return 0, false
			}
			count += len(v.content) / size
		case v.wireType == protowire.BytesType:
			n, ok := countVarints(v.content)
			if !ok {
				return 0, false
			}
			count += n
		}
	}
	return count, true
}

// wireType returns the wire type of a single value, and the size of a packed value if all have the
// same size.
func (list List) wireType() (wireType protowire.Type, size int) {
	switch list {
	case BytesList:
		return protowire.BytesType, 0
	case FloatList:
		return protowire.Fixed32Type, 4
	case DoubleList:
		return protowire.Fixed64Type, 8
	}
	return protowire.VarintType, 0
}

func countVarints(packed []byte) (count int, ok bool) {
	for ; len(packed) > 0; count++ {
		_, n := protowire.ConsumeVarint(packed)
		if n < 0 {
			return 0, false
		}
		packed = packed[n:]
	}
	return count, true
}

// Values iterates over the encoded values of a feature. One element may be several packed values.
func (f Feature) Values() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		wireType, _ := f.List.wireType()
		for data := f.data; len(data) > 0; {
			var field wireField
			field, data, _ = cutField(data)
			if field.list(f.kind) != f.List {
				continue
			}
			for rest := field.content; len(rest) > 0; {
				var v wireField
				v, rest, _ = cutField(rest)
				isValue := v.number == fieldValue && (v.wireType == wireType || v.wireType == protowire.BytesType)
				if isValue && !yield(v.content) {
					return
				}
			}
		}
	}
}

// Bytes iterates over the values of a bytes_list.
func (f Feature) Bytes() iter.Seq[[]byte] { return f.Values() }

// Floats iterates over the values of a float_list.
func (f Feature) Floats() iter.Seq[float32] {
	return func(yield func(float32) bool) {
		for packed := range f.Values() {
			for len(packed) > 0 {
				var v float32
				if v, packed = CutFloat(packed); !yield(v) {
					return
				}
			}
		}
	}
}

// Doubles iterates over the values of a double_list.
func (f Feature) Doubles() iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for packed := range f.Values() {
			for len(packed) > 0 {
				var v float64
				if v, packed = CutDouble(packed); !yield(v) {
					return
				}
			}
		}
	}
}

// Ints iterates over the values of an int64_list or of an int32_list.
func (f Feature) Ints() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for packed := range f.Values() {
			for len(packed) > 0 {
				var v int64
				if v, packed = f.List.CutInt(packed); !yield(v) {
					return
				}
			}
		}
	}
}

// CutFloat cuts the first value off packed values of a float_list.
func CutFloat(packed []byte) (v float32, rest []byte) {
	return math.Float32frombits(binary.LittleEndian.Uint32(packed)), packed[4:]
}

// CutDouble cuts the first value off packed values of a double_list.
func CutDouble(packed []byte) (v float64, rest []byte) {
	return math.Float64frombits(binary.LittleEndian.Uint64(packed)), packed[8:]
}

// CutInt cuts the first value off packed values of an int64_list or of an int32_list.
func (list List) CutInt(packed []byte) (v int64, rest []byte) {
	x, n := protowire.ConsumeVarint(packed)
	if list == Int32List { // protobuf keeps the lower half
		return int64(int32(x)), packed[n:]
	}
	return int64(x), packed[n:]
}
