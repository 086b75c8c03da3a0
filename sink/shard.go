package sink

import (
	"context"
	"fmt"
	"hash"
	"hash/adler32"
	"sync/atomic"

	"tfr-build/internal/crc32c"
	"tfr-build/internal/store"
)

// ShardOptions say what a shard is.
type ShardOptions struct {
	Blocks      int   // how many blocks it has, with and without bytes
	SizeHint    int64 // about how many bytes it will have; 0 where nobody knows
	Compression Compression
	Layout      Layout // nil where a block is the same wherever it stands
	Digest      Digest
	// Index appends the lines about the records in data, which stands at off in the
	// file, to dst. They make a file of their own, [IndexName]. nil where none is asked
	// for, as for a shard that is compressed.
	Index func(dst, data []byte, off int64) []byte
}

// A Layout makes the bytes of a shard out of its blocks where these depend on their
// place. It is for one shard, which calls it in the order of the file. Such a shard
// has no Compression.
type Layout interface {
	// AppendHead appends what the file begins with.
	AppendHead(dst []byte) []byte

	// Place returns a block as it is in the file at an offset, where what was before
	// it ends. It may change the block, and use the room behind it.
	Place(block []byte, off int64) []byte

	// AppendTail appends what the file ends with, at an offset.
	AppendTail(dst []byte, off int64) []byte
}

// A Shard is one file of the dataset, made of blocks in their order. Workers
// write its blocks in any order, each block once.
//
// A block's turn comes when the block before it has taken its place. Whoever has
// the turn owns end and digest; the turn is handed on before the block is
// written, so that nothing waits for the disk.
type Shard struct {
	stage       *Stage
	name        string
	dir         string // that it comes to stand in
	compression Compression
	layout      Layout
	f           store.LocalFile
	kind        Digest
	turn        []chan struct{} // turn[i] holds one token when block i's turn has come
	end         int64           // where the next block begins
	digest      hash.Hash
	segments    []*segment // what has its place, in the order of the file; whoever has the turn appends
	room        []segment  // for those to come
	index       *Shard     // its index, of as many blocks; nil where there is none
	lines       func(dst, data []byte, off int64) []byte

	left    atomic.Int64 // blocks that are not written yet
	written atomic.Int64 // bytes, in whatever order
	ended   atomic.Bool  // Finish was called

	line LeftShard // what Finish noted
}

// A segment is a stretch of a shard and what its bytes must be.
type segment struct {
	off, size int64
	crc       uint32
	adler     uint32 // zlib: of the bytes before compression
	raw       int64  // zlib: their number
}

// earlyWrite is how many bytes are written before the system is told to begin
// to bring them to the disk. What it was not told of, and what it has just begun, the
// sync at the end waits for.
const earlyWrite = 4 << 20

// CreateShard makes a shard. It has a temporary name until it is finished. Its name
// may have a folder: "train/part-00000".
func (s *Stage) CreateShard(name string, opt ShardOptions) (*Shard, error) {
	if err := checkShardName(name); err != nil {
		return nil, err
	}
	sh, err := newShard(s, name, opt)
	if err == nil && opt.Index != nil {
		sh.lines = opt.Index
		sh.index, err = newShard(s, IndexName(name), ShardOptions{Blocks: opt.Blocks, Digest: SHA256})
	}
	return sh, err
}

// newShard makes a file of blocks: a shard, or its index.
func newShard(s *Stage, name string, opt ShardOptions) (*Shard, error) {
	if err := s.files.reserve(name); err != nil {
		return nil, err
	}
	dir, err := s.files.within(s.files.dir, name)
	if err != nil {
		return nil, err
	}
	temp := s.disk.temp(dir, name)
	f, err := s.disk.fs.Create(temp)
	if err != nil {
		return nil, fault("creating", temp, err)
	}
	s.files.opened(f, true)
	if opt.SizeHint > 0 && f.Allocate(opt.SizeHint) != nil {
		_ = f.Truncate(0) // gives back the space that was had before there was no more
	}
	sh := &Shard{
		stage: s, name: name, dir: dir, compression: opt.Compression, layout: opt.Layout, kind: opt.Digest, f: f,
		turn:     make([]chan struct{}, opt.Blocks+1),
		digest:   opt.Digest.New(),
		segments: make([]*segment, 0, opt.Blocks+2),
	}
	for i := range sh.turn {
		sh.turn[i] = make(chan struct{}, 1)
	}
	sh.left.Store(int64(opt.Blocks))
	if head := sh.head(); head != nil {
		if err := sh.append(head); err != nil {
			return nil, err
		}
	}
	sh.turn[0] <- struct{}{}
	return sh, nil
}

// WriteBlock writes block i, or what is left of it after WritePiece. It waits for
// the block before it to take its place, not to be written, and stops waiting
// when ctx is done. Each index is used once; data may be reused afterwards, and
// a Layout may have changed it. c compresses for the calling worker; a shard without
// compression does not use it, and it may be nil. last reports that no other block of the shard is left
// to be written, so that Finish may be called.
//
// After an error the shard cannot be finished.
func (sh *Shard) WriteBlock(ctx context.Context, i int, data []byte, c *Compressor) (last bool, err error) {
	if err := sh.take(ctx, i, i+1, data, c); err != nil {
		return false, err
	}
	return sh.left.Add(-1) == 0, nil
}

// WritePiece writes the beginning of block i, of which more follows: a block
// whose bytes are too many to be held. It is compressed for itself. From the
// first piece on the blocks after it wait for the last.
func (sh *Shard) WritePiece(ctx context.Context, i int, data []byte, c *Compressor) error {
	return sh.take(ctx, i, i, data, c)
}

// take gives data the next place in the file when the turn of block i has come,
// hands the turn on to block next, and writes.
func (sh *Shard) take(ctx context.Context, i, next int, data []byte, c *Compressor) (err error) {
	var sum segment
	out := data
	if sh.compression != None {
		if out, err = c.compress(sh.compression, data); err != nil {
			return fmt.Errorf("compressing %s: %w", sh.name, err)
		}
	}
	if sh.compression == Zlib {
		sum.adler, sum.raw = adler32.Checksum(data), int64(len(data))
	}
	if sh.layout == nil {
		sum.crc = crc32c.Checksum(out)
	}

	select {
	case <-sh.turn[i]:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if sh.layout != nil {
		out = sh.layout.Place(out, sh.end)
	}
	seg := sh.place(sum, out)
	sh.turn[next] <- struct{}{}

	if err := sh.note(ctx, i, next, out, seg.off); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if sh.layout != nil { // its bytes are known only now
		seg.crc = crc32c.Checksum(out)
	}
	return sh.write(out, seg.off)
}

// place gives out the next place in the file, and notes that with what is known of
// its bytes. The caller has the turn.
func (sh *Shard) place(seg segment, out []byte) *segment {
	seg.off, seg.size = sh.end, int64(len(out))
	sh.end += seg.size
	sh.digest.Write(out)
	if len(sh.room) == 0 {
		sh.room = make([]segment, cap(sh.segments))
	}
	placed := &sh.room[0]
	sh.room, *placed = sh.room[1:], seg
	sh.segments = append(sh.segments, placed)
	return placed
}

// append writes the head or the tail of the file. The caller has the turn.
func (sh *Shard) append(out []byte) error {
	seg := sh.place(segment{crc: crc32c.Checksum(out)}, out)
	return sh.write(out, seg.off)
}

// write writes bytes to their place and now and then has the disk begin.
func (sh *Shard) write(out []byte, off int64) error {
	if err := writeAt(sh.f, out, off); err != nil {
		return err
	}
	after := sh.written.Add(int64(len(out)))
	from := (after - int64(len(out))) / earlyWrite * earlyWrite
	if to := after / earlyWrite * earlyWrite; to > from && sh.stage.disk.sync {
		_ = sh.f.StartWrite(from, to-from) // a hint
	}
	return nil
}
