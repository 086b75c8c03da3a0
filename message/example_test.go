package message_test

import (
	"fmt"

	"tfr-build/message"
)

func ExampleEach() {
	payload := []byte("\x0a\x17\x0a\x15\x0a\x05sizes\x12\x0c\x1a\x0a\x0a\x08\x01\x02\x03\x04\x05\x06\x07\x08")
	ok := message.Each(message.Example, payload, func(key []byte, f message.Feature) {
		sum := int64(0)
		for x := range f.Ints() {
			sum += x
		}
		fmt.Printf("%s: %d values of an %s, the sum is %d\n", key, f.Count, f.List, sum)
	})
	fmt.Println(ok)
	// Output:
	// sizes: 8 values of an int64_list, the sum is 36
	// true
}

func ExampleParser() {
	line := []byte(`{"features":{"feature":{"name":{"bytesList":{"value":["Z29hdA=="]}}}}}`)
	var p message.Parser
	payload, kind, err := p.Parse(nil, line)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(payload), "bytes of an", kind)
	var m message.Message
	if err := m.Read(kind, payload); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", m.AppendJSON(nil))
	// Output:
	// 20 bytes of an Example
	// {"features":{"feature":{"name":{"bytesList":{"value":["Z29hdA=="]}}}}}
}
