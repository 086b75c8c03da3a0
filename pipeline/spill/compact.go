package spill

import (
	"encoding/base64"
	"encoding/binary"
	"errors"

	"tfr-build/internal/varint"
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
	for err == nil && n.HasMore() {
		*list = append(*list, uint32(n.Signed()))
		err = damage(&n)
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
	for end := int64(0); err == nil && n.HasMore(); {
		s := Segment{Offset: end + n.Signed()}
		s.Bytes = n.Signed()
		*list, end, err = append(*list, s), s.Offset+s.Bytes, damage(&n)
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
	splits := int(n.Signed())
	if splits < 0 || splits > n.Len() {
		return errCompact
	}
	rows := make([]int, 0, n.Len()) // of all buckets; each number takes at least one byte
	*list = make(bucketList, 0, n.Len()/(1+splits))
	for n.HasMore() {
		bytes, from := n.Signed(), len(rows)
		for range splits {
			rows = append(rows, int(n.Signed()))
		}
		*list = append(*list, Bucket{bytes, rows[from:len(rows):len(rows)]})
	}
	return damage(&n)
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
	for file := int64(0); err == nil && n.HasMore(); {
		file += n.Signed()
		*list = append(*list, Checked{int(file), n.Byte()})
		err = damage(&n)
	}
	return err
}

func encodeList(b []byte) []byte { return base64.StdEncoding.AppendEncode(nil, b) }

func decodeList(text []byte) (varint.Reader, error) {
	b, err := base64.StdEncoding.AppendDecode(nil, text)
	return varint.NewReader(b), err
}

// damage returns an error if a list is damaged, else nil.
func damage(n *varint.Reader) error {
	if n.IsDamaged() {
		return errCompact
	}
	return nil
}

var errCompact = errors.New("the lists of a spill file are damaged")
