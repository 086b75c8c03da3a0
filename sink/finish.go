package sink

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"

	"tfr-build/internal/vfs"
)

// A Sum says what the bytes of a finished file are.
type Sum struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	CRC32C uint32 `json:"crc32c"` // of the whole file
	Digest string `json:"digest"` // of the whole file, lower case hexadecimal
}

// sumOf is the sum of a file that holds data.
func sumOf(name string, data []byte, digest Digest) Sum {
	h := digest.New()
	h.Write(data)
	return Sum{name, int64(len(data)), crc32.Checksum(data, castagnoli), hex.EncodeToString(h.Sum(nil))}
}

// Finish makes a shard whole after its last block: the file gets its length, is
// synced, closed, read back and compared, and only then has its name and its line
// in the journal. rejects is a text about rows that the shard lacks, perhaps
// empty, and note a JSON value; a run that goes on with the shard is given both.
// Finish may be called once; after an error the shard is of no use, and nothing is
// tried a second time.
func (sh *Shard) Finish(ctx context.Context, rejects, note []byte) (Sum, error) {
	if n := sh.left.Load(); n != 0 {
		return Sum{}, fmt.Errorf("finishing %s: %d blocks are not written", sh.name, n)
	}
	if sh.ended.Swap(true) {
		return Sum{}, fmt.Errorf("finishing %s: it was finished before", sh.name)
	}
	if err := sh.seal(); err != nil {
		return Sum{}, err
	}
	if err := sh.readBack(ctx); err != nil {
		return Sum{}, err
	}
	if err := sh.publish(); err != nil {
		return Sum{}, err
	}
	return sh.sum(), sh.enter(rejects, note)
}

// enter notes in the journal that the shard is whole, once its rejects are.
func (sh *Shard) enter(rejects, note []byte) error {
	s := sh.stage
	line := LeftShard{Sum: sh.sum(), Note: note}
	if len(rejects) > 0 {
		dir := filepath.Join(s.hidden, rejectsName)
		if err := s.put(dir, sh.name, rejects); err != nil {
			return err
		}
		if err := s.syncDirs(dir); err != nil {
			return err
		}
		sum := sumOf(sh.name, rejects, sh.kind)
		line.Rejects = &sum
	}
	if _, err := s.journal.append(&journalLine{Shard: &line}); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[sh.name], s.keep = true, true
	return nil
}

// seal writes the tail, makes the bytes durable and closes the file.
func (sh *Shard) seal() error {
	err := sh.append(sh.tail())
	if err == nil {
		err = fault("cutting to its length", sh.f.Name(), sh.f.Truncate(sh.end))
	}
	if err == nil {
		err = sh.stage.syncFile(sh.f)
	}
	sh.stage.mu.Lock()
	delete(sh.stage.open, sh.f)
	sh.stage.mu.Unlock()
	return cmp.Or(err, fault("closing", sh.f.Name(), sh.f.Close()))
}

// tail returns the bytes that end a compressed file.
func (sh *Shard) tail() []byte {
	switch {
	case sh.compression == Gzip && sh.end == 0:
		return []byte(gzipEmpty)
	case sh.compression == Zlib:
		sum := uint32(1)
		for _, seg := range sh.segments {
			if seg.raw > 0 {
				sum = combineAdler(sum, seg.adler, seg.raw)
			}
		}
		return binary.BigEndian.AppendUint32([]byte(lastBlock), sum)
	}
	return nil
}

// readBack compares the file with what was written, each segment with its CRC.
func (sh *Shard) readBack(ctx context.Context) error {
	const atOnce = 16 // segments a task, which are some MiB
	f, err := sh.stage.fs.Open(sh.f.Name())
	if err != nil {
		return fault("reading back", sh.f.Name(), err)
	}
	if sh.stage.cold {
		_ = f.DropCache() // a hint
	}
	info, err := f.Stat()
	if err == nil && info.Size() != sh.end {
		err = ErrDiffers
	}
	err = fault("reading back", f.Name(), err)
	if err == nil {
		err = sh.stage.opt.Each((len(sh.segments)+atOnce-1)/atOnce, func(i int) error {
			first := i * atOnce
			return sh.compareSegments(ctx, f, sh.segments[first:min(first+atOnce, len(sh.segments))])
		})
	}
	return cmp.Or(err, fault("closing", f.Name(), f.Close()))
}

// compareSegments reads segments and compares them.
func (sh *Shard) compareSegments(ctx context.Context, f vfs.File, segments []segment) error {
	buf := sh.stage.buffers.Get().(*[]byte)
	defer sh.stage.buffers.Put(buf)
	for _, seg := range segments {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		crc := uint32(0)
		for off, end := seg.off, seg.off+seg.size; off < end; {
			piece := (*buf)[:min(end-off, pieceSize)]
			if _, err := f.ReadAt(piece, off); err != nil {
				if errors.Is(err, io.EOF) {
					err = ErrDiffers
				}
				return faultAt("reading back", f.Name(), off, err)
			}
			crc = crc32.Update(crc, castagnoli, piece)
			off += int64(len(piece))
		}
		if crc != seg.crc {
			return faultAt("reading back", f.Name(), seg.off, ErrDiffers)
		}
	}
	return nil
}

// publish gives the file its name in the dataset, durably.
func (sh *Shard) publish() error {
	s := sh.stage
	if err := s.rename(sh.f.Name(), filepath.Join(s.data, sh.name)); err != nil {
		return err
	}
	s.mu.Lock()
	delete(s.temps, sh.f.Name())
	s.mu.Unlock()
	return s.syncDirs(s.data)
}

// whole notes that a file is complete and has its name.
func (s *Stage) whole(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[name] = true
}

// sum puts together the facts of the segments.
func (sh *Shard) sum() Sum {
	crc := uint32(0)
	for _, seg := range sh.segments {
		crc = combineCRC(crc, seg.crc, seg.size)
	}
	return Sum{Name: sh.name, Bytes: sh.end, CRC32C: crc, Digest: hex.EncodeToString(sh.digest.Sum(nil))}
}
