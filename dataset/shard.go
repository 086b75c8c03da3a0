package dataset

import (
	"context"
	"encoding/hex"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"

	"tfr-build/tfrecord"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A shardCheck holds the shards of a dataset against its manifest. Its run is
// safe for concurrent use.
type shardCheck struct {
	fsys        fs.FS
	shards      []Shard // of all splits
	compression tfrecord.Compression
	algorithm   string
	byDigest    map[string]string // digest → the one shard that has it
}

type shardResult struct {
	checked Checked
	damages []*DamageError
	err     error
}

func newShardCheck(fsys fs.FS, m *Manifest) (*shardCheck, error) {
	compression, err := tfrecord.ParseCompression(m.Compression)
	if err != nil {
		return nil, err
	}
	c := &shardCheck{fsys: fsys, compression: compression, algorithm: m.DigestAlgorithm, byDigest: map[string]string{}}
	for _, s := range m.Splits {
		c.shards = append(c.shards, s.Shards...)
	}
	for _, s := range c.shards {
		if s.Records > 0 {
			c.byDigest[s.Digest] = s.Name
		}
	}
	return c, nil
}

// sums are taken of all bytes of a file while its records are read.
type sums struct {
	ctx    context.Context
	r      io.Reader
	bytes  int64
	crc    hash.Hash32
	digest hash.Hash
}

func (s *sums) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.r.Read(p)
	s.bytes += int64(n)
	s.crc.Write(p[:n])
	s.digest.Write(p[:n])
	return n, err
}

// run reads the i-th shard.
func (c *shardCheck) run(ctx context.Context, i int) (res shardResult) {
	want := c.shards[i]
	f, damage, err := openFile(c.fsys, want.Name)
	switch {
	case err != nil:
		return shardResult{err: err}
	case damage != nil:
		return shardResult{damages: []*DamageError{damage}}
	}
	defer f.Close()
	digest, err := NewDigest(c.algorithm)
	if err != nil {
		return shardResult{err: err}
	}
	in := &sums{ctx: ctx, r: f, crc: crc32.New(castagnoli), digest: digest}
	scan := recordScan{name: want.Name, wanted: want.Records}
	if err := scan.run(in, c.compression); err != nil {
		return shardResult{err: err}
	}
	// The reader stops at damage; the sums are of the whole file.
	if _, err := io.Copy(io.Discard, in); err != nil {
		return shardResult{err: fmt.Errorf("reading %s: %w", want.Name, err)}
	}
	return shardResult{
		checked: Checked{Files: 1, Records: scan.records, Bytes: in.bytes},
		damages: c.judge(want, &scan, in),
	}
}

// judge names what is wrong with a shard, by the first fact that tells most.
func (c *shardCheck) judge(want Shard, scan *recordScan, in *sums) []*DamageError {
	digest := hex.EncodeToString(in.digest.Sum(nil))
	crc := fmt.Sprintf("%08x", in.crc.Sum32())
	same := digest == want.Digest && crc == want.CRC32C && in.bytes == want.Bytes
	other, known := c.byDigest[digest]
	switch {
	case !same && known && other != want.Name:
		return []*DamageError{wholeFile(want.Name, "it holds the content of %s", other)}
	case len(scan.damages) > 0:
		return scan.damages
	case scan.records < want.Records:
		return []*DamageError{{want.Name, scan.records, scan.end,
			fmt.Sprintf("the file ends here, after %d of %d records", scan.records, want.Records)}}
	case scan.records > want.Records:
		return []*DamageError{{want.Name, want.Records, scan.extra,
			fmt.Sprintf("the file goes on, with %d records instead of %d", scan.records, want.Records)}}
	case in.bytes != want.Bytes:
		return []*DamageError{wholeFile(want.Name, "it has %d bytes instead of %d", in.bytes, want.Bytes)}
	case !same:
		return []*DamageError{wholeFile(want.Name,
			"its records are whole, but not those that were written: CRC32C %s instead of %s, digest %s instead of %s", crc, want.CRC32C, digest, want.Digest)}
	}
	return nil
}
