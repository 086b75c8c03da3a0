package arrayrecord

import (
	"bytes"
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// A chunkEntry is the entry of a chunk in the footer.
type chunkEntry struct {
	Offset  int64
	Size    int64 // bytes of its records
	Records int64
}

var errMessage = errors.New("a message of the footer is damaged")

// eachField calls visit with each field of a message: with x for a varint, with text for bytes.
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

// metadata is the first message of the footer.
type metadata struct {
	version, chunks, records uint64
	options                  string // writer options
}

// parseMetadata decodes a RiegeliFooterMetadata. ok is false if the record is not one.
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

// parseEntry decodes an ArrayRecordFooter. ok is false if the record is not one.
func parseEntry(record []byte) (e chunkEntry, ok bool) {
	var got [4]uint64
	err := eachField(record, func(number protowire.Number, x uint64, text []byte) {
		if number < protowire.Number(len(got)) && text == nil {
			got[number] = x
		}
	})
	e = chunkEntry{int64(got[1]), int64(got[2]), int64(got[3])}
	return e, err == nil && e.Offset > 0 && e.Size >= 0 && e.Records >= 0
}

// parseFooter decodes the records of a chunk as a footer. ok is false if they are not a footer but
// ordinary records.
func parseFooter(g group) (m metadata, entries []chunkEntry, ok bool) {
	if g.left == 0 {
		return m, nil, false
	}
	left := g.left - 1
	if m, ok = parseMetadata(g.next()); !ok || m.chunks != left {
		return m, nil, false
	}
	entries = make([]chunkEntry, left)
	for i := range entries {
		if entries[i], ok = parseEntry(g.next()); !ok {
			return m, nil, false
		}
	}
	return m, entries, true
}

// parsePostscript returns the offset of the footer. ok is false if the chunk is not a postscript.
func parsePostscript(c *chunk) (footer int64, ok bool) {
	g := c.group
	if c.begin%blockSize != 0 || g.left != postscripts {
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

// checkFooter compares a footer with the chunks that were read. All chunks except the last must
// have the same number of records: readers compute the chunk of a record from its number.
func checkFooter(m metadata, said, read []chunkEntry) error {
	if len(said) != len(read) {
		return fmt.Errorf("the footer has %d chunks, and the file %d", len(said), len(read))
	}
	records := int64(0)
	for i, c := range read {
		switch {
		case said[i] != c:
			return fmt.Errorf("chunk %d is at byte %d and has %d records of %d bytes; the footer says byte %d, %d "+
				"and %d", i, c.Offset, c.Records, c.Size, said[i].Offset, said[i].Records, said[i].Size)
		case c.Records > read[0].Records || c.Records < read[0].Records && i < len(read)-1:
			return fmt.Errorf("chunk %d has %d records, and the first %d; all but the last have as many", i, c.Records,
				read[0].Records)
		}
		records += c.Records
	}
	if m.records != uint64(records) {
		return fmt.Errorf("the footer has %d records, and the file %d", m.records, records)
	}
	return nil
}
