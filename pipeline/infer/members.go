package infer

import (
	"bytes"
	"encoding/json"
	"iter"
)

// members yields the keys of an object and the JSON of their values, in order. The object must be
// valid JSON.
func members(text []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		depth, value := 0, 0 // value is where the member's value begins; 0 before it
		var key []byte
		for at := 0; at < len(text); at++ {
			switch c := text[at]; c {
			case '"':
				begin := at
				for at++; text[at] != '"'; at++ {
					if text[at] == '\\' {
						at++
					}
				}
				if value == 0 {
					key = text[begin : at+1]
				}
			case ':':
				if value == 0 {
					value = at + 1
				}
			case '{', '[':
				depth++
			case ',', '}', ']':
				if c != ',' {
					depth--
				}
				if value == 0 || depth > 1 || depth == 1 && c != ',' {
					continue
				}
				if !yield(unescaped(key), bytes.TrimSpace(text[value:at])) {
					return
				}
				value = 0
			}
		}
	}
}

// unescaped returns the string that a key is.
func unescaped(key []byte) string {
	if bytes.IndexByte(key, '\\') < 0 {
		return string(key[1 : len(key)-1])
	}
	var s string
	_ = json.Unmarshal(key, &s) // it is a valid string
	return s
}
