package message

import (
	"encoding/hex"
	"fmt"
	"slices"
	"testing"
)

// TestReadTensor has tensors that tf.io.serialize_tensor writes, and others.
func TestReadTensor(t *testing.T) {
	for _, c := range []struct{ hex, want string }{
		{"08031200220401000000", "int32 [] 01000000 []"},
		{"080112041202080222080000803f00000040", "float32 [2] 0000803f00000040 []"},
		{"08011208120208021202080222100000803f000000400000404000008040",
			"float32 [2 2] 0000803f000000400000404000008040 []"},
		{"08041204120208032203010203", "uint8 [3] 010203 []"},
		{"080a12041202080222020100", "bool [2] 0100 []"},
		{"080912021200", "int64 [0]  []"},
		{"08131204120208012202003c", "float16 [1] 003c []"},
		{"080e1204120208012202803f", "bfloat16 [1] 803f []"},
		{"080712041202080242026162420163", "string [2]  [ab c]"},
		{"08071200" + "4200", "string []  []"},
		{"0804120412020801" + "2202ffff", ""},                                   // longer than its shape
		{"0804120412020802" + "2201ff", ""},                                     // shorter
		{"080412041202080138ff01", ""},                                          // in int_val
		{"08071204120208022201ff", ""},                                          // a string with content
		{"0803120022040100000042017a", ""},                                      // numbers with a string
		{"081212022201ff", ""},                                                  // complex128
		{"120022040100000000", ""},                                              // without a dtype
		{"0804120b120908ffffffffffffffffff01", ""},                              // a negative length
		{"0803" + "1214" + "120808ffffffffffff3f" + "120808ffffffffffff3f", ""}, // more elements than there can be
		{"0803" + "120e" + "120808ffffffffffff3f" + "1202" + "0800", "int32 [281474976710655 0]  []"},
		{"0803120418010801", ""}, // of unknown rank
		{"ff", ""},
		{"", ""},
	} {
		data, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(err)
		}
		tensor, ok := ReadTensor(data)
		got := fmt.Sprintf("%s %d %x %s", tensor.Dtype, tensor.Shape, tensor.Content, slices.Collect(tensor.Strings()))
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s: %v, %s; want %s", c.hex, ok, got, c.want)
		}
	}
}

// FuzzReadTensor decodes any bytes.
func FuzzReadTensor(f *testing.F) {
	f.Add([]byte("\x08\x07\x12\x04\x12\x02\x08\x02\x42\x02ab\x42\x01c"))
	f.Add([]byte("\x08\x01\x12\x08\x12\x02\x08\x02\x12\x02\x08\x02\x22\x10\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40" +
		"\x40\x00\x00\x80\x40"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tensor, ok := ReadTensor(data)
		if !ok {
			return
		}
		elements := int64(1)
		for _, n := range tensor.Shape {
			elements *= n
		}
		if texts := len(slices.Collect(tensor.Strings())); tensor.Dtype == "string" && int64(texts) != elements ||
			elements > int64(len(data)) {
			t.Errorf("%x: %d elements, %d texts", data, elements, texts)
		}
	})
}
