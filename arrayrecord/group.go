package arrayrecord

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"tfr-build/tfrecord"
)

// MaxRecord is the longest record that is read.
const MaxRecord = tfrecord.MaxHeld

// The byte that the data of a chunk begins with that is not read.
const (
	brotliData = 'b'
	snappyData = 's'
)

// A group is records of a chunk that are still to be read. Their sizes were checked.
type group struct {
	sizes  []byte // varints
	values []byte
	left   uint64 // how many they are
}

// length is that of the next record.
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

// A RefusedError says that a file is not read though it is not damaged.
type RefusedError struct {
	File   string
	Record int64  // number of the first record that is not read, from 0
	Offset int64  // of its chunk
	Reason string // what was found, and expected
}

func (e *RefusedError) Error() string {
	text := fmt.Sprintf("record %d at byte %d: %s", e.Record, e.Offset, e.Reason)
	if e.File != "" {
		text = e.File + ": " + text
	}
	return text
}

// refused is an error whose place is still to be filled in.
func refused(reason string) error { return &RefusedError{Reason: reason} }

// compressionOf says how the data of a chunk is compressed that is not read.
func compressionOf(b byte) error {
	switch b {
	case brotliData:
		return refused("its chunk is compressed with brotli; expected zstd or no compression")
	case snappyData:
		return refused("its chunk is compressed with snappy; expected zstd or no compression")
	}
	return fmt.Errorf("its chunk has an unknown compression, %#02x", b)
}

// An unpacker takes chunks of records apart.
type unpacker struct {
	zstd *zstd.Decoder // nil before the first use
}

// open finds the records of a chunk, whose hash was checked. A claim of a size is
// held against the bytes that are there before it costs memory.
func (u *unpacker) open(c *chunk) error {
	if c.Type == Transposed {
		return refused("its chunk is transposed; expected simple chunks, as transpose:false writes them")
	}
	if len(c.data) == 0 {
		return errors.New("its chunk has no data")
	}
	compression := c.data[0]
	if compression != uncompressedData && compression != zstdData {
		return compressionOf(compression)
	}
	n, k := binary.Uvarint(c.data[1:])
	rest := c.data[1+max(k, 0):]
	if k <= 0 || n > uint64(len(rest)) {
		return errors.New("the sizes of its chunk's records are cut off")
	}
	sizes, values := rest[:n], rest[n:]
	if compression == zstdData {
		var err error
		if sizes, values, err = u.unpack(c, sizes, values); err != nil {
			return err
		}
	}
	if err := c.check(sizes, values); err != nil {
		return err
	}
	c.group = group{sizes, values, c.Records}
	return nil
}

// check holds the sizes of a chunk's records against its header.
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
		return fmt.Errorf("the records of its chunk have %d bytes of %d, and %d in its header", sum, len(values), c.DecodedSize)
	}
	return nil
}

// maxSize is how many bytes the size of a record takes at most.
const maxSize = 10

// unpack decompresses the two parts of a chunk.
func (u *unpacker) unpack(c *chunk, sizes, values []byte) (_, _ []byte, err error) {
	nSizes, sizes, err := claim(sizes)
	if err != nil {
		return nil, nil, err
	}
	nValues, values, err := claim(values)
	switch {
	case err != nil:
		return nil, nil, err
	case nSizes < c.Records || nSizes > maxSize*c.Records:
		return nil, nil, fmt.Errorf("the sizes of %d records have %d bytes", c.Records, nSizes)
	case nValues != c.DecodedSize:
		return nil, nil, fmt.Errorf("the records of its chunk have %d bytes, and %d in its header", nValues, c.DecodedSize)
	}
	if u.zstd == nil {
		u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(maxChunk))
		if err != nil {
			return nil, nil, err
		}
	}
	if n := int(nSizes + nValues); cap(c.unpacked) < n {
		c.unpacked = make([]byte, n)
	}
	all := c.unpacked[:nSizes+nValues]
	if sizes, err = u.inflate(all[:0:nSizes], sizes); err == nil {
		values, err = u.inflate(all[nSizes:nSizes:len(all)], values)
	}
	return sizes, values, err
}

// inflate decompresses into dst, all of which has to be filled.
func (u *unpacker) inflate(dst, packed []byte) ([]byte, error) {
	plain, err := u.zstd.DecodeAll(packed, dst)
	if err == nil && len(plain) != cap(dst) {
		err = fmt.Errorf("%d bytes of %d", len(plain), cap(dst))
	}
	if err != nil {
		return nil, fmt.Errorf("its chunk cannot be decompressed: %w", err)
	}
	return plain, nil
}

// A block of zstd has at most maxBlock bytes, and takes at least minBlock.
const maxBlock, minBlock = 128 << 10, 4

// claim returns the size that a compressed part says it has before compression, which
// no more bytes than there can have.
func claim(part []byte) (size uint64, packed []byte, err error) {
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
