package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/internal/bug"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A footer is the part of a file's metadata that locates its rows.
type footer struct {
	schema []format.SchemaElement
	groups []group
	rows   int64
}

// A group is a row group: consecutive rows, stored column after column.
type group struct {
	first, rows int64
	chunks      []chunk // by leaf
}

// A chunk is the values of a column in a row group.
type chunk struct {
	at, size int64 // in the file
	codec    format.CompressionCodec
	physical format.Type
	values   int64 // includes nulls and empty lists
	plain    int64 // total decompressed bytes of the pages
	texts    int64 // total bytes of the byte arrays after decoding; 0 if unknown
	prefixes bool  // some byte arrays may be stored without the prefix shared with the one before
}

var magic, encryptedMagic = []byte("PAR1"), []byte("PARE")

// tailSize is the size of the end of a file: the length of the footer, and the magic.
const tailSize = 8

// maxFooter limits the size of a footer. The largest footers of real files, with many thousand
// columns in many row groups, are a tenth of it.
const maxFooter = 256 << 20

// readFooter reads the footer of a file of size bytes.
func readFooter(f io.ReaderAt, size int64) (*footer, error) {
	data, end, err := readTail(f, size)
	if err != nil {
		return nil, err
	}
	return parseFooter(data, end)
}

// readTail reads the bytes of a file's footer. end is the offset of the footer's first byte,
// where the data ends.
func readTail(f io.ReaderAt, size int64) (data []byte, end int64, err error) {
	begin, tail := make([]byte, len(magic)), make([]byte, tailSize)
	if err := readAt(f, begin[:min(size, int64(len(begin)))], 0); err != nil {
		return nil, 0, err
	}
	switch {
	case size == 0:
		return nil, 0, input.Mismatch("PARQUET_FORMAT", "is empty; expected a Parquet file")
	case bytes.Equal(begin, encryptedMagic):
		return nil, 0, encrypted("the footer")
	case !bytes.Equal(begin, magic):
		return nil, 0, input.Mismatch("PARQUET_FORMAT",
			"is not a Parquet file: it begins with %q; expected PAR1", bytes.TrimRight(begin, "\x00"))
	case size < int64(len(magic)+tailSize):
		return nil, 0, damaged("has %d bytes, too few for a Parquet file", size)
	}
	if err := readAt(f, tail, size-tailSize); err != nil {
		return nil, 0, err
	}
	switch {
	case bytes.Equal(tail[4:], encryptedMagic):
		return nil, 0, encrypted("the footer")
	case !bytes.Equal(tail[4:], magic):
		return nil, 0, damaged("ends with %q, expected PAR1: it is cut off, or still being written", tail[4:])
	}
	length := int64(binary.LittleEndian.Uint32(tail))
	if length > size-tailSize-int64(len(magic)) || length > maxFooter {
		return nil, 0, damaged("claims a footer of %d bytes; the file has %d", length, size)
	}
	data, end = make([]byte, length), size-tailSize-length
	if err := readAt(f, data, end); err != nil {
		return nil, 0, err
	}
	return data, end, nil
}

// readAt fills p with the bytes from offset off.
func readAt(f io.ReaderAt, p []byte, off int64) error {
	n, err := f.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	if err == io.EOF {
		err = files.ErrChanged
	}
	return err
}

func encrypted(what string) error {
	return input.Mismatch("PARQUET_ENCRYPTED", "%s is encrypted; expected a file without encryption", what)
}

// parseFooter parses a footer that begins at offset end of its file.
func parseFooter(data []byte, end int64) (*footer, error) {
	meta := new(fileMetadata)
	if _, err := decode(data, meta); err != nil {
		return nil, damaged("the footer cannot be read: %v", err)
	}
	if meta.EncryptionAlgorithm.Value != nil {
		return nil, encrypted("the file")
	}
	f := &footer{schema: meta.Schema, rows: meta.NumRows}
	rows := int64(0)
	for i := range meta.RowGroups {
		g := &meta.RowGroups[i]
		if g.NumRows < 0 || g.NumRows > maxRows-rows {
			return nil, damaged("row group %d claims %d rows", i, g.NumRows)
		}
		of := group{first: rows, rows: g.NumRows}
		for k := range g.Columns {
			c, err := newChunk(&g.Columns[k], end)
			if err != nil {
				return nil, inGroup(err, i, pathText(g.Columns[k].MetaData.PathInSchema))
			}
			of.chunks = append(of.chunks, c)
		}
		rows += g.NumRows
		f.groups = append(f.groups, of)
	}
	if f.rows != rows {
		return nil, input.Damaged("PARQUET_ROWS", "the footer claims %d rows, and its row groups together %d",
			f.rows, rows)
	}
	return f, nil
}

// maxRows limits the number of rows that a file may claim.
const maxRows = 1 << 40

// maxValues limits the values, and the bytes, that a column may claim in a row group, so that
// sums of them do not overflow.
const maxValues = 1 << 48

// inGroup adds the row group and the column to the message of an error.
func inGroup(err error, number int, column string) error {
	where := fmt.Sprintf("row group %d, column %s", number, column)
	switch e := err.(type) {
	case *input.Damage:
		return e.In(where + ": ")
	case *input.MismatchError:
		return e.In("", where+": ")
	case *bug.Error:
		return bug.Of(e, where)
	}
	return err
}

// newChunk returns the checked metadata of a chunk. end is the offset of the footer.
func newChunk(of *chunkMetadata, end int64) (c chunk, err error) {
	m := &of.MetaData
	switch {
	case of.CryptoMetadata.Value != nil || len(of.EncryptedColumnMetadata) > 0:
		return c, encrypted("the column")
	case of.FilePath != "":
		return c, unsupported("is in another file, %q", of.FilePath)
	case len(m.Encoding) == 0 && len(m.PathInSchema) == 0:
		return c, damaged("the footer says nothing of it")
	}
	c = chunk{
		at: m.DataPageOffset, size: m.TotalCompressedSize, codec: m.Codec, physical: m.Type, values: m.NumValues,
		plain: m.TotalUncompressedSize,
		texts: m.SizeStatistics.UnencodedByteArrayDataBytes,
	}
	if d := m.DictionaryPageOffset; d > 0 && d < c.at {
		c.at = d
	}
	for _, e := range m.Encoding {
		c.prefixes = c.prefixes || e == format.DeltaByteArray
	}
	switch {
	case c.values == 0:
		c.size = 0 // a chunk without values may have any offset
	case c.at < int64(len(magic)) || c.size < 0 || c.at > end || c.size > end-c.at:
		return c, damaged("claims %d bytes at byte %d, but the footer begins at byte %d", c.size, c.at, end)
	case c.values < 0 || c.values > maxValues || c.plain < 0 || c.plain > maxValues || c.texts < 0 ||
		c.texts > maxValues:
		return c, damaged("claims %d values in %d bytes", c.values, c.plain)
	}
	return c, nil
}
