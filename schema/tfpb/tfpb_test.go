package tfpb_test

import (
	"encoding/hex"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tfr-build/schema/tfpb"
)

// Bytes that protoc made of TensorFlow's own .proto files.
func TestBytesOfTensorFlow(t *testing.T) {
	ints := func(x ...int64) *tfpb.Feature {
		return &tfpb.Feature{Kind: &tfpb.Feature_Int64List{Int64List: &tfpb.Int64List{Value: x}}}
	}
	tests := []struct {
		message proto.Message
		want    string
	}{
		{
			&tfpb.Example{Features: &tfpb.Features{Feature: map[string]*tfpb.Feature{
				"feature0": ints(0),
				"feature1": ints(4),
				"feature2": {Kind: &tfpb.Feature_BytesList{BytesList: &tfpb.BytesList{Value: [][]byte{[]byte(
					"goat")}}}},
				"feature3": {Kind: &tfpb.Feature_FloatList{FloatList: &tfpb.FloatList{Value: []float32{0.9876}}}},
			}}},
			"0a520a110a08666561747572653012051a030a01000a110a08666561747572653112051a030a0104" +
				"0a140a08666561747572653212080a060a04676f61740a140a086665617475726533120812060a045bd37c3f",
		},
		{
			&tfpb.SequenceExample{
				Context: &tfpb.Features{Feature: map[string]*tfpb.Feature{"len": ints(2)}},
				FeatureLists: &tfpb.FeatureLists{FeatureList: map[string]*tfpb.FeatureList{
					"tok": {Feature: []*tfpb.Feature{ints(7), ints(8, 9)}},
				}},
			},
			"0a0e0a0c0a036c656e12051a030a010212180a160a03746f6b120f0a051a030a01070a061a040a020809",
		},
	}
	for _, test := range tests {
		got, err := proto.MarshalOptions{Deterministic: true}.Marshal(test.message)
		if err != nil || hex.EncodeToString(got) != test.want {
			t.Errorf("got  %x, %v\nwant %s", got, err, test.want)
		}
		name := test.message.ProtoReflect().Descriptor()
		if name.Parent().FullName() != protoreflect.FullName("tensorflow") {
			t.Errorf("%s is not of the package tensorflow", name.FullName())
		}
	}
}
