package arrayrecord

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"tfr-build/tfrecord"
)

// MaxRecord is the size of the longest record that is read, in bytes.
const MaxRecord = tfrecord.MaxInMemory

// The first byte of the data of chunks that cannot be read.
const (
	brotliData = 'b'
	snappyData = 's'
)

// A group is the records of a chunk that were not returned yet. Their sizes are valid.
type group struct {
	sizes  []byte // varints
	values []byte
	left   uint64 // number of records
}

// length returns the size of the next record.
func (g *group) length() int {
	n, _ := binary.Uvarint(g.sizes)
	return int(n)
}

// next returns the next record.
func (g *group) next() []byte {
	n, k := binary.Uvarint(g.sizes)
	record := g.values[:n:n]
	g.sizes, g.values = g.sizes[k:], g.values[n:]
	g.left--
	return record
}

// A RefusedError describes a valid file that this package cannot read.
type RefusedError struct {
	File   string
	Record int64  // number of the first record that cannot be read, from 0
	Offset int64  // offset of its chunk
	Reason string // what was found and what was expected
}

func (e *RefusedError) Error() string {
	text := fmt.Sprintf("record %d at byte %d: %s", e.Record, e.Offset, e.Reason)
	if e.File != "" {
		text = e.File + ": " + text
	}
	return text
}

// refuse returns a RefusedError. The caller sets its file and position.
func refuse(reason string) error { return &RefusedError{Reason: reason} }

// unsupported returns the error of a compression that cannot be read.
func unsupported(b byte) error {
	switch b {
	case brotliData:
		return refuse("its chunk is compressed with brotli; expected zstd or no compression")
	case snappyData:
		return refuse("its chunk is compressed with snappy; expected zstd or no compression")
	}
	return fmt.Errorf("its chunk has an unknown compression, %#02x", b)
}

// A decoder decodes chunks of records.
type decoder struct {
	zstd *zstd.Decoder // nil before the first use
}

// open decodes the records of a chunk whose hash is valid. It checks the claimed sizes against the
// existing bytes before it allocates memory.
func (u *decoder) open(c *chunk) error {
	if c.Type == transposedType {
		return refuse("its chunk is transposed; expected simple chunks, as transpose:false writes them")
	}
	if len(c.data) == 0 {
		return errors.New("its chunk has no data")
	}
	compression := c.data[0]
	if compression != uncompressedData && compression != zstdData {
		return unsupported(compression)
	}
	n, k := binary.Uvarint(c.data[1:])
	rest := c.data[1+max(k, 0):]
	if k <= 0 || n > uint64(len(rest)) {
		return errors.New("the sizes of its chunk's records are cut off")
	}
	sizes, values := rest[:n], rest[n:]
	if compression == zstdData {
		var err error
		if sizes, values, err = u.decompressParts(c, sizes, values); err != nil {
			return err
		}
	}
	if err := c.check(sizes, values); err != nil {
		return err
	}
	c.group = group{sizes, values, c.Records}
	return nil
}

// check compares the sizes of a chunk's records with its header.
func (c *chunk) check(sizes, values []byte) error {
	sum, records := uint64(0), uint64(0)
	for rest := sizes; len(rest) > 0; records++ {
		n, k := binary.Uvarint(rest)
		if k <= 0 || n > uint64(len(values))-sum {
			return fmt.Errorf("record %d of its chunk ends beyond it", records)
		}
		if n > MaxRecord {
			return fmt.Errorf("record %d of its chunk has %d bytes, above the limit of %d", records, n, MaxRecord)
		}
		sum += n
		rest = rest[k:]
	}
	switch {
	case records != c.Records:
		return fmt.Errorf("its chunk has the sizes of %d records, and %d in its header", records, c.Records)
	case sum != uint64(len(values)) || sum != c.DecodedSize:
		return fmt.Errorf("the records of its chunk have %d bytes of %d, and %d in its header", sum, len(values),
			c.DecodedSize)
	}
	return nil
}

// maxSize is the largest number of bytes of a record's size.
const maxSize = 10

// decompressParts decompresses the sizes and the values of a chunk.
func (u *decoder) decompressParts(c *chunk, sizes, values []byte) (_, _ []byte, err error) {
	nSizes, sizes, err := cutSize(sizes)
	if err != nil {
		return nil, nil, err
	}
	nValues, values, err := cutSize(values)
	switch {
	case err != nil:
		return nil, nil, err
	case nSizes < c.Records || nSizes > maxSize*c.Records:
		return nil, nil, fmt.Errorf("the sizes of %d records have %d bytes", c.Records, nSizes)
	case nValues != c.DecodedSize:
		return nil, nil, fmt.Errorf("the records of its chunk have %d bytes, and %d in its header", nValues,
			c.DecodedSize)
	}
	if u.zstd == nil {
		u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true),
			zstd.WithDecoderMaxMemory(maxChunk))
		if err != nil {
			return nil, nil, err
		}
	}
	if n := int(nSizes + nValues); cap(c.decompressed) < n {
		c.decompressed = make([]byte, n)
	}
	all := c.decompressed[:nSizes+nValues]
	if sizes, err = u.decompress(all[:0:nSizes], sizes); err == nil {
		values, err = u.decompress(all[nSizes:nSizes:len(all)], values)
	}
	return sizes, values, err
}

// decompress decompresses into dst, and returns an error unless the result fills its capacity.
func (u *decoder) decompress(dst, packed []byte) ([]byte, error) {
	plain, err := u.zstd.DecodeAll(packed, dst)
	if err == nil && len(plain) != cap(dst) {
		err = fmt.Errorf("%d bytes of %d", len(plain), cap(dst))
	}
	if err != nil {
		return nil, fmt.Errorf("its chunk cannot be decompressed: %w", err)
	}
	return plain, nil
}

// A zstd block has at most maxBlock bytes after decompression, and at least minBlock bytes before.
const maxBlock, minBlock = 128 << 10, 4

// cutSize returns the decompressed size at the beginning of a compressed part, and the rest. It
// rejects sizes that the rest cannot have.
func cutSize(part []byte) (size uint64, packed []byte, err error) {
	size, k := binary.Uvarint(part)
	if k <= 0 {
		return 0, nil, errors.New("its chunk is cut off")
	}
	packed = part[k:]
	if most := (uint64(len(packed))/minBlock + 1) * maxBlock; size > min(most, maxSize*maxChunk) {
		return 0, nil, fmt.Errorf("%d bytes of its chunk claim to be %d", len(packed), size)
	}
	return size, packed, nil
}
