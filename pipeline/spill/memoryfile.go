package spill

import (
	"io"
	"sync"

	"tfr-build/internal/bug"
)

// A MemoryFile is a spill file in memory, for commands that write nothing. The zero value is empty.
type MemoryFile struct {
	mu     sync.RWMutex
	blocks [][]byte
	size   int64
}

const memoryBlock = 1 << 20

// WriteAt implements io.WriterAt.
func (f *MemoryFile) WriteAt(b []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.size = max(f.size, off+int64(len(b)))
	for int64(len(f.blocks))*memoryBlock < f.size {
		f.blocks = append(f.blocks, make([]byte, memoryBlock))
	}
	n := 0
	for n < len(b) {
		at := off + int64(n)
		n += copy(f.blocks[at/memoryBlock][at%memoryBlock:], b[n:])
	}
	return n, nil
}

// ReadAt implements io.ReaderAt.
func (f *MemoryFile) ReadAt(b []byte, off int64) (int, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	n := 0
	for n < len(b) && off+int64(n) < f.size {
		at := off + int64(n)
		block := f.blocks[at/memoryBlock]
		most := min(memoryBlock, f.size-at/memoryBlock*memoryBlock)
		n += copy(b[n:], block[at%memoryBlock:most])
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// Size returns the size of the file in bytes.
func (f *MemoryFile) Size() int64 { return f.size }

// Finish implements [NewFile].
func (*MemoryFile) Finish() (string, error) { return "", nil }

// Discard removes the content of the file.
func (f *MemoryFile) Discard() { f.blocks, f.size = nil, 0 }

// Differs implements [rows.File].
func (f *MemoryFile) Differs() error { return bug.Errorf("rows in memory differ") }
