package spill

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
)

// Runs have some thousands of these values each, and a dataset may have ten thousand runs. So the
// lists are stored as strings: numbers as varints, in base64.
//
//	segmentList   each: offset, minus the end of the segment before | bytes
//	bucketList    number of splits | each: bytes | rows of each split
//	checkList     each: file, minus the file before | check
type (
	segmentList []Segment
	bucketList  []Bucket
	checkList   []Checked
	numberList  []uint32
)

// MarshalText encodes the list.
func (list numberList) MarshalText() ([]byte, error) {
	var b []byte
	for _, n := range list {
		b = binary.AppendVarint(b, int64(n))
	}
	return encodeList(b), nil
}

// UnmarshalText parses the result of MarshalText.
func (list *numberList) UnmarshalText(text []byte) error {
	n, err := decodeList(text)
	*list = nil
	for err == nil && len(n.buf) > 0 {
		*list = append(*list, uint32(n.next()))
		err = n.err
	}
	return err
}

// MarshalText encodes the list.
func (list segmentList) MarshalText() ([]byte, error) {
	var b []byte
	end := int64(0)
	for _, s := range list {
		b = binary.AppendVarint(b, s.Offset-end)
		b = binary.AppendVarint(b, s.Bytes)
		end = s.Offset + s.Bytes
	}
	return encodeList(b), nil
}

// UnmarshalText parses the result of MarshalText.
func (list *segmentList) UnmarshalText(text []byte) error {
	n, err := decodeList(text)
	*list = nil
	for end := int64(0); err == nil && len(n.buf) > 0; {
		s := Segment{Offset: end + n.next()}
		s.Bytes = n.next()
		*list, end, err = append(*list, s), s.Offset+s.Bytes, n.err
	}
	return err
}

// MarshalText encodes the list.
func (list bucketList) MarshalText() ([]byte, error) {
	splits := 0
	for i := range list {
		splits = max(splits, len(list[i].Rows))
	}
	b := binary.AppendVarint(nil, int64(splits))
	for i := range list {
		b = binary.AppendVarint(b, list[i].Bytes)
		for k := range splits {
			rows := 0
			if k < len(list[i].Rows) {
				rows = list[i].Rows[k]
			}
			b = binary.AppendVarint(b, int64(rows))
		}
	}
	return encodeList(b), nil
}

// UnmarshalText parses the result of MarshalText.
func (list *bucketList) UnmarshalText(text []byte) error {
	n, err := decodeList(text)
	if err != nil {
		return err
	}
	splits := int(n.next())
	if splits < 0 || splits > len(n.buf) {
		return errCompact
	}
	rows := make([]int, 0, len(n.buf)) // of all buckets; each number takes at least one byte
	*list = make(bucketList, 0, len(n.buf)/(1+splits))
	for n.err == nil && len(n.buf) > 0 {
		bytes, from := n.next(), len(rows)
		for range splits {
			rows = append(rows, int(n.next()))
		}
		*list = append(*list, Bucket{bytes, rows[from:len(rows):len(rows)]})
	}
	return n.err
}

// MarshalText encodes the list.
func (list checkList) MarshalText() ([]byte, error) {
	var b []byte
	file := 0
	for _, c := range list {
		b = append(binary.AppendVarint(b, int64(c.File-file)), c.Check)
		file = c.File
	}
	return encodeList(b), nil
}

// UnmarshalText parses the result of MarshalText.
func (list *checkList) UnmarshalText(text []byte) error {
	n, err := decodeList(text)
	*list = nil
	for file := int64(0); err == nil && len(n.buf) > 0; {
		file += n.next()
		if n.err != nil || len(n.buf) == 0 {
			return errCompact
		}
		*list = append(*list, Checked{int(file), n.buf[0]})
		n.buf = n.buf[1:]
	}
	return err
}

func encodeList(b []byte) []byte { return base64.StdEncoding.AppendEncode(nil, b) }

func decodeList(text []byte) (varints, error) {
	b, err := base64.StdEncoding.AppendDecode(nil, text)
	return varints{buf: b}, err
}

var errCompact = errors.New("what a run holds is damaged")

// varints reads one varint after another. After damage it returns zeros, and err is set.
type varints struct {
	buf []byte
	err error
}

func (n *varints) next() int64 {
	v, size := binary.Varint(n.buf)
	if size <= 0 {
		n.buf, n.err = nil, errCompact
		return 0
	}
	n.buf = n.buf[size:]
	return v
}
