package sink

import (
	"context"
	"fmt"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"sync/atomic"

	"tfr-build/internal/crc32c"
	"tfr-build/internal/store"
)

// ShardOptions describe a shard.
type ShardOptions struct {
	Blocks      int   // number of blocks, including empty blocks
	SizeHint    int64 // estimated size in bytes; 0 if unknown
	Compression Compression
	Layout      Layout // nil if the bytes of a block do not depend on its offset
	Tail        []byte // ends the file, before compression; only with None and GzipStream
	Digest      Digest
	// Index appends lines about the records in data to dst; data is at offset off in the shard.
	// The lines become a separate file, [IndexOf]. Leave Index nil for a shard without an
	// index, and for a compressed shard, whose data would be compressed bytes.
	Index func(dst, data []byte, off int64) []byte
	// IndexBeside says that the index is next to the shard.
	IndexBeside bool
}

// A Layout makes the bytes of a shard from its blocks, if these bytes depend on the offsets of
// the blocks. A Layout belongs to one shard, whose Compression is None. Its methods are called
// in the order of the file.
type Layout interface {
	// AppendHead appends the first bytes of the file to dst.
	AppendHead(dst []byte) []byte

	// LayOut returns the bytes of a block at offset off, where the bytes before the block end.
	// It may change the block, and use the capacity behind it.
	LayOut(block []byte, off int64) []byte

	// AppendTail appends the last bytes of the file, which begin at offset off, to dst.
	AppendTail(dst []byte, off int64) []byte
}

// A Shard is one file of the dataset. Its blocks have a fixed order in the file. Workers write
// them in any order, each block once.
//
// A block's turn comes when the block before it has its offset. The worker that has the turn
// owns end and digest. It passes the turn on before it writes the block, so no worker waits for
// the disk.
type Shard struct {
	stage         *Stage
	name          string
	dir           string // directory of the finished file
	compression   Compression
	layout        Layout
	tail          []byte // see ShardOptions
	f             store.LocalFile
	kind          Digest
	turn          []chan struct{} // turn[i] contains a token when block i has the turn
	end           int64           // offset of the next block
	digest        hash.Hash
	segments      []*segment // in file order; the worker that has the turn appends to it
	spareSegments []segment  // allocated for later segments
	crc           uint32     // GzipStream: CRC-32 of the bytes before compression
	raw           int64      // GzipStream: their number
	index         *Shard     // index of the shard, with as many blocks; nil without an index
	appendIndex   func(dst, data []byte, off int64) []byte

	blocksLeft atomic.Int64 // number of blocks that are not written yet
	finished   atomic.Bool  // Finish was called

	line FinishedShard // set by Finish
}

// A segment is a range of a shard, with the checksums of its bytes.
type segment struct {
	off, size int64
	crc       uint32
	adler     uint32 // zlib: checksum of the bytes before compression
	raw       int64  // zlib: number of bytes before compression
}

// CreateShard creates a shard. It has a temporary name until it is finished. Its name may
// include one directory, as in "train/part-00000".
func (s *Stage) CreateShard(name string, opt ShardOptions) (*Shard, error) {
	if err := checkShardName(name); err != nil {
		return nil, err
	}
	sh, err := newShard(s, name, opt)
	if err == nil && opt.Index != nil {
		sh.appendIndex = opt.Index
		sh.index, err = newShard(s, IndexOf(name, opt.IndexBeside), ShardOptions{Blocks: opt.Blocks, Digest: SHA256})
	}
	return sh, err
}

// newShard creates a file of blocks: a shard or an index.
func newShard(s *Stage, name string, opt ShardOptions) (*Shard, error) {
	if err := s.files.reserveName(name); err != nil {
		return nil, err
	}
	dir, err := s.files.makeParents(s.files.dir, name)
	if err != nil {
		return nil, err
	}
	temp := s.disk.newTempPath(dir, name)
	f, err := s.disk.fs.Create(temp)
	if err != nil {
		return nil, wrapError("creating", temp, err)
	}
	s.files.track(temp, f)
	if opt.SizeHint > 0 && f.Allocate(opt.SizeHint) != nil {
		_ = f.Truncate(0) // frees the space that was allocated before the error
	}
	sh := &Shard{
		stage: s, name: name, dir: dir, compression: opt.Compression, layout: opt.Layout, tail: opt.Tail,
		kind:     opt.Digest,
		f:        f,
		turn:     make([]chan struct{}, opt.Blocks+1), // the last block passes the turn on, too
		digest:   opt.Digest.New(),
		segments: make([]*segment, 0, opt.Blocks+2), // also the header and the trailer
	}
	for i := range sh.turn {
		sh.turn[i] = make(chan struct{}, 1)
	}
	sh.blocksLeft.Store(int64(opt.Blocks))
	if head := sh.header(); head != nil {
		if err := sh.appendBytes(head); err != nil {
			return nil, err
		}
	}
	sh.turn[0] <- struct{}{}
	return sh, nil
}

// WriteBlock writes block i, or the rest of it after WritePart. It waits until the block
// before it has its offset, but not until that block is written. It stops waiting when ctx is
// done. Use each i once. The caller may reuse data afterward, which a Layout may have changed.
//
// c compresses for the calling worker. It may be nil if the shard is not compressed. last
// reports that all blocks of the shard are written, so that Finish may be called.
//
// After an error the shard cannot be finished.
func (sh *Shard) WriteBlock(ctx context.Context, i int, data []byte, c *Compressor) (last bool, err error) {
	if err := sh.writeInTurn(ctx, i, i+1, data, c); err != nil {
		return false, err
	}
	return sh.blocksLeft.Add(-1) == 0, nil
}

// WritePart writes the first part of block i, for a block that is too large for memory. Other
// pieces and one WriteBlock follow. Each piece is compressed separately. After the first piece,
// the next block waits until WriteBlock ends block i.
func (sh *Shard) WritePart(ctx context.Context, i int, data []byte, c *Compressor) error {
	return sh.writeInTurn(ctx, i, i, data, c)
}

// writeInTurn waits for the turn of block i and assigns data the next offset in the file. Then
// it passes the turn to block next, and writes data.
func (sh *Shard) writeInTurn(ctx context.Context, i, next int, data []byte, c *Compressor) (err error) {
	// What does not depend on the offset comes before the turn, so that workers do it in parallel.
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
		out = sh.layout.LayOut(out, sh.end)
	}
	if sh.compression == GzipStream {
		sh.crc, sh.raw = crc32.Update(sh.crc, crc32.IEEETable, data), sh.raw+int64(len(data))
	}
	seg := sh.assignOffset(sum, out)
	sh.turn[next] <- struct{}{} // never blocks: the channel has room for its one token

	if err := sh.writeIndex(ctx, i, next, out, seg.off); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if sh.layout != nil { // the layout has made the bytes only now
		seg.crc = crc32c.Checksum(out)
	}
	return writeAt(sh.f, out, seg.off)
}

// assignOffset gives a segment the next offset in the file, and adds its bytes to the digest.
// The caller has the turn.
func (sh *Shard) assignOffset(seg segment, out []byte) *segment {
	seg.off, seg.size = sh.end, int64(len(out))
	sh.end += seg.size
	sh.digest.Write(out)
	if len(sh.spareSegments) == 0 {
		sh.spareSegments = make([]segment, cap(sh.segments))
	}
	placed := &sh.spareSegments[0]
	sh.spareSegments, *placed = sh.spareSegments[1:], seg
	sh.segments = append(sh.segments, placed)
	return placed
}

// appendBytes writes the header or the trailer of the file. The caller has the turn.
func (sh *Shard) appendBytes(out []byte) error {
	seg := sh.assignOffset(segment{crc: crc32c.Checksum(out)}, out)
	return writeAt(sh.f, out, seg.off)
}
