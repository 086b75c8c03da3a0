package arrayrecord

import (
	"bytes"
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// An Entry is what the footer says of a chunk.
type Entry struct {
	Offset  int64
	Size    int64 // bytes of its records
	Records int64
}

var errMessage = errors.New("a message of the footer is damaged")

// eachField calls visit with the fields of a message: x of those that are varints,
// text of those that are bytes.
func eachField(b []byte, visit func(number protowire.Number, x uint64, text []byte)) error {
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return errMessage
		}
		b = b[n:]
		switch kind {
		case protowire.VarintType:
			x, n := protowire.ConsumeVarint(b)
			if n < 0 {
				return errMessage
			}
			visit(number, x, nil)
			b = b[n:]
		case protowire.BytesType:
			text, n := protowire.ConsumeBytes(b)
			if n < 0 {
				return errMessage
			}
			visit(number, 0, text)
			b = b[n:]
		default:
			return errMessage
		}
	}
	return nil
}

// metadata is what the footer begins with.
type metadata struct {
	version, chunks, records uint64
	options                  string // how the file was written
}

// parseMetadata is not ok where the record is no RiegeliFooterMetadata.
func parseMetadata(record []byte) (m metadata, ok bool) {
	inner, k := []byte(nil), 0
	err := eachField(record, func(number protowire.Number, _ uint64, text []byte) {
		if number == 1 && text != nil {
			inner = text
		}
		k++
	})
	if err != nil || inner == nil || k != 1 {
		return m, false
	}
	err = eachField(inner, func(number protowire.Number, x uint64, text []byte) {
		switch number {
		case 1:
			m.version = x
		case 2:
			m.chunks = x
		case 3:
			m.records = x
		case 4:
			m.options = string(text)
		}
	})
	return m, err == nil && m.version == formatVersion
}

// parseEntry is not ok where the record is no ArrayRecordFooter.
func parseEntry(record []byte) (e Entry, ok bool) {
	var got [4]uint64
	err := eachField(record, func(number protowire.Number, x uint64, text []byte) {
		if number < protowire.Number(len(got)) && text == nil {
			got[number] = x
		}
	})
	e = Entry{int64(got[1]), int64(got[2]), int64(got[3])}
	return e, err == nil && e.Offset > 0 && e.Size >= 0 && e.Records >= 0
}

// parseFooter returns what the records of a chunk say as a footer. It is not ok where
// they are none: then the chunk holds records.
func parseFooter(g group) (m metadata, entries []Entry, ok bool) {
	if g.left == 0 {
		return m, nil, false
	}
	left := g.left - 1
	if m, ok = parseMetadata(g.next()); !ok || m.chunks != left {
		return m, nil, false
	}
	entries = make([]Entry, left)
	for i := range entries {
		if entries[i], ok = parseEntry(g.next()); !ok {
			return m, nil, false
		}
	}
	return m, entries, true
}

// parsePostscript returns where the footer is. It is not ok where the chunk is no
// postscript.
func parsePostscript(c *chunk) (footer int64, ok bool) {
	g := c.group
	if c.begin%BlockSize != 0 || g.left != postscripts {
		return 0, false
	}
	first := g.next()
	var got [3]uint64
	err := eachField(first, func(number protowire.Number, x uint64, _ []byte) {
		if number < protowire.Number(len(got)) {
			got[number] = x
		}
	})
	for g.left > 0 {
		if !bytes.Equal(g.next(), first) {
			return 0, false
		}
	}
	return int64(got[1]), err == nil && got[2] == postscriptMagic
}

// checkFooter holds a footer against the chunks that were read. All have as many
// records as the first one, but the last, or readers take one record for another.
func checkFooter(m metadata, said, read []Entry) error {
	if len(said) != len(read) {
		return fmt.Errorf("the footer has %d chunks, and the file %d", len(said), len(read))
	}
	records := int64(0)
	for i, c := range read {
		switch {
		case said[i] != c:
			return fmt.Errorf("chunk %d is at byte %d and has %d records of %d bytes; the footer says byte %d, %d and %d",
				i, c.Offset, c.Records, c.Size, said[i].Offset, said[i].Records, said[i].Size)
		case c.Records > read[0].Records || c.Records < read[0].Records && i < len(read)-1:
			return fmt.Errorf("chunk %d has %d records, and the first %d; all but the last have as many", i, c.Records, read[0].Records)
		}
		records += c.Records
	}
	if m.records != uint64(records) {
		return fmt.Errorf("the footer has %d records, and the file %d", m.records, records)
	}
	return nil
}
