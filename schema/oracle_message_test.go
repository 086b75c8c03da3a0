package schema_test

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/schema/tfpb"
)

// A stored is a list of a Feature: integers as int64, floats as float64, strings.
type stored struct {
	list   message.List
	values []any
}

// exactIn returns f with the types in which a message stores its values: an OFRecord has doubles
// like raw bytes.
func exactIn(m schema.Message, f schema.Feature) schema.Feature {
	if m == schema.OFRecordMessage && f.Type == schema.Float64 && !f.Tensor {
		f.Raw = true
	}
	return f
}

func store(m schema.Message, f schema.Feature, values []any) stored {
	switch {
	case f.Tensor:
		return stored{message.BytesList, []any{newTensor(f, values)}}
	case f.Raw:
		return stored{message.BytesList, []any{pack(f.Type, values)}}
	}
	return stored{f.Stored(m, false).List, values}
}

// pack returns numbers as other programs have them in memory.
func pack(t schema.Type, values []any) []byte {
	data := []byte{}
	for _, v := range values {
		var x any
		n, _ := v.(int64)
		d, _ := v.(float64)
		switch t {
		case schema.Int8, schema.Uint8, schema.BoolType:
			x = uint8(n)
		case schema.Int16, schema.Uint16:
			x = uint16(n)
		case schema.Int32, schema.Uint32:
			x = uint32(n)
		case schema.Float:
			x = float32(d)
		case schema.Float64:
			x = d
		default:
			x = v // an int64, or the bits of a float16
		}
		var err error
		if data, err = binary.Append(data, binary.LittleEndian, x); err != nil {
			panic(err)
		}
	}
	return data
}

func newFeature(s stored) *tfpb.Feature {
	switch s.list {
	case message.BytesList:
		values := &tfpb.BytesList{}
		for _, x := range s.values {
			values.Value = append(values.Value, x.([]byte))
		}
		return &tfpb.Feature{Kind: &tfpb.Feature_BytesList{BytesList: values}}
	case message.FloatList:
		values := &tfpb.FloatList{}
		for _, x := range s.values {
			values.Value = append(values.Value, float32(x.(float64)))
		}
		return &tfpb.Feature{Kind: &tfpb.Feature_FloatList{FloatList: values}}
	}
	values := &tfpb.Int64List{}
	for _, x := range s.values {
		values.Value = append(values.Value, x.(int64))
	}
	return &tfpb.Feature{Kind: &tfpb.Feature_Int64List{Int64List: values}}
}

func newFeatures(all map[string]stored) *tfpb.Features {
	m := &tfpb.Features{Feature: map[string]*tfpb.Feature{}}
	for key, s := range all {
		m.Feature[key] = newFeature(s)
	}
	return m
}

func marshal(m proto.Message) ([]byte, error) {
	return proto.MarshalOptions{Deterministic: true}.Marshal(m)
}

// A fieldOf describes a field of a message.
type fieldOf struct {
	name     string
	number   int32
	typ      descriptorpb.FieldDescriptorProto_Type
	of       string // the name of its message
	repeated bool
}

// descriptors returns the descriptors of messages with these fields.
var descriptors = sync.OnceValue(func() protoreflect.MessageDescriptors {
	const (
		isMessage = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE
		isBytes   = descriptorpb.FieldDescriptorProto_TYPE_BYTES
		isInt32   = descriptorpb.FieldDescriptorProto_TYPE_INT32
		isInt64   = descriptorpb.FieldDescriptorProto_TYPE_INT64
	)
	file := &descriptorpb.FileDescriptorProto{Name: proto.String("oracle.proto"), Syntax: proto.String("proto3")}
	for name, fields := range map[string][]fieldOf{
		"BytesList":  {{"value", 1, isBytes, "", true}},
		"FloatList":  {{"value", 1, descriptorpb.FieldDescriptorProto_TYPE_FLOAT, "", true}},
		"DoubleList": {{"value", 1, descriptorpb.FieldDescriptorProto_TYPE_DOUBLE, "", true}},
		"Int32List":  {{"value", 1, isInt32, "", true}},
		"Int64List":  {{"value", 1, isInt64, "", true}},
		"Feature": {{"bytes_list", 1, isMessage, "BytesList", false}, {"float_list", 2, isMessage, "FloatList", false},
			{"double_list", 3, isMessage, "DoubleList", false},
			{"int32_list", 4, isMessage, "Int32List", false}, {"int64_list", 5, isMessage, "Int64List", false}},
		"Entry": {{"key", 1, descriptorpb.FieldDescriptorProto_TYPE_STRING, "", false},
			{"value", 2, isMessage, "Feature", false}},
		"OFRecord":         {{"feature", 1, isMessage, "Entry", true}},
		"Dim":              {{"size", 1, isInt64, "", false}},
		"TensorShapeProto": {{"dim", 2, isMessage, "Dim", true}},
		"TensorProto": {{"dtype", 1, isInt32, "", false}, {"tensor_shape", 2, isMessage, "TensorShapeProto", false},
			{"tensor_content", 4, isBytes, "", false},
			{"string_val", 8, isBytes, "", true}},
	} {
		m := &descriptorpb.DescriptorProto{Name: proto.String(name)}
		for _, f := range fields {
			field := &descriptorpb.FieldDescriptorProto{Name: proto.String(f.name), Number: proto.Int32(f.number),
				Type: f.typ.Enum()}
			if f.of != "" {
				field.TypeName = proto.String("." + f.of)
			}
			if f.repeated {
				field.Label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED.Enum()
			}
			m.Field = append(m.Field, field)
		}
		file.MessageType = append(file.MessageType, m)
	}
	described, err := protodesc.NewFile(file, nil)
	if err != nil {
		panic(err)
	}
	return described.Messages()
})

// A built is a message whose fields are set by their names.
type built struct{ *dynamicpb.Message }

func build(name protoreflect.Name) built {
	return built{dynamicpb.NewMessage(descriptors().ByName(name))}
}

func (b built) field(name protoreflect.Name) protoreflect.FieldDescriptor {
	return b.Descriptor().Fields().ByName(name)
}

func (b built) set(name protoreflect.Name, v any) built {
	if m, ok := v.(built); ok {
		v = m.ProtoReflect()
	}
	b.Set(b.field(name), protoreflect.ValueOf(v))
	return b
}

func (b built) add(name protoreflect.Name, v any) {
	if m, ok := v.(built); ok {
		v = m.ProtoReflect()
	}
	b.Mutable(b.field(name)).List().Append(protoreflect.ValueOf(v))
}

// newOFRecord writes the entries as a list, in the order of their keys.
func newOFRecord(all map[string]stored) proto.Message {
	record := build("OFRecord")
	keys := make([]string, 0, len(all))
	for key := range all {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		s := all[key]
		names := map[message.List]protoreflect.Name{message.BytesList: "BytesList", message.FloatList: "FloatList",
			message.DoubleList: "DoubleList", message.Int32List: "Int32List", message.Int64List: "Int64List"}
		list := build(names[s.list])
		for _, v := range s.values {
			switch s.list {
			case message.FloatList:
				v = float32(v.(float64))
			case message.Int32List:
				v = int32(v.(int64))
			}
			list.add("value", v)
		}
		feature := build("Feature").set(protoreflect.Name(s.list), list)
		record.add("feature", build("Entry").set("key", key).set("value", feature))
	}
	return record
}

func newTensor(f schema.Feature, values []any) []byte {
	dtypes := map[schema.Type]int32{
		schema.Float: 1, schema.Float64: 2, schema.Int32: 3, schema.Uint8: 4, schema.Int16: 5, schema.Int8: 6,
		schema.BytesType: 7, schema.StringType: 7, schema.Int64: 9,
		schema.BoolType: 10, schema.Bfloat16: 14, schema.Uint16: 17, schema.Float16: 19, schema.Uint32: 22,
		schema.Uint64: 23,
	}
	shape := build("TensorShapeProto")
	for _, n := range f.Shape {
		if n < 0 {
			n = len(values) / -oracleSize(f.Shape)
		}
		shape.add("dim", build("Dim").set("size", int64(n)))
	}
	tensor := build("TensorProto").set("dtype", dtypes[f.Type]).set("tensor_shape", shape)
	if f.Type == schema.BytesType || f.Type == schema.StringType {
		for _, v := range values {
			tensor.add("string_val", v)
		}
	} else {
		tensor.set("tensor_content", pack(f.Type, values))
	}
	data, err := marshal(tensor)
	if err != nil {
		panic(err)
	}
	return data
}

// unwrapSingle returns the value that is accepted as one value.
func unwrapSingle(v schema.Value) schema.Value {
	if v.Kind == schema.List && v.Elem != 0 && len(v.List) == 1 {
		return v.List[0]
	}
	return v
}

// expand converts an Array to a list of strings for f. It returns other values unchanged.
func expand(f schema.Feature, v schema.Value) schema.Value {
	if v.Kind != schema.Array {
		return v
	}
	isFloat := f.Type.IsFloat() && f.Map == nil
	out := schema.Value{Kind: schema.List}
	for data := v.Text; len(data) > 0; {
		e := schema.Value{Kind: schema.Number}
		size := 8
		var x func() any
		switch v.Elem {
		case schema.BoolType:
			size, e.Kind = 1, schema.Bool
			x = func() any { return strconv.FormatBool(data[0] != 0) }
		case schema.Uint8:
			size, x = 1, func() any { return int64(data[0]) }
		case schema.Int8:
			size, x = 1, func() any { return int64(int8(data[0])) }
		case schema.Uint16:
			size, x = 2, func() any { return int64(binary.LittleEndian.Uint16(data)) }
		case schema.Int16:
			size, x = 2, func() any { return int64(int16(binary.LittleEndian.Uint16(data))) }
		case schema.Uint32:
			size, x = 4, func() any { return int64(binary.LittleEndian.Uint32(data)) }
		case schema.Int32:
			size, x = 4, func() any { return int64(int32(binary.LittleEndian.Uint32(data))) }
		case schema.Int64:
			x = func() any { return int64(binary.LittleEndian.Uint64(data)) }
		case schema.Uint64:
			x = func() any { return binary.LittleEndian.Uint64(data) }
		case schema.Float:
			size, x = 4, func() any { return float64(math.Float32frombits(binary.LittleEndian.Uint32(data))) }
		case schema.Float64:
			x = func() any { return math.Float64frombits(binary.LittleEndian.Uint64(data)) }
		default:
			size, x = 2, func() any { return float16Values(v.Elem)(binary.LittleEndian.Uint16(data)) }
		}
		switch n := x().(type) {
		case string:
			e.Text = []byte(n)
		case int64:
			e.Text = strconv.AppendInt(nil, n, 10)
		case uint64:
			e.Text = strconv.AppendUint(nil, n, 10)
		case float64:
			switch {
			case isFloat && (math.IsNaN(n) || math.IsInf(n, 0)):
				e.Kind, e.Text = schema.Text, strconv.AppendFloat(nil, n, 'g', -1, 64)
			case isFloat:
				e.Text = new(big.Float).SetFloat64(n).Append(nil, 'g', 1100)
			case n == math.Trunc(n) && math.Abs(n) < 1<<64:
				e.Text = strconv.AppendFloat(nil, n, 'f', 1, 64)
			default:
				e.Text = strconv.AppendFloat(nil, n, 'g', -1, map[bool]int{true: 32, false: 64}[v.Elem == schema.Float])
			}
		}
		out.List = append(out.List, e)
		data = data[size:]
	}
	return out
}

// float16Values returns the values of all bits of a 16-bit type.
func float16Values(t schema.Type) func(bits uint16) float64 {
	if t == schema.Bfloat16 {
		return func(bits uint16) float64 { return float64(math.Float32frombits(uint32(bits) << 16)) }
	}
	return func(bits uint16) float64 {
		exponent, fraction := int(bits>>10&31), float64(bits&1023)
		x := math.Ldexp(1+fraction/1024, exponent-15)
		switch {
		case exponent == 0:
			x = math.Ldexp(fraction, -24)
		case exponent == 31 && fraction == 0:
			x = math.Inf(1)
		case exponent == 31:
			x = math.NaN()
		}
		return math.Copysign(x, -float64(bits>>15)+0.5)
	}
}

// oracleFloat16 searches all 16-bit floats for the nearest one.
func oracleFloat16(t schema.Type, text string) (any, error) {
	value := float16Values(t)
	infinity := map[schema.Type]int{schema.Float16: 0x7c00, schema.Bfloat16: 0x7f80}[t]
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, fault("FLOAT_SYNTAX")
	}
	sign := uint16(0)
	if text[0] == '-' {
		sign = 1 << 15
	}
	x.Abs(x)
	exact := func(bits int) *big.Rat {
		if bits == infinity { // what would be next
			last, before := value(uint16(infinity-1)), value(uint16(infinity-2))
			return new(big.Rat).SetFloat64(last + (last - before))
		}
		return new(big.Rat).SetFloat64(value(uint16(bits)))
	}
	above := sort.Search(infinity, func(bits int) bool { return exact(bits).Cmp(x) >= 0 })
	nearest := above
	if above > 0 {
		up := new(big.Rat).Sub(exact(above), x)
		down := new(big.Rat).Sub(x, exact(above-1))
		if c := down.Cmp(up); c < 0 || c == 0 && above%2 == 1 {
			nearest = above - 1
		}
	}
	if nearest == infinity {
		return nil, fault("FLOAT_RANGE")
	}
	return sign | uint16(nearest), nil
}
