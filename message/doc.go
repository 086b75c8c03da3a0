// Package message reads the messages that a record may hold, where they lie: what
// is parsed into a tree, of a record that was made for it, takes twenty times its
// bytes. It knows nothing of files and framing.
//
//	ok := message.EachFeature(payload, func(key []byte, f message.Feature) {
//		switch f.List {
//		case message.Int64List:
//			for x := range f.Ints() { … }
//		…
//		}
//	})
//
// A tf.train.Example is, in the wire format of protobuf:
//
//	Example.features = 1 ► Features.feature = 1, a map
//	  entry: key = 1, value = 2 ► Feature: bytes_list = 1, float_list = 2 or int64_list = 3 ► value = 1
//
// The messages are those of tensorflow/core/example/{example,feature}.proto.
package message
