// Package message reads the messages that a record may hold, where they lie: what
// is parsed into a tree, of a record that was made for it, takes twenty times its
// bytes. It knows nothing of files and framing.
//
//	ok := message.Each(message.Example, payload, func(key []byte, f message.Feature) {
//		switch f.List {
//		case message.Int64List:
//			for x := range f.Ints() { … }
//		…
//		}
//	})
//
// A [Message] is a payload taken apart, which has a JSON; a [Parser] reads that:
//
//	payload ─► Message.Read ─► AppendJSON ─► Parser.Parse ─► the same payload
//	                       ─► WritePlain, which only people and other programs read
//
// The messages are, in the wire format of protobuf:
//
//	Example          features = 1 ► Features
//	SequenceExample  context = 1 ► Features, feature_lists = 2 ► FeatureLists
//	OFRecord         feature = 1, a map from texts to Feature
//
//	Features         feature = 1, a map from texts to Feature
//	FeatureLists     feature_list = 1, a map from texts to FeatureList
//	FeatureList      feature = 1, each of them a step
//	Feature          one list: bytes_list = 1, float_list = 2, int64_list = 3
//	                 of an OFRecord:  …, double_list = 3, int32_list = 4, int64_list = 5
//	an entry of a map: key = 1, value = 2        a list: value = 1
//
// They are those of tensorflow/core/example/{example,feature}.proto and of
// oneflow/core/record/record.proto. A text of a bytes_list may be a TensorProto,
// which [ReadTensor] reads:
//
//	TensorProto      dtype = 1, tensor_shape = 2 ► dim = 2 ► size = 1, tensor_content = 4 or string_val = 8
//
// That is of tensorflow/core/framework/{tensor,tensor_shape}.proto.
package message
