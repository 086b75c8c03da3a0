package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/sources/files"
)

// A footer is what the end of a file says of its rows.
type footer struct {
	schema []format.SchemaElement
	groups []group
	rows   int64
}

// A group is a row group: some rows, column after column.
type group struct {
	first, rows int64
	chunks      []chunk // by leaf
}

// A chunk is the values of a column in a row group.
type chunk struct {
	at, size int64 // in the file
	codec    format.CompressionCodec
	physical format.Type
	values   int64 // nulls and empty lists counted
	plain    int64 // bytes of all pages, decompressed
	texts    int64 // bytes of all byte arrays, written out; 0 where nobody says
	prefixes bool  // byte arrays may be stored without the beginnings that they share
}

var magic, encryptedMagic = []byte("PAR1"), []byte("PARE")

// What a file has at its end: the size of the footer and the magic.
const tailSize = 8

// mostFooter is how long a footer may be. The longest of real files, of many
// thousand columns in many row groups, are a tenth of it.
const mostFooter = 256 << 20

// readFooter reads the footer of a file of so many bytes.
func readFooter(f io.ReaderAt, size int64) (*footer, error) {
	data, end, err := readTail(f, size)
	if err != nil {
		return nil, err
	}
	return parseFooter(data, end)
}

// readTail reads the bytes of the footer of a file, which begins at end.
func readTail(f io.ReaderAt, size int64) (data []byte, end int64, err error) {
	begin, tail := make([]byte, len(magic)), make([]byte, tailSize)
	if err := readAt(f, begin[:min(size, int64(len(begin)))], 0); err != nil {
		return nil, 0, err
	}
	switch {
	case size == 0:
		return nil, 0, &misfit{"PARQUET_FORMAT", "is empty; expected a Parquet file"}
	case bytes.Equal(begin, encryptedMagic):
		return nil, 0, encrypted("the footer")
	case !bytes.Equal(begin, magic):
		return nil, 0, &misfit{"PARQUET_FORMAT", fmt.Sprintf("is no Parquet file: it begins with %q; expected PAR1", bytes.TrimRight(begin, "\x00"))}
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
	if length > size-tailSize-int64(len(magic)) || length > mostFooter {
		return nil, 0, damaged("claims a footer of %d bytes; the file has %d", length, size)
	}
	data, end = make([]byte, length), size-tailSize-length
	if err := readAt(f, data, end); err != nil {
		return nil, 0, err
	}
	return data, end, nil
}

// readAt fills p with the bytes from an offset on.
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
	return &misfit{"PARQUET_ENCRYPTED", what + " is encrypted; expected a file without encryption"}
}

// parseFooter reads a footer, before which there are end bytes.
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
		if g.NumRows < 0 || g.NumRows > mostRows-rows {
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
		return nil, &damage{"PARQUET_ROWS", fmt.Sprintf("the footer claims %d rows, and its row groups together %d", f.rows, rows)}
	}
	return f, nil
}

// mostRows is how many rows a file may claim.
const mostRows = 1 << 40

// mostValues is how many values, and how many bytes, a column may claim in a row
// group, for sums of them to be numbers.
const mostValues = 1 << 48

// inGroup says of an error which row group and which column it is of.
func inGroup(err error, number int, column string) error {
	where := fmt.Sprintf("row group %d, column %s: ", number, column)
	switch e := err.(type) {
	case *damage:
		return &damage{e.code, where + e.text}
	case *misfit:
		return &misfit{e.code, where + e.text}
	}
	return err
}

// newChunk is what the footer says of a column in a row group, checked.
func newChunk(of *chunkMetadata, end int64) (c chunk, err error) {
	m := &of.MetaData
	switch {
	case of.CryptoMetadata.Value != nil || len(of.EncryptedColumnMetadata) > 0:
		return c, encrypted("the column")
	case of.FilePath != "":
		return c, unsupported("stands in another file, %q", of.FilePath)
	case len(m.Encoding) == 0 && len(m.PathInSchema) == 0:
		return c, damaged("the footer says nothing of it")
	}
	c = chunk{
		at: m.DataPageOffset, size: m.TotalCompressedSize, codec: m.Codec, physical: m.Type, values: m.NumValues, plain: m.TotalUncompressedSize,
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
		c.size = 0 // pages without a value need not stand anywhere
	case c.at < int64(len(magic)) || c.size < 0 || c.at > end || c.size > end-c.at:
		return c, damaged("claims %d bytes at byte %d, but the footer begins at byte %d", c.size, c.at, end)
	case c.values < 0 || c.values > mostValues || c.plain < 0 || c.plain > mostValues || c.texts < 0 || c.texts > mostValues:
		return c, damaged("claims %d values in %d bytes", c.values, c.plain)
	}
	return c, nil
}
