package dataset

import (
	"context"
	"encoding/hex"
	"fmt"
	"hash"
	"io"

	"tfr-build/internal/crc32c"
)

// A shardCheck holds the shards of a dataset against its manifest. Its run is
// safe for concurrent use.
type shardCheck struct {
	place
	shards    []Shard // of all splits
	format    format
	algorithm string
	byDigest  map[string]string // digest → the one shard that has it
	deep      *recordCheck      // or nil
	salvage   *Salvage          // or nil
}

type shardResult struct {
	checked  Checked
	damages  []*DamageError
	salvaged *Salvaged
	err      error
}

func newShardCheck(p place, m *Manifest) (*shardCheck, error) {
	f, err := formatOf(m)
	if err != nil {
		return nil, err
	}
	c := &shardCheck{place: p, format: f, algorithm: m.DigestAlgorithm, byDigest: map[string]string{}}
	for _, s := range m.Splits {
		c.shards = append(c.shards, s.Shards...)
	}
	for _, s := range c.shards {
		if s.Records > 0 { // empty shards are all alike
			c.byDigest[s.Digest] = s.Name
		}
	}
	return c, nil
}

// sums are taken of all bytes of a file while its records are read.
type sums struct {
	counting
	crc    uint32
	digest hash.Hash
}

func (s *sums) Read(p []byte) (int, error) {
	n, err := s.counting.Read(p)
	s.crc = crc32c.Update(s.crc, p[:n])
	s.digest.Write(p[:n])
	return n, err
}

// run reads the i-th shard, and salvages it where it is damaged.
func (c *shardCheck) run(ctx context.Context, i int) shardResult {
	res, whole := c.check(ctx, c.shards[i])
	if res.err != nil || len(res.damages) == 0 || whole || c.salvage == nil {
		return res
	}
	shard := c.shards[i]
	res.salvaged, res.err = c.salvage.save(ctx, salvageJob{
		place: c.place, file: shard.Name, name: shard.Name, expected: shard.Records, format: c.format, deep: c.deep,
	})
	return res
}

// check reads a shard. whole says that there is nothing to salvage: it is not
// there, or holds what another shard should, undamaged.
func (c *shardCheck) check(ctx context.Context, shard Shard) (res shardResult, whole bool) {
	f, damage, err := c.open(shard.Name)
	switch {
	case err != nil:
		return shardResult{err: err}, false
	case damage != nil:
		return shardResult{damages: []*DamageError{damage}}, true
	}
	defer f.Close()
	digest, err := NewDigest(c.algorithm)
	if err != nil {
		return shardResult{err: err}, false
	}
	in := &sums{counting{ctx: ctx, r: f}, 0, digest}
	scan := recordScan{name: shard.Name, expected: shard.Records, deep: c.deep}
	if err := scan.run(in, c.format); err != nil {
		return shardResult{err: err}, false
	}
	// The reader stops at damage; the sums are of the whole file.
	if _, err := io.Copy(io.Discard, in); err != nil {
		return shardResult{err: fmt.Errorf("reading %s: %w", shard.Name, err)}, false
	}
	res.checked = Checked{Files: 1, Records: scan.records, Bytes: in.n}
	res.damages, whole = c.judge(shard, &scan, in)
	return res, whole
}

// judge names what is wrong with a shard, by the first fact that tells most.
func (c *shardCheck) judge(shard Shard, scan *recordScan, in *sums) (damages []*DamageError, whole bool) {
	digest := hex.EncodeToString(in.digest.Sum(nil))
	crc := fmt.Sprintf("%08x", in.crc)
	same := digest == shard.Digest && crc == shard.CRC32C && in.n == shard.Bytes
	one := func(d *DamageError) []*DamageError { return append([]*DamageError{d}, scan.faults...) }
	other, known := c.byDigest[digest]
	switch {
	case !same && known && other != shard.Name:
		return []*DamageError{wholeFile(shard.Name, "it holds the content of %s", other)}, true
	case len(scan.damages) > 0:
		return append(scan.damages, scan.faults...), false
	case scan.records < shard.Records:
		return one(recordDamage(shard.Name, scan.records, scan.end,
			"the file ends here, after %d of %d records", scan.records, shard.Records)), false
	case scan.records > shard.Records:
		return one(recordDamage(shard.Name, shard.Records, scan.extra,
			"the file continues, with %d records instead of %d", scan.records, shard.Records)), false
	case in.n != shard.Bytes:
		return one(wholeFile(shard.Name, "it has %d bytes instead of %d", in.n, shard.Bytes)), false
	case !same:
		return one(wholeFile(shard.Name,
			"its records are whole, but not those that were written: CRC32C %s instead of %s, digest %s instead of %s", crc, shard.CRC32C, digest, shard.Digest)), false
	}
	return scan.faults, false
}
