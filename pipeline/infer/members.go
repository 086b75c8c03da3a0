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
		at := bytes.IndexByte(text, '{') + 1
		for at > 0 && at < len(text) {
			begin := bytes.IndexByte(text[at:], '"')
			if begin < 0 {
				return // the object is empty
			}
			begin += at
			end := afterString(text, begin)
			key := text[begin+1 : end-1]
			from := end + bytes.IndexByte(text[end:], ':') + 1
			to := afterValue(text, from)
			if !yield(unescaped(key), bytes.TrimSpace(text[from:to])) {
				return
			}
			at = to + 1
		}
	}
}

// unescaped returns a key without its escapes.
func unescaped(key []byte) string {
	if bytes.IndexByte(key, '\\') < 0 {
		return string(key)
	}
	var s string
	_ = json.Unmarshal(append(append([]byte{'"'}, key...), '"'), &s) // it is a valid string
	return s
}

// afterString returns the offset after the string that begins at an offset.
func afterString(text []byte, at int) int {
	for at++; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(text)
}

// afterValue returns the offset after the value that begins at an offset: the offset of the next
// comma or closing bracket.
func afterValue(text []byte, at int) int {
	depth := 0
	for at < len(text) {
		switch text[at] {
		case '"':
			at = afterString(text, at)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return at
			}
		case ',':
			if depth == 0 {
				return at
			}
		}
		at++
	}
	return at
}
