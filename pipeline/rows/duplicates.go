package rows

import (
	"encoding/binary"
	"fmt"
	"io"
	"sort"

	"github.com/zeebo/xxh3"
)

// Duplicates has the rows that `dedupe` skips, by their position in source order, each with the
// row that stays. Goroutines may share it. Other processes read it as JSON, with its file.
type Duplicates struct {
	Count  int64            `json:"count"`
	Blocks []DuplicateBlock `json:"blocks"`

	data []byte // all entries, if they are not in the file
	file File
}

// A DuplicateBlock describes a block of entries.
type DuplicateBlock struct {
	First  uint64 `json:"first"` // position of the first skipped row
	Digest uint64 `json:"digest"`
}

// A File stores entries. Several goroutines may read and write different ranges at once.
type File interface {
	io.ReaderAt
	io.WriterAt
	// Differs returns the error of a file that does not have the written content.
	Differs() error
}

// An entry is the position of a skipped row and of the row that stays.
const (
	duplicateSize  = 16
	duplicateBlock = 4096 * duplicateSize
)

// Open sets the file of the entries, which another process wrote.
func (d *Duplicates) Open(file File) { d.file = file }

// size returns the number of bytes of block i.
func (d *Duplicates) size(i int) int {
	return int(min(duplicateBlock, d.Count*duplicateSize-int64(i)*duplicateBlock))
}

// block returns the entries of block i. It may use buf.
func (d *Duplicates) block(i int, buf []byte) ([]byte, error) {
	n := d.size(i)
	if d.file == nil {
		return d.data[i*duplicateBlock:][:n], nil
	}
	if cap(buf) < n {
		buf = make([]byte, duplicateBlock)
	}
	buf = buf[:n]
	if got, err := d.file.ReadAt(buf, int64(i)*duplicateBlock); got < n {
		if err == nil || err == io.EOF {
			err = d.file.Differs()
		}
		return nil, err
	}
	if xxh3.Hash(buf) != d.Blocks[i].Digest {
		return nil, d.file.Differs()
	}
	return buf, nil
}

// Each calls visit with the positions of each skipped row and of the row that stays, in source
// order.
func (d *Duplicates) Each(visit func(skipped, stays uint64) error) error {
	var buf []byte
	for i := range d.Blocks {
		block, err := d.block(i, buf)
		if err != nil {
			return err
		}
		for at := 0; at < len(block); at += duplicateSize {
			err := visit(binary.LittleEndian.Uint64(block[at:]), binary.LittleEndian.Uint64(block[at+8:]))
			if err != nil {
				return err
			}
		}
		buf = block
	}
	return nil
}

// Check returns an error if d cannot be what Writer wrote.
func (d *Duplicates) Check() error {
	if blocks := (d.Count*duplicateSize + duplicateBlock - 1) / duplicateBlock; d.Count < 0 || int64(len(d.Blocks)) != blocks {
		return fmt.Errorf("found %d blocks of %d duplicates, expected %d", len(d.Blocks), d.Count, blocks)
	}
	return nil
}

// A DuplicateWriter makes Duplicates from entries in source order, in the file that Create creates.
// Up to Memory bytes are written at once. With a nil Create, all entries stay in memory.
type DuplicateWriter struct {
	Memory int64
	Create func() (File, error)

	made Duplicates
	data []byte // entries that are not in the file
	off  int64  // of data in the file
}

// Add adds a skipped row and the row that stays.
func (w *DuplicateWriter) Add(skipped, stays uint64) error {
	if int64(len(w.data)) >= max(duplicateBlock, w.Memory) && len(w.data)%duplicateBlock == 0 && w.Create != nil {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if w.made.Count++; w.made.Count*duplicateSize%duplicateBlock == duplicateSize {
		w.made.Blocks = append(w.made.Blocks, DuplicateBlock{First: skipped})
	}
	w.data = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(w.data, skipped), stays)
	return nil
}

// flush moves the entries in memory to the file.
func (w *DuplicateWriter) flush() (err error) {
	if w.made.file == nil {
		if w.made.file, err = w.Create(); err != nil {
			return err
		}
	}
	if len(w.data) == 0 {
		return nil
	}
	for at := 0; at < len(w.data); at += duplicateBlock {
		block := w.data[at:min(at+duplicateBlock, len(w.data))]
		w.made.Blocks[(w.off+int64(at))/duplicateBlock].Digest = xxh3.Hash(block)
	}
	_, err = w.made.file.WriteAt(w.data, w.off)
	w.off += int64(len(w.data))
	w.data = w.data[:0]
	return err
}

// Finish returns the duplicates. All are in the file if Create is not nil.
func (w *DuplicateWriter) Finish() (*Duplicates, error) {
	if w.Create != nil {
		if err := w.flush(); err != nil {
			return nil, err
		}
		return &w.made, nil
	}
	w.made.data = w.data
	return &w.made, nil
}

// A duplicateCursor finds rows among Duplicates. It is fast for rows in source order. One goroutine
// may use it at a time.
type duplicateCursor struct {
	of    *Duplicates
	block []byte // entries of the current block
	first uint64 // the block is for positions first … last
	last  uint64
	at    int // of the next entry in the block: those before it are before the last position
	from  uint64
	buf   []byte
}

// has reports whether the row at a position is skipped.
func (c *duplicateCursor) has(place uint64) (bool, error) {
	if c.block == nil || place < c.first || place > c.last {
		if err := c.load(place); err != nil {
			return false, err
		}
	}
	if place < c.from {
		c.at = duplicateSize * sort.Search(len(c.block)/duplicateSize, func(i int) bool {
			return binary.LittleEndian.Uint64(c.block[i*duplicateSize:]) >= place
		})
	}
	c.from = place
	for ; c.at < len(c.block); c.at += duplicateSize {
		if skipped := binary.LittleEndian.Uint64(c.block[c.at:]); skipped >= place {
			return skipped == place, nil
		}
	}
	return false, nil
}

// load loads the block that has a position. Positions before the first block have no entries.
func (c *duplicateCursor) load(place uint64) (err error) {
	blocks := c.of.Blocks
	i := sort.Search(len(blocks), func(i int) bool { return blocks[i].First > place })
	c.first, c.last, c.at, c.from = 0, ^uint64(0), 0, ^uint64(0)
	if i < len(blocks) {
		c.last = blocks[i].First - 1
	}
	if i == 0 {
		c.block = []byte{} // not nil: a block is loaded
		return nil
	}
	c.first = blocks[i-1].First
	if c.block, err = c.of.block(i-1, c.buf); err == nil && c.of.file != nil {
		c.buf = c.block
	}
	return err
}
