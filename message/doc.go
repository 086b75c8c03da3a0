// Package message decodes the messages that a record may hold, without copying them. A parsed
// tree of a small record takes twenty times its bytes. The package knows nothing of files and
// framing.
//
//	ok := message.Each(message.Example, payload, func(key []byte, f message.Feature) {
//		switch f.List {
//		case message.Int64List:
//			for x := range f.Ints() { … }
//		…
//		}
//	})
//
// A [Message] is a decoded payload, which can be printed as JSON. A [Parser] parses that JSON:
//
//	payload ─► Message.Read ─► AppendJSON ─► Parser.Parse ─► the same payload
//	                       ─► WritePlain: JSON for people and other programs, which is not parsed
//
// These are the messages, in the wire format of protobuf:
//
//	Example          features = 1 ► Features
//	SequenceExample  context = 1 ► Features, feature_lists = 2 ► FeatureLists
//	OFRecord         feature = 1, a map from strings to Feature
//
//	Features         feature = 1, a map from strings to Feature
//	FeatureLists     feature_list = 1, a map from strings to FeatureList
//	FeatureList      feature = 1, one per step
//	Feature          one list: bytes_list = 1, float_list = 2, int64_list = 3
//	                 of an OFRecord:  …, double_list = 3, int32_list = 4, int64_list = 5
//	an entry of a map: key = 1, value = 2        a list: value = 1
//
// They are defined in tensorflow/core/example/{example,feature}.proto and in
// oneflow/core/record/record.proto. A value of a bytes_list may be a TensorProto, which
// [ReadTensor] reads:
//
//	TensorProto      dtype = 1, tensor_shape = 2 ► dim = 2 ► size = 1, tensor_content = 4 or string_val = 8
//
// It is defined in tensorflow/core/framework/{tensor,tensor_shape}.proto.
package message
