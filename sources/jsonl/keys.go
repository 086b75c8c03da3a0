package jsonl

import (
	"bytes"
	"cmp"
	"slices"

	"tfr-build/schema"
)

// A keyRef is a key of an object that is open.
type keyRef struct {
	at   uint32 // offset of its opening quote in the row
	text uint32 // offset of its text in the row or, if decoded, in names
	size uint32 // length of the text, and the flag decoded
	hash uint32 // hash: equal for equal keys, and rarely for others
}

const decoded = 1 << 31 // no key of a row has this size, see maxRecord

// scanKey parses a key and its colon at p, and adds the key to the keys of the open object. It
// returns the key's text and the offset of its value.
func (s *Scanner) scanKey(data []byte, p int) (text []byte, value int, err error) {
	if at(data, p) != '"' {
		return nil, 0, s.syntaxError(data, p, "a key in quotes")
	}
	k := keyRef{at: uint32(p), text: uint32(p + 1)}
	q := special(data, p+1)
	end := q + 1
	if text = data[p+1 : q]; at(data, q) != '"' {
		from := len(s.names)
		if s.names, end, err = s.decode(s.names, data, p+1, q); err != nil {
			return nil, 0, err
		}
		text = s.names[from:]
		k.text, k.size = uint32(from), decoded
	}
	k.size |= uint32(len(text))
	k.hash = hashKey(text)
	s.keys = append(s.keys, k)
	if p = s.skipSpace(data, end); at(data, p) != ':' {
		return nil, 0, s.syntaxError(data, p, "a colon after the key")
	}
	return text, s.skipSpace(data, p+1), nil
}

func (s *Scanner) keyText(data []byte, k keyRef) []byte {
	if k.size&decoded != 0 {
		data = s.names
	}
	return data[k.text:][:k.size&^decoded]
}

func hashKey(text []byte) uint32 {
	m := uint32(len(text))
	if n := len(text); n > 0 {
		m = m*31 + uint32(text[0])
		m = m*31 + uint32(text[n/2])
		m = m*31 + uint32(text[n-1])
	}
	return m
}

// closeObject removes the keys from base on, which belong to one object. It returns an error if two
// of them are equal. It sorts them, so that no object takes quadratic time.
func (s *Scanner) closeObject(data []byte, base int) error {
	keys := s.keys[base:]
	s.keys = s.keys[:base]
	if s.grammarOnly {
		return nil
	}
	slices.SortFunc(keys, func(a, b keyRef) int {
		if a.hash != b.hash {
			return cmp.Compare(a.hash, b.hash)
		}
		return cmp.Or(bytes.Compare(s.keyText(data, a), s.keyText(data, b)), cmp.Compare(a.at, b.at))
	})
	// The error names the first duplicate in the row.
	first := -1
	for i := 1; i < len(keys); i++ {
		if keys[i].hash == keys[i-1].hash && bytes.Equal(s.keyText(data, keys[i]), s.keyText(data, keys[i-1])) &&
			(first < 0 || keys[i].at < keys[first].at) {
			first = i
		}
	}
	if first < 0 {
		return nil
	}
	return s.duplicateKey(data, keys[first-1], keys[first])
}

func (s *Scanner) duplicateKey(data []byte, first, second keyRef) error {
	return rowError("JSON_DUP_KEY", int(second.at), "duplicate key %s: first at byte %d, again at byte %d",
		schema.Quote(s.keyText(data, first)), first.at+1, second.at+1)
}
