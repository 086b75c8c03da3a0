package decide

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sort"

	"github.com/zeebo/xxh3"
)

// Skips has the rows that rules skip, a list for each rule. Goroutines may share it. Other processes read it as JSON,
// with its file.
type Skips struct {
	Lists []List `json:"lists"` // by the numbers of the rules
}

// A List has the rows that a rule skips, by their position in source order, each with the first of the rows
// that equal it.
type List struct {
	Count  int64   `json:"count"`
	Offset int64   `json:"offset,omitempty"` // in the file
	Blocks []Block `json:"blocks"`
	Kept   *Kept   `json:"kept,omitempty"` // of a rule that keeps digests

	file File
}

// Known is the first of equal rows if the dataset that gets them has one: it has no position.
const Known = ^uint64(0)

// A Kept says where the file has the digests of the different rows, sorted.
type Kept struct {
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
	Digest uint64 `json:"digest"`
}

// KeptSize is the size of a digest of a row that is kept.
const KeptSize = 16

// ReadKept returns the digests of the different rows, without those that were known.
func (l *List) ReadKept() ([]byte, error) {
	return l.read(nil, l.Kept.Bytes, l.Kept.Offset, l.Kept.Digest)
}

// read returns n bytes of the file that have a digest. It may use buf.
func (l *List) read(buf []byte, n, off int64, digest uint64) ([]byte, error) {
	buf = slices.Grow(buf[:0], int(n))[:n]
	got, err := l.file.ReadAt(buf, off)
	switch {
	case got == len(buf) && xxh3.Hash(buf) == digest:
		return buf, nil
	case err == nil || err == io.EOF:
		err = l.file.Differs()
	}
	return nil, err
}

// MergeKept returns the digests of two sorted lists, sorted.
func MergeKept(a, b []byte) []byte {
	all := make([]byte, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		from := &a
		if bytes.Compare(b[:KeptSize], a[:KeptSize]) < 0 {
			from = &b
		}
		all, *from = append(all, (*from)[:KeptSize]...), (*from)[KeptSize:]
	}
	return append(append(all, a...), b...)
}

// A Block describes a block of entries.
type Block struct {
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

// An entry is the position of a skipped row and of the first row that equals it.
const (
	entrySize = 16
	blockSize = 4096 * entrySize
)

// Open sets the file of the entries, which another process wrote.
func (s *Skips) Open(file File) {
	for i := range s.Lists {
		s.Lists[i].file = file
	}
}

// Any reports whether a row is skipped.
func (s *Skips) Any() bool {
	return s != nil && slices.ContainsFunc(s.Lists, func(l List) bool { return l.Count > 0 })
}

// Count returns the number of skipped rows.
func (s *Skips) Count() (n int64) {
	for i := range s.Lists {
		n += s.Lists[i].Count
	}
	return n
}

// block returns the entries of block i. It may use buf.
func (l *List) block(i int, buf []byte) ([]byte, error) {
	at := int64(i) * blockSize
	return l.read(buf, min(blockSize, l.Count*entrySize-at), l.Offset+at, l.Blocks[i].Digest)
}

// Each calls visit with the positions of each skipped row and of the first row that equals it, in
// source order.
func (l *List) Each(visit func(skipped, first uint64) error) error {
	var buf []byte
	for i := range l.Blocks {
		block, err := l.block(i, buf)
		if err != nil {
			return err
		}
		for at := 0; at < len(block); at += entrySize {
			err := visit(binary.LittleEndian.Uint64(block[at:]), binary.LittleEndian.Uint64(block[at+8:]))
			if err != nil {
				return err
			}
		}
		buf = block
	}
	return nil
}

// Check returns an error if s cannot be what a Writer wrote for so many rules.
func (s *Skips) Check(rules int) error {
	if len(s.Lists) != rules {
		return fmt.Errorf("found %d lists of skipped rows, expected %d", len(s.Lists), rules)
	}
	for i := range s.Lists {
		l := &s.Lists[i]
		blocks := (l.Count*entrySize + blockSize - 1) / blockSize
		if k := l.Kept; k != nil && (k.Offset < 0 || k.Bytes < 0 || k.Bytes%KeptSize != 0) {
			return fmt.Errorf("found %d bytes of digests at %d", k.Bytes, k.Offset)
		}
		if l.Count < 0 || l.Offset < 0 || int64(len(l.Blocks)) != blocks {
			return fmt.Errorf("found %d blocks of %d skipped rows, expected %d", len(l.Blocks), l.Count, blocks)
		}
	}
	return nil
}

// A Writer makes Skips from entries in source order, in a file. Up to Memory bytes are written at once.
type Writer struct {
	Memory int64
	File   File

	made Skips
	data []byte // entries that are not in the file
	off  int64  // of data in the file
}

// Begin begins the list of the next rule. It returns what is known of the rules before it.
func (w *Writer) Begin() (*Skips, error) {
	if err := w.flush(); err != nil {
		return nil, err
	}
	before := &Skips{slices.Clone(w.made.Lists)}
	w.made.Lists = append(w.made.Lists, List{Offset: w.off, file: w.File})
	return before, nil
}

// Add adds a skipped row and the first row that equals it.
func (w *Writer) Add(skipped, first uint64) error {
	if int64(len(w.data)) >= max(blockSize, w.Memory) && len(w.data)%blockSize == 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	l := &w.made.Lists[len(w.made.Lists)-1]
	if l.Count++; l.Count*entrySize%blockSize == entrySize {
		l.Blocks = append(l.Blocks, Block{First: skipped})
	}
	w.data = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(w.data, skipped), first)
	return nil
}

// flush moves the entries in memory to the file.
func (w *Writer) flush() error {
	if len(w.data) == 0 {
		return nil
	}
	l := &w.made.Lists[len(w.made.Lists)-1]
	for at := 0; at < len(w.data); at += blockSize {
		block := w.data[at:min(at+blockSize, len(w.data))]
		l.Blocks[(w.off-l.Offset+int64(at))/blockSize].Digest = xxh3.Hash(block)
	}
	err := w.write(w.data)
	w.data = w.data[:0]
	return err
}

// write writes data at the end of the file.
func (w *Writer) write(data []byte) error {
	_, err := w.File.WriteAt(data, w.off)
	w.off += int64(len(data))
	return err
}

// Keep adds the digests of different rows, after the last skipped row.
func (w *Writer) Keep(digests []byte) error {
	if err := w.flush(); err != nil {
		return err
	}
	w.made.Lists[len(w.made.Lists)-1].Kept = &Kept{w.off, int64(len(digests)), xxh3.Hash(digests)}
	return w.write(digests)
}

// Finish returns the skipped rows.
func (w *Writer) Finish() (*Skips, error) { return &w.made, w.flush() }

// A Cursor finds rows among Skips. It is fast for rows in source order. One goroutine may use it at a time.
type Cursor struct{ lists []listCursor }

// Cursor returns a cursor; nil if no row is skipped.
func (s *Skips) Cursor() *Cursor {
	if !s.Any() {
		return nil
	}
	c := &Cursor{}
	for i := range s.Lists {
		c.lists = append(c.lists, listCursor{of: &s.Lists[i]})
	}
	return c
}

// Rule returns the number of the rule that skips the row at a position; -1 for none.
func (c *Cursor) Rule(position uint64) (int, error) {
	for i := range c.lists {
		if skips, err := c.lists[i].has(position); skips || err != nil {
			return i, err
		}
	}
	return -1, nil
}

// A listCursor finds rows in a List.
type listCursor struct {
	of    *List
	block []byte // entries of the current block
	first uint64 // the block is for positions first … last
	last  uint64
	at    int // of the next entry in the block: those before it are before the last position
	from  uint64
	buf   []byte
}

// has reports whether the row at a position is skipped.
func (c *listCursor) has(position uint64) (bool, error) {
	if c.block == nil || position < c.first || position > c.last {
		if err := c.load(position); err != nil {
			return false, err
		}
	}
	if position < c.from {
		c.at = entrySize * sort.Search(len(c.block)/entrySize, func(i int) bool {
			return binary.LittleEndian.Uint64(c.block[i*entrySize:]) >= position
		})
	}
	c.from = position
	for ; c.at < len(c.block); c.at += entrySize {
		if skipped := binary.LittleEndian.Uint64(c.block[c.at:]); skipped >= position {
			return skipped == position, nil
		}
	}
	return false, nil
}

// load loads the block that has a position. Positions before the first block have no entries.
func (c *listCursor) load(position uint64) (err error) {
	blocks := c.of.Blocks
	i := sort.Search(len(blocks), func(i int) bool { return blocks[i].First > position })
	c.first, c.last, c.at, c.from = 0, ^uint64(0), 0, ^uint64(0)
	if i < len(blocks) {
		c.last = blocks[i].First - 1
	}
	if i == 0 {
		c.block = []byte{} // not nil: a block is loaded
		return nil
	}
	c.first = blocks[i-1].First
	if c.block, err = c.of.block(i-1, c.buf); err == nil {
		c.buf = c.block
	}
	return err
}
