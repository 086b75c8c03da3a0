package vfstest

import "math/rand/v2"

// blockSize is how many bytes a disk keeps or loses together.
const blockSize = 4096

// A content is the bytes of a file: as they are, and as the last sync made them durable. It also
// has the changes since then, which may have reached the disk.
type content struct {
	data      []byte
	safe      []byte
	dirty     []bool // blocks of data that were written since the last sync
	shortest  int    // smallest length of data since the last sync
	allocated int64  // bytes reserved by Allocate
}

// space returns how much of the capacity the file takes.
func (c *content) space() int64 { return max(int64(len(c.data)), c.allocated) }

// touch marks the blocks of the bytes from a to b, which is more than a, as written.
func (c *content) touch(a, b int) {
	last := (b - 1) / blockSize
	if more := last + 1 - len(c.dirty); more > 0 {
		c.dirty = append(c.dirty, make([]bool, more)...)
	}
	for i := a / blockSize; i <= last; i++ {
		c.dirty[i] = true
	}
}

// resize truncates the file, or extends it with zeros.
func (c *content) resize(size int) {
	if old := len(c.data); size > old {
		c.data = append(c.data, make([]byte, size-old)...)
		c.touch(old, size)
		return
	}
	c.data = c.data[:size]
	c.dirty = c.dirty[:min(len(c.dirty), blocks(size))]
	c.shortest = min(c.shortest, size)
}

func (c *content) writeAt(p []byte, off int) {
	if end := off + len(p); end > len(c.data) {
		c.resize(end)
	}
	copy(c.data[off:], p)
	c.touch(off, off+len(p))
}

// sync makes the bytes and the length durable.
func (c *content) sync() {
	same := min(len(c.safe), len(c.data))
	c.safe = append(c.safe[:same], make([]byte, len(c.data)-same)...)
	for i, dirty := range c.dirty {
		if dirty {
			a, b := c.block(i)
			copy(c.safe[a:b], c.data[a:b])
		}
	}
	c.markClean()
}

// markClean makes written blocks count as durable, although they may not be.
func (c *content) markClean() {
	clear(c.dirty)
	c.shortest = len(c.data)
}

// crash returns the bytes after a crash. Some of the blocks that were not synced are kept. The
// others have their durable bytes, or garbage where they changed: a disk changes only bytes that
// are written to it. The length is between the durable one and the last one, and covers the
// blocks that are kept.
func (c *content) crash(how Crash, r *rand.Rand) []byte {
	disk := c.safe
	if c.shortest < len(disk) && r.Float64() < how.Keep {
		disk = disk[:c.shortest]
	}
	left := make([]byte, max(len(disk), len(c.data)))
	copy(left, disk)
	least := len(disk)
	for i, dirty := range c.dirty {
		if !dirty {
			continue
		}
		a, b := c.block(i)
		switch {
		case r.Float64() < how.Keep:
			copy(left[a:b], c.data[a:b])
			least = max(least, b)
		case how.Garbage && r.IntN(2) == 0:
			for ; a < b; a++ {
				if a >= len(disk) || disk[a] != c.data[a] {
					left[a] = byte(r.Uint32())
				}
			}
		}
	}
	if least < len(left) && r.IntN(2) == 0 {
		least += r.IntN(len(left) - least + 1)
	}
	return left[:least]
}

// block returns the offsets of the beginning and the end of block i.
func (c *content) block(i int) (a, b int) {
	return i * blockSize, min((i+1)*blockSize, len(c.data))
}

func blocks(size int) int { return (size + blockSize - 1) / blockSize }
