package sink

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"

	"tfr-build/internal/crc32c"
)

// A Sum says what the bytes of a finished file are.
type Sum struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	CRC32C uint32 `json:"crc32c"` // of the whole file
	Digest string `json:"digest"` // of the whole file, lower case hexadecimal
}

// About is what is told about a finished shard, for a run that resumes.
type About struct {
	Note       []byte // a JSON value, which the journal holds
	Rejects    []byte // of rows that the shard lacks; it has a file of its own, unless it is empty
	Statistics []byte // of its records; likewise
}

// sumOf is the sum of a file that holds data.
func sumOf(name string, data []byte, digest Digest) Sum {
	h := digest.New()
	h.Write(data)
	return Sum{name, int64(len(data)), crc32c.Checksum(data), hex.EncodeToString(h.Sum(nil))}
}

// Finish makes a shard whole after its last block: the file gets its length, is
// synced, closed, read back and compared, and only then has its name and its line
// in the journal. A run that resumes is given what is told about it. Finish may be
// called once; after an error the shard cannot be finished, and nothing is tried
// a second time.
func (sh *Shard) Finish(ctx context.Context, about About) (Sum, error) {
	if n := sh.left.Load(); n != 0 {
		return Sum{}, fmt.Errorf("finishing %s: %d blocks are not written", sh.name, n)
	}
	if sh.ended.Swap(true) {
		return Sum{}, fmt.Errorf("finishing %s: it was finished before", sh.name)
	}
	line, err := sh.complete(ctx)
	if err == nil && sh.index != nil {
		line.Index, err = sh.index.complete(ctx)
	}
	if err != nil {
		return Sum{}, err
	}
	return line.Sum, sh.enter(line, &about)
}

// complete makes the file whole, brings it to where it belongs, and says what it is.
func (sh *Shard) complete(ctx context.Context) (*LeftShard, error) {
	if err := sh.seal(); err != nil {
		return nil, err
	}
	if err := sh.readBack(ctx); err != nil {
		return nil, err
	}
	if err := sh.rename(); err != nil {
		return nil, err
	}
	sum := sh.sum()
	etag, err := sh.stage.place.target.upload(ctx, &sum)
	return &LeftShard{Sum: sum, ETag: etag}, err
}

// enter notes in the journal that the shard is whole, once what is told about it is.
func (sh *Shard) enter(line *LeftShard, about *About) (err error) {
	s := sh.stage
	line.Note = about.Note
	if line.Rejects, err = sh.putAbout(rejectsName, about.Rejects); err != nil {
		return err
	}
	if line.Statistics, err = sh.putAbout(statisticsName, about.Statistics); err != nil {
		return err
	}
	if sh.line = *line; s.journal != nil { // else the caller keeps the line
		if _, err := s.journal.append(&journalLine{Shard: line}); err != nil {
			return err
		}
	}
	for _, f := range line.files() {
		s.files.finished(f.Name, f.ETag != "")
	}
	s.resumable.Store(true)
	return nil
}

// Line says what Finish made, for [Shared.Adopt].
func (sh *Shard) Line() LeftShard { return sh.line }

// putAbout writes the file about the shard in a folder of the staging folder,
// durably; none where there is nothing to tell.
func (sh *Shard) putAbout(folder string, data []byte) (*Sum, error) {
	if len(data) == 0 {
		return nil, nil
	}
	s := sh.stage
	sum := sumOf(sh.name, data, sh.kind)
	if s.journal == nil { // another process may make the same shard, and tell it in other bytes
		sum.Name = path.Join(path.Dir(sh.name), around("", path.Base(sh.name), "~"+sum.Digest[:16]))
	}
	return &sum, s.place.target.putMetadata(s.files, folder, &sum, data)
}

// putMetadata writes a file about a shard in a folder of the staging folder, durably.
func (p *place) putMetadata(fl *files, folder string, sum *Sum, data []byte) error {
	dir, err := fl.within(p.in(folder), sum.Name)
	if err == nil {
		err = p.disk.put(dir, path.Base(sum.Name), data)
	}
	if err == nil {
		err = p.disk.syncDirs(dir)
	}
	return err
}

// getMetadata reads it again.
func (p *place) getMetadata(ctx context.Context, folder string, sum *Sum, digest Digest) ([]byte, error) {
	var text appender
	err := p.checkFile(ctx, folder, sum, digest, &text)
	return text.buf, err
}

// seal writes the tail, makes the bytes durable and closes the file.
func (sh *Shard) seal() error {
	err := sh.append(sh.tail())
	if err == nil {
		err = fault("cutting to its length", sh.f.Name(), sh.f.Truncate(sh.end))
	}
	if err == nil {
		err = sh.stage.disk.syncFile(sh.f)
	}
	sh.stage.files.closing(sh.f)
	return cmp.Or(err, fault("closing", sh.f.Name(), sh.f.Close()))
}

// head returns the bytes that begin the file.
func (sh *Shard) head() []byte {
	switch {
	case sh.layout != nil:
		return sh.layout.AppendHead(nil)
	case sh.compression == Zlib:
		return []byte(zlibHead)
	}
	return nil
}

// tail returns the bytes that end the file.
func (sh *Shard) tail() []byte {
	switch {
	case sh.layout != nil:
		return sh.layout.AppendTail(nil, sh.end)
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

// rename gives the file its name in the dataset, durably.
func (sh *Shard) rename() error {
	s, dir := sh.stage, sh.dir
	if err := s.disk.rename(sh.f.Name(), filepath.Join(dir, path.Base(sh.name))); err != nil {
		return err
	}
	s.files.gone(sh.f.Name())
	return s.disk.syncDirs(dir)
}

// sum puts together the facts of the segments.
func (sh *Shard) sum() Sum {
	crc := uint32(0)
	for _, seg := range sh.segments {
		crc = crc32c.Combine(crc, seg.crc, seg.size)
	}
	return Sum{Name: sh.name, Bytes: sh.end, CRC32C: crc, Digest: hex.EncodeToString(sh.digest.Sum(nil))}
}
