package dataset

import (
	"context"
	"encoding/hex"
	"fmt"
	"hash"
	"io"

	"tfr-build/internal/crc32c"
	"tfr-build/internal/plural"
)

// A shardCheck compares the shards of a dataset with its manifest. checkShard is safe for
// concurrent use.
type shardCheck struct {
	directory
	shards    []Shard // of all splits
	format    format
	algorithm string
	byDigest  map[string]string // name of the shard with each digest
	deep      *recordCheck      // nil: records are not parsed
	salvage   *Salvage          // nil: do not salvage
}

type shardResult struct {
	checked  Checked
	damages  []*DamageError
	salvaged *Salvaged
}

func newShardCheck(p directory, m *Manifest) *shardCheck {
	c := &shardCheck{directory: p, format: formatOf(m), algorithm: m.DigestAlgorithm, byDigest: map[string]string{}}
	for _, s := range m.Splits {
		c.shards = append(c.shards, s.Shards...)
	}
	for _, s := range c.shards {
		if s.Records > 0 { // all empty shards have the same digest
			c.byDigest[s.Digest] = s.Name
		}
	}
	return c
}

// A checksumReader computes the checksums of all bytes that it reads.
type checksumReader struct {
	countingReader
	crc    uint32
	digest hash.Hash
}

func (s *checksumReader) Read(p []byte) (int, error) {
	n, err := s.countingReader.Read(p)
	s.crc = crc32c.Update(s.crc, p[:n])
	s.digest.Write(p[:n])
	return n, err
}

// checkShard reads the i-th shard, and salvages it if it is damaged.
func (c *shardCheck) checkShard(ctx context.Context, i int) (shardResult, error) {
	shard := c.shards[i]
	res, nothingToSalvage, err := c.readShard(ctx, shard)
	if err != nil || len(res.damages) == 0 || nothingToSalvage || c.salvage == nil {
		return res, err
	}
	res.salvaged, err = c.salvage.save(ctx, salvageJob{
		directory: c.directory, file: shard.Name, name: shard.Name, expected: shard.Records, format: c.format,
		deep: c.deep,
	})
	return res, err
}

// readShard reads a shard and returns its damages. nothingToSalvage is true if the shard is
// missing, or has the intact content of another shard.
func (c *shardCheck) readShard(ctx context.Context, shard Shard) (res shardResult, nothingToSalvage bool, err error) {
	f, damage, err := c.open(shard.Name)
	switch {
	case err != nil:
		return res, false, err
	case damage != nil:
		return shardResult{damages: []*DamageError{damage}}, true, nil
	}
	defer f.Close()
	digest, err := NewDigest(c.algorithm)
	if err != nil {
		return res, false, err
	}
	in := &checksumReader{countingReader{ctx: ctx, r: f}, 0, digest}
	scan := recordScan{name: shard.Name, expected: shard.Records, deep: c.deep}
	if err := scan.run(in, c.format); err != nil {
		return res, false, err
	}
	// Reading records may stop at damage; the checksums cover the complete file.
	if _, err := io.Copy(io.Discard, in); err != nil {
		return res, false, fmt.Errorf("reading %s: %w", shard.Name, err)
	}
	res.checked = Checked{Files: 1, Records: scan.records, Bytes: in.n}
	res.damages, nothingToSalvage = c.findDamages(shard, &scan, in)
	return res, nothingToSalvage, nil
}

// findDamages returns the damages of a shard, based on the most specific evidence.
func (c *shardCheck) findDamages(shard Shard, scan *recordScan, in *checksumReader) (damages []*DamageError,
	nothingToSalvage bool) {
	digest := hex.EncodeToString(in.digest.Sum(nil))
	crc := fmt.Sprintf("%08x", in.crc)
	same := digest == shard.Digest && crc == shard.CRC32C && in.n == shard.Bytes
	one := func(d *DamageError) []*DamageError { return append([]*DamageError{d}, scan.problems...) }
	other, known := c.byDigest[digest]
	switch {
	case !same && known && other != shard.Name:
		return []*DamageError{fileDamage(shard.Name, "it holds the content of %s", other)}, true
	case len(scan.damages) > 0:
		return append(scan.damages, scan.problems...), false
	case scan.records < shard.Records:
		return one(recordDamage(shard.Name, scan.records, scan.end,
			"the file ends here, after %d of %s", scan.records, plural.Of(shard.Records, "record"))), false
	case scan.records > shard.Records:
		return one(recordDamage(shard.Name, shard.Records, scan.extra,
			"the file continues, with %s instead of %d", plural.Of(scan.records, "record"), shard.Records)), false
	case in.n != shard.Bytes:
		return one(fileDamage(shard.Name, "it has %s instead of %d", plural.Of(in.n, "byte"), shard.Bytes)), false
	case !same:
		return one(fileDamage(shard.Name,
			"its records are complete, but differ from the written ones: CRC32C %s instead of %s, digest %s instead "+
				"of %s", crc, shard.CRC32C, digest, shard.Digest)), false
	case c.deep != nil && shard.Content != Content{} && scan.content != shard.Content:
		return one(fileDamage(shard.Name, "content mismatch: computed %s, stored %s", scan.content, shard.Content)),
			false
	}
	return scan.problems, false
}
