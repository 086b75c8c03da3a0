package message

import (
	"fmt"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"tfr-build/schema/tfpb"
)

var kinds = []Kind{Example, SequenceExample, OFRecord}

// newMessage returns an empty message of a kind, by protobuf.
func newMessage(kind Kind) protoreflect.Message {
	switch kind {
	case Example:
		return new(tfpb.Example).ProtoReflect()
	case SequenceExample:
		return new(tfpb.SequenceExample).ProtoReflect()
	}
	return dynamicpb.NewMessage(ofRecord)
}

var ofRecord = describeOFRecord()

// describeOFRecord describes oneflow.OFRecord, but in proto3, which has the same
// bytes: there keys have to be UTF-8.
func describeOFRecord() protoreflect.MessageDescriptor {
	type (
		message = descriptorpb.DescriptorProto
		field   = descriptorpb.FieldDescriptorProto
	)
	ofMessage := descriptorpb.FieldDescriptorProto_TYPE_MESSAGE
	repeated := descriptorpb.FieldDescriptorProto_LABEL_REPEATED
	file := &descriptorpb.FileDescriptorProto{Name: proto.String("record.proto"), Package: proto.String("oneflow"),
		Syntax: proto.String("proto3")}
	feature := &message{Name: proto.String("Feature"),
		OneofDecl: []*descriptorpb.OneofDescriptorProto{{Name: proto.String("kind")}}}
	for i, list := range []struct {
		name, field string
		of          descriptorpb.FieldDescriptorProto_Type
	}{
		{"BytesList", "bytes_list", descriptorpb.FieldDescriptorProto_TYPE_BYTES},
		{"FloatList", "float_list", descriptorpb.FieldDescriptorProto_TYPE_FLOAT},
		{"DoubleList", "double_list", descriptorpb.FieldDescriptorProto_TYPE_DOUBLE},
		{"Int32List", "int32_list", descriptorpb.FieldDescriptorProto_TYPE_INT32},
		{"Int64List", "int64_list", descriptorpb.FieldDescriptorProto_TYPE_INT64},
	} {
		file.MessageType = append(file.MessageType, &message{Name: proto.String(list.name), Field: []*field{
			{Name: proto.String("value"), Number: proto.Int32(1), Type: list.of.Enum(), Label: repeated.Enum()},
		}})
		feature.Field = append(feature.Field, &field{
			Name: proto.String(list.field), Number: proto.Int32(int32(i + 1)), Type: ofMessage.Enum(),
			TypeName: proto.String(".oneflow." + list.name), OneofIndex: proto.Int32(0),
		})
	}
	entry := &message{Name: proto.String("FeatureEntry"),
		Options: &descriptorpb.MessageOptions{MapEntry: proto.Bool(true)}, Field: []*field{
			{Name: proto.String("key"), Number: proto.Int32(1),
				Type: descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum()},
			{Name: proto.String("value"), Number: proto.Int32(2), Type: ofMessage.Enum(),
				TypeName: proto.String(".oneflow.Feature")},
		}}
	file.MessageType = append(file.MessageType, feature,
		&message{Name: proto.String("OFRecord"), NestedType: []*message{entry}, Field: []*field{
			{Name: proto.String("feature"), Number: proto.Int32(1), Type: ofMessage.Enum(), Label: repeated.Enum(),
				TypeName: proto.String(".oneflow.OFRecord.FeatureEntry")},
		}})
	described, err := protodesc.NewFile(file, nil)
	if err != nil {
		panic(err)
	}
	return described.Messages().ByName("OFRecord")
}

// protobuf returns the message in payload as protobuf decodes it. It returns nil if payload is not
// such a message or has unknown fields. known is false if protobuf cannot decide.
func protobuf(kind Kind, payload []byte) (m protoreflect.Message, known bool) {
	m = newMessage(kind)
	if ok, known := decode(payload, m); !ok || len(m.GetUnknown()) > 0 {
		return nil, known
	}
	for _, name := range []protoreflect.Name{"features", "context", "feature_lists"} {
		if field := m.Descriptor().Fields().ByName(name); field != nil && len(m.Get(field).Message().GetUnknown()) > 0 {
			return nil, true
		}
	}
	return m, true
}

// decode decodes a payload to m. known is false if protobuf cannot decide: dynamic messages panic if a
// key is followed by another one that is not UTF-8.
func decode(payload []byte, m protoreflect.Message) (ok, known bool) {
	const noText = "type mismatch: cannot convert nil to map key"
	defer func() {
		if said := recover(); said != nil && fmt.Sprint(said) != noText {
			panic(said)
		}
	}()
	return proto.Unmarshal(payload, m.Interface()) == nil, true
}

// entries returns a map that is a field of a message.
func entries(m protoreflect.Message, field protoreflect.Name) map[string]protoreflect.Message {
	all := map[string]protoreflect.Message{}
	m.Get(m.Descriptor().Fields().ByName(field)).Map().Range(func(key protoreflect.MapKey, v protoreflect.Value) bool {
		all[key.String()] = v.Message()
		return true
	})
	return all
}

// inner returns the message in a field of another.
func inner(m protoreflect.Message, field protoreflect.Name) protoreflect.Message {
	return m.Get(m.Descriptor().Fields().ByName(field)).Message()
}

// sameFeature compares a Feature with one of protobuf.
func sameFeature(f Feature, want protoreflect.Message) bool {
	list := want.WhichOneof(want.Descriptor().Oneofs().ByName("kind"))
	if list == nil {
		return f.List == ""
	}
	var values []any
	switch f.List {
	case BytesList:
		for v := range f.Bytes() {
			values = append(values, v)
		}
	case FloatList:
		for v := range f.Floats() {
			values = append(values, v)
		}
	case DoubleList:
		for v := range f.Doubles() {
			values = append(values, v)
		}
	case Int64List:
		for v := range f.Ints() {
			values = append(values, v)
		}
	case Int32List:
		for v := range f.Ints() {
			values = append(values, int32(v))
		}
	}
	value := list.Message().Fields().ByName("value")
	wants := want.Get(list).Message().Get(value).List()
	if string(f.List) != string(list.Name()) || f.Count != len(values) || wants.Len() != len(values) {
		return false
	}
	for i, v := range values {
		if !protoreflect.ValueOf(v).Equal(wants.Get(i)) {
			return false
		}
	}
	return true
}

// compareParsed compares the decoded payload with the message that protobuf decodes.
func compareParsed(t *testing.T, kind Kind, payload []byte) {
	t.Helper()
	features, lists := map[string]Feature{}, map[string]FeatureList{}
	ok := Walk(kind, payload, func(key []byte, f Feature) { features[string(key)] = f },
		func(key []byte, l FeatureList) { lists[string(key)] = l })
	want, known := protobuf(kind, payload)
	if !known {
		return
	}
	if !ok && want != nil && keyIsEntry(want) {
		return
	}
	if ok != (want != nil) {
		t.Fatalf("%x: an %v: %v, and protobuf says %v", payload, kind, ok, !ok)
	}
	if !ok {
		return
	}
	switch kind {
	case Example:
		want = inner(want, "features")
	case SequenceExample:
		compareLists(t, payload, lists, entries(inner(want, "feature_lists"), "feature_list"))
		want = inner(want, "context")
	}
	wants := entries(want, "feature")
	if len(features) != len(wants) {
		t.Fatalf("%x: %d features, and protobuf reads %v", payload, len(features), want)
	}
	for key, w := range wants {
		if !sameFeature(features[key], w) {
			t.Fatalf("%x: feature %q is %+v, and protobuf reads %v", payload, key, features[key], w)
		}
	}
}

// keyIsEntry reports whether a map anywhere in a message has a key that is an entry itself, and no
// value. Protobuf decodes the Examples of an ExampleListWithContext so.
func keyIsEntry(m protoreflect.Message) (found bool) {
	m.Range(func(field protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case field.IsMap():
			v.Map().Range(func(key protoreflect.MapKey, v protoreflect.Value) bool {
				entry := m.New()
				data := nested(protowire.Number(field.Number()), []byte(key.String())...)
				ok, known := decode(data, entry)
				isEntry := !known || ok && len(entry.GetUnknown()) == 0
				found = found || isEntry && proto.Size(v.Message().Interface()) == 0
				return true
			})
		case field.Message() != nil && !field.IsList():
			found = found || keyIsEntry(v.Message())
		}
		return !found
	})
	return found
}

func compareLists(t *testing.T, payload []byte, lists map[string]FeatureList, wants map[string]protoreflect.Message) {
	t.Helper()
	if len(lists) != len(wants) {
		t.Fatalf("%x: %d lists, and protobuf reads %v", payload, len(lists), wants)
	}
	for key, w := range wants {
		steps := slices.Collect(lists[key].Steps())
		want := w.Get(w.Descriptor().Fields().ByName("feature")).List()
		same := len(steps) == want.Len() && lists[key].Count == len(steps)
		for i := 0; same && i < len(steps); i++ {
			same = sameFeature(steps[i], want.Get(i).Message())
		}
		if !same {
			t.Fatalf("%x: list %q is %+v, and protobuf reads %v", payload, key, steps, w)
		}
	}
}

// nested returns a field with a message.
func nested(number protowire.Number, content ...byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
}
