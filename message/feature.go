package message

import (
	"encoding/binary"
	"iter"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// A Feature is a message Feature, checked. It shares the memory of its payload.
type Feature struct {
	List  List // that it has; empty for none
	Count int  // of the values
	kind  Kind // of the message it is in
	data  []byte
}

// A FeatureList is a message FeatureList, checked: a Feature for each step. It
// shares the memory of its payload.
type FeatureList struct {
	Count int // of the steps
	data  []byte
}

// readFeature checks a message Feature. A list adds its values to those of a list
// of the same kind right before it, and takes the place of a list of another kind:
// so data begins with the first list whose values the feature has.
func readFeature(kind Kind, data []byte) (f Feature, ok bool) {
	f.kind = kind
	for rest := data; len(rest) > 0; {
		here := rest
		var field part
		if field, rest, ok = cutField(rest); !ok {
			return f, false
		}
		list := field.list(kind)
		if list == "" {
			continue
		}
		if list != f.List {
			f = Feature{List: list, kind: kind, data: here}
		}
		n, ok := countValues(list, field.content)
		if !ok {
			return f, false
		}
		f.Count += n
	}
	return f, true
}

// readList checks a message FeatureList.
func readList(data []byte) (l FeatureList, ok bool) {
	l.data = data
	for rest := data; len(rest) > 0; {
		var step part
		if step, rest, ok = cutField(rest); !ok {
			return l, false
		}
		if !step.is(fieldStep) {
			continue
		}
		if _, ok := readFeature(SequenceExample, step.content); !ok {
			return l, false
		}
		l.Count++
	}
	return l, true
}

// Steps are the features of a list, one for each step.
func (l FeatureList) Steps() iter.Seq[Feature] {
	return func(yield func(Feature) bool) {
		for rest := l.data; len(rest) > 0; {
			var step part
			if step, rest, _ = cutField(rest); !step.is(fieldStep) {
				continue
			}
			if f, _ := readFeature(SequenceExample, step.content); !yield(f) {
				return
			}
		}
	}
}

// list is that which a field of Feature is; empty for any other field.
func (p part) list(kind Kind) List {
	lists := kind.lists()
	if p.form != protowire.BytesType || int(p.number) >= len(lists) {
		return ""
	}
	return lists[p.number]
}

// countValues checks a list and says how many values it has.
func countValues(list List, data []byte) (count int, ok bool) {
	form, size := list.form()
	for len(data) > 0 {
		var v part
		if v, data, ok = cutField(data); !ok {
			return 0, false
		}
		switch {
		case v.number != fieldValue:
		case v.form == form:
			count++
		case v.form == protowire.BytesType && size > 0:
			if len(v.content)%size != 0 {
				return 0, false
			}
			count += len(v.content) / size
		case v.form == protowire.BytesType:
			n, ok := countVarints(v.content)
			if !ok {
				return 0, false
			}
			count += n
		}
	}
	return count, true
}

// form is how a value stands alone, and its size where several are packed that
// have one size each.
func (list List) form() (form protowire.Type, size int) {
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

// values are what the lists of a feature hold: values, or several packed into one.
func (f Feature) values() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		form, _ := f.List.form()
		for data := f.data; len(data) > 0; {
			var field part
			field, data, _ = cutField(data)
			if field.list(f.kind) != f.List {
				continue
			}
			for rest := field.content; len(rest) > 0; {
				var v part
				v, rest, _ = cutField(rest)
				isValue := v.number == fieldValue && (v.form == form || v.form == protowire.BytesType)
				if isValue && !yield(v.content) {
					return
				}
			}
		}
	}
}

// Bytes are the values of a bytes_list.
func (f Feature) Bytes() iter.Seq[[]byte] { return f.values() }

// Floats are the values of a float_list.
func (f Feature) Floats() iter.Seq[float32] {
	return func(yield func(float32) bool) {
		for packed := range f.values() {
			for ; len(packed) > 0; packed = packed[4:] {
				if !yield(math.Float32frombits(binary.LittleEndian.Uint32(packed))) {
					return
				}
			}
		}
	}
}

// Doubles are the values of a double_list.
func (f Feature) Doubles() iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for packed := range f.values() {
			for ; len(packed) > 0; packed = packed[8:] {
				if !yield(math.Float64frombits(binary.LittleEndian.Uint64(packed))) {
					return
				}
			}
		}
	}
}

// Ints are the values of an int64_list, or of an int32_list.
func (f Feature) Ints() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for packed := range f.values() {
			for len(packed) > 0 {
				v, n := protowire.ConsumeVarint(packed)
				packed = packed[n:]
				x := int64(v)
				if f.List == Int32List { // protobuf keeps the lower half
					x = int64(int32(v))
				}
				if !yield(x) {
					return
				}
			}
		}
	}
}
