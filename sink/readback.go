package sink

import (
	"cmp"
	"context"
	"errors"
	"io"

	"tfr-build/internal/crc32c"
	"tfr-build/internal/store"

	"golang.org/x/sync/errgroup"
)

// pieceSize is how much is written or read back at once: large enough to be
// fast, small enough to stay in a cache.
const pieceSize = 512 << 10

// readers bounds what is read back at once, over all files of a Stage: whoever
// reads holds one of its buffers, of pieceSize, which are made when they are
// first needed.
type readers chan []byte

func newReaders(n int) readers {
	r := make(readers, max(1, n))
	for range cap(r) {
		r <- nil
	}
	return r
}

// take waits for a buffer, which goes back by give.
func (r readers) take(ctx context.Context) ([]byte, error) {
	select {
	case buf := <-r:
		if buf == nil {
			buf = make([]byte, pieceSize)
		}
		return buf, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (r readers) give(buf []byte) { r <- buf }

// each runs task(0) to task(n-1), as many at once as there are buffers, and
// returns the first error. After that it starts no other, and when it returns
// all have ended.
func (r readers) each(ctx context.Context, n int, task func(ctx context.Context, i int) error) error {
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(cap(r))
	for i := 0; i < n && running.Err() == nil; i++ {
		group.Go(func() error { return task(running, i) })
	}
	return cmp.Or(group.Wait(), context.Cause(ctx))
}

// readBack compares the file with what was written, each segment with its CRC.
func (sh *Shard) readBack(ctx context.Context) error {
	const atOnce = 16 // segments a task, which are some MiB
	f, err := sh.stage.disk.fs.OpenFile(sh.f.Name())
	if err != nil {
		return fault("reading back", sh.f.Name(), err)
	}
	if sh.stage.disk.cold {
		_ = f.DropCache() // a hint
	}
	info, err := f.Stat()
	if err == nil && info.Size() != sh.end {
		err = ErrDiffers
	}
	err = fault("reading back", f.Name(), err)
	if err == nil {
		err = sh.stage.disk.readers.each(ctx, (len(sh.segments)+atOnce-1)/atOnce, func(ctx context.Context, i int) error {
			first := i * atOnce
			return sh.compareSegments(ctx, f, sh.segments[first:min(first+atOnce, len(sh.segments))])
		})
	}
	return cmp.Or(err, fault("closing", f.Name(), f.Close()))
}

// compareSegments reads segments and compares them.
func (sh *Shard) compareSegments(ctx context.Context, f store.LocalFile, segments []*segment) error {
	buf, err := sh.stage.disk.readers.take(ctx)
	if err != nil {
		return err
	}
	defer sh.stage.disk.readers.give(buf)
	for _, seg := range segments {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		crc := uint32(0)
		for off, end := seg.off, seg.off+seg.size; off < end; {
			piece := buf[:min(end-off, pieceSize)]
			if _, err := f.ReadAt(piece, off); err != nil {
				if errors.Is(err, io.EOF) {
					err = ErrDiffers
				}
				return faultAt("reading back", f.Name(), off, err)
			}
			crc = crc32c.Update(crc, piece)
			off += int64(len(piece))
		}
		if crc != seg.crc {
			return faultAt("reading back", f.Name(), seg.off, ErrDiffers)
		}
	}
	return nil
}
