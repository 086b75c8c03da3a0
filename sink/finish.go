package sink

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"path"
	"path/filepath"

	"tfr-build/internal/crc32c"
)

// A Sum describes the bytes of a finished file.
type Sum struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	CRC32C uint32 `json:"crc32c"` // of the complete file
	Digest string `json:"digest"` // of the complete file, in lower-case hexadecimal
}

// About is the metadata of a finished shard, for a run that resumes.
type About struct {
	Note       []byte // a JSON value, stored in the journal
	Rejects    []byte // about rejected rows of the shard; in a separate file unless empty
	Statistics []byte // of the records; in a separate file unless empty
}

// sumOf returns the Sum of a file that contains data.
func sumOf(name string, data []byte, digest Digest) Sum {
	h := digest.New()
	h.Write(data)
	return Sum{name, int64(len(data)), crc32c.Checksum(data), hex.EncodeToString(h.Sum(nil))}
}

// Finish completes a shard after its last block. The file gets its final length, is synced,
// closed, read back, and compared. Only then does it get its name. In a bucket, it is then
// uploaded. The last step is a line in the journal.
//
// [Stage.Resume] returns about to a run that resumes. Finish may be called once. After an error
// the shard cannot be finished, and no step is retried.
func (sh *Shard) Finish(ctx context.Context, about About) (Sum, error) {
	if n := sh.blocksLeft.Load(); n != 0 {
		return Sum{}, fmt.Errorf("finishing %s: %d blocks are not written", sh.name, n)
	}
	if sh.finished.Swap(true) {
		return Sum{}, fmt.Errorf("finishing %s: it was finished before", sh.name)
	}
	line, err := sh.finishFile(ctx)
	if err == nil && sh.index != nil {
		line.Index, err = sh.index.finishFile(ctx)
	}
	if err != nil {
		return Sum{}, err
	}
	return line.Sum, sh.recordFinished(line, &about)
}

// finishFile completes the file, uploads it if the output is in a bucket, and returns its line.
func (sh *Shard) finishFile(ctx context.Context) (*FinishedShard, error) {
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
	etag, err := sh.stage.location.target.upload(ctx, &sum)
	return &FinishedShard{Sum: sum, ETag: etag}, err
}

// recordFinished stores the metadata of a finished shard, and then its line in the journal.
func (sh *Shard) recordFinished(line *FinishedShard, about *About) (err error) {
	s := sh.stage
	line.Note = about.Note
	if line.Rejects, err = sh.putMetadata(rejectsName, about.Rejects); err != nil {
		return err
	}
	if line.Statistics, err = sh.putMetadata(statisticsName, about.Statistics); err != nil {
		return err
	}
	if sh.line = *line; s.journal != nil { // without a journal, the caller stores the line
		if _, err := s.journal.append(&journalLine{Shard: line}); err != nil {
			return err
		}
	}
	s.files.markShard(line)
	s.resumable.Store(true)
	return nil
}

// Line returns the line of the finished shard, for [Shared.Adopt].
func (sh *Shard) Line() FinishedShard { return sh.line }

// putMetadata stores a metadata file of the shard durably, and returns its Sum. It returns nil
// if data is empty.
func (sh *Shard) putMetadata(subdir string, data []byte) (*Sum, error) {
	if len(data) == 0 {
		return nil, nil
	}
	s := sh.stage
	sum := sumOf(sh.name, data, sh.kind)
	if s.journal == nil { // another process may make the same shard with other metadata bytes
		sum.Name = path.Join(path.Dir(sh.name), wrapName("", path.Base(sh.name), "~"+sum.Digest[:16]))
	}
	return &sum, s.location.metadata.putMetadata(s.files, subdir, &sum, data)
}

// putMetadata writes a metadata file of a shard to a subdirectory of the staging directory,
// durably.
func (loc *location) putMetadata(fl *files, subdir string, sum *Sum, data []byte) error {
	dir, err := fl.makeParents(loc.inStaging(subdir), sum.Name)
	if err == nil {
		err = loc.disk.putFile(dir, path.Base(sum.Name), data)
	}
	if err == nil {
		err = loc.disk.SyncDirs(dir)
	}
	return err
}

// getMetadata reads a file that putMetadata wrote, and compares it with its sum.
func (loc *location) getMetadata(ctx context.Context, subdir string, sum *Sum, digest Digest) ([]byte, error) {
	var text appender
	err := loc.checkFile(ctx, subdir, sum, digest, &text)
	return text.buf, err
}

// seal writes the trailer, makes the bytes durable, and closes the file.
func (sh *Shard) seal() error {
	tail, err := sh.trailer()
	if err == nil {
		err = sh.appendBytes(tail)
	}
	if err == nil {
		// It has this length already; this frees the blocks that Allocate reserved beyond it.
		err = wrapError("cutting to its length", sh.f.Name(), sh.f.Truncate(sh.end))
	}
	if err == nil {
		err = sh.stage.disk.SyncFile(sh.f)
	}
	sh.stage.files.track(sh.f.Name(), nil)
	return cmp.Or(err, wrapError("closing", sh.f.Name(), sh.f.Close()))
}

// header returns the first bytes of the file, which precede its blocks.
func (sh *Shard) header() []byte {
	switch {
	case sh.layout != nil:
		return sh.layout.AppendHead(nil)
	case sh.compression == Zlib:
		return []byte(zlibHeader)
	case sh.compression == GzipStream:
		return []byte(gzipHeader)
	}
	return nil
}

// trailer returns the last bytes of the file, which follow its blocks.
func (sh *Shard) trailer() ([]byte, error) {
	switch {
	case sh.layout != nil:
		return sh.layout.AppendTail(nil, sh.end), nil
	case sh.compression == GzipStream:
		c, err := NewCompressor(GzipStream)
		if err != nil {
			return nil, err
		}
		tail, err := c.deflate(nil, sh.tail, true)
		return appendGzipEnd(tail, crc32.Update(sh.crc, crc32.IEEETable, sh.tail), sh.raw+int64(len(sh.tail))), err
	case sh.compression == Gzip && sh.end == 0:
		return []byte(gzipEmpty), nil
	case sh.compression == Zlib:
		sum := uint32(1)
		for _, seg := range sh.segments {
			if seg.raw > 0 {
				sum = combineAdler(sum, seg.adler, seg.raw)
			}
		}
		return binary.BigEndian.AppendUint32([]byte(lastBlock), sum), nil
	}
	return sh.tail, nil
}

// rename gives the file its final name, durably.
func (sh *Shard) rename() error {
	s, dir := sh.stage, sh.dir
	if err := s.disk.rename(sh.f.Name(), filepath.Join(dir, path.Base(sh.name))); err != nil {
		return err
	}
	s.files.forget(sh.f.Name())
	return s.disk.SyncDirs(dir)
}

// sum combines the checksums of all segments.
func (sh *Shard) sum() Sum {
	crc := uint32(0)
	for _, seg := range sh.segments {
		crc = crc32c.Combine(crc, seg.crc, seg.size)
	}
	return Sum{Name: sh.name, Bytes: sh.end, CRC32C: crc, Digest: hex.EncodeToString(sh.digest.Sum(nil))}
}
