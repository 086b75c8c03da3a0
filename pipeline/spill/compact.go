package spill

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
)

// What runs have many of, some thousands for each of some ten thousand runs, is stored
// as a text: numbers as varints, in base64.
//
//	segmentList   each: offset, less the end of the one before | bytes
//	bucketList    splits | each: bytes | rows of each split
//	checkList     each: file, less the one before | check
type (
	segmentList []Segment
	bucketList  []Bucket
	checkList   []Checked
)

// MarshalText is the list as it is stored.
func (list segmentList) MarshalText() ([]byte, error) {
	var b []byte
	end := int64(0)
	for _, s := range list {
		b = binary.AppendVarint(b, s.Offset-end)
		b = binary.AppendVarint(b, s.Bytes)
		end = s.Offset + s.Bytes
	}
	return encoded(b), nil
}

// UnmarshalText reads what MarshalText stored.
func (list *segmentList) UnmarshalText(text []byte) error {
	n, err := decoded(text)
	*list = nil
	for end := int64(0); err == nil && len(n.buf) > 0; {
		s := Segment{Offset: end + n.next()}
		s.Bytes = n.next()
		*list, end, err = append(*list, s), s.Offset+s.Bytes, n.err
	}
	return err
}

// MarshalText is the list as it is stored.
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
	return encoded(b), nil
}

// UnmarshalText reads what MarshalText stored.
func (list *bucketList) UnmarshalText(text []byte) error {
	n, err := decoded(text)
	if err != nil {
		return err
	}
	splits := int(n.next())
	if splits < 0 || splits > len(n.buf) {
		return errCompact
	}
	rows := make([]int, 0, len(n.buf)) // of all; each takes a byte at least
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

// MarshalText is the list as it is stored.
func (list checkList) MarshalText() ([]byte, error) {
	var b []byte
	file := 0
	for _, c := range list {
		b = append(binary.AppendVarint(b, int64(c.File-file)), c.Check)
		file = c.File
	}
	return encoded(b), nil
}

// UnmarshalText reads what MarshalText stored.
func (list *checkList) UnmarshalText(text []byte) error {
	n, err := decoded(text)
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

func encoded(b []byte) []byte { return base64.StdEncoding.AppendEncode(nil, b) }

func decoded(text []byte) (numbers, error) {
	b, err := base64.StdEncoding.AppendDecode(nil, text)
	return numbers{buf: b}, err
}

var errCompact = errors.New("what a run holds is damaged")

// numbers are varints one after another. After damage they are zeros.
type numbers struct {
	buf []byte
	err error
}

func (n *numbers) next() int64 {
	v, size := binary.Varint(n.buf)
	if size <= 0 {
		n.buf, n.err = nil, errCompact
		return 0
	}
	n.buf = n.buf[size:]
	return v
}
