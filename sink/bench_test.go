package sink

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tfr-build/internal/store"
)

// The dataset of a million rows of nine columns: 244 blocks, 223 MB.
const (
	benchBlocks = 244
	benchBlock  = 223_000_000 / benchBlocks
)

// BenchmarkShard writes 223 MB with two workers that have nothing else to do, as
// one shard and as three.
func BenchmarkShard(b *testing.B) {
	for _, c := range []struct {
		name     string
		shards   int
		sync     bool
		readBack bool
		digest   Digest
		zip      Compression
	}{
		{"1_shard/write", 1, false, false, XXH128, None},
		{"1_shard/readback", 1, false, true, XXH128, None},
		{"1_shard/sync", 1, true, false, XXH128, None},
		{"1_shard/sync+readback", 1, true, true, XXH128, None},
		{"1_shard/sha256", 1, false, false, SHA256, None},
		{"1_shard/sync+readback+sha256", 1, true, true, SHA256, None},
		{"3_shards/write", 3, false, false, XXH128, None},
		{"3_shards/readback", 3, false, true, XXH128, None},
		{"3_shards/sync+readback", 3, true, true, XXH128, None},
		{"1_shard/gzip", 1, false, false, XXH128, Gzip},
		{"1_shard/zlib", 1, false, false, XXH128, Zlib},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(benchBlocks * benchBlock)
			b.ReportAllocs()
			least := time.Hour
			for b.Loop() {
				start := time.Now()
				s, err := Open(store.OS(), filepath.Join(b.TempDir(), "out"), Options{Sync: c.sync, Readers: 2})
				if err != nil {
					b.Fatal(err)
				}
				if err := s.Begin(nil); err != nil {
					b.Fatal(err)
				}
				benchShards(b, s, c.shards, ShardOptions{
					Blocks: benchBlocks / c.shards, SizeHint: int64(benchBlocks / c.shards * benchBlock),
					Digest: c.digest, Compression: c.zip,
				}, c.readBack)
				least = min(least, time.Since(start))
				b.StopTimer()
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			b.ReportMetric(float64(least.Microseconds())/1000, "min-ms")
		})
	}
}

// benchShards writes shards by two workers.
func benchShards(b *testing.B, s *Stage, n int, opt ShardOptions, readBack bool) {
	shards := make([]*Shard, n)
	for k := range shards {
		var err error
		if shards[k], err = s.CreateShard(string(rune('a'+k)), opt); err != nil {
			b.Fatal(err)
		}
	}
	block := benchText()
	var next atomic.Int64
	err := twoAtOnce(2, func(int) error {
		c, err := NewCompressor(opt.Compression)
		if err != nil {
			return err
		}
		for {
			i := int(next.Add(1) - 1)
			if i >= n*opt.Blocks {
				return nil
			}
			sh := shards[i/opt.Blocks]
			last, err := sh.WriteBlock(context.Background(), i%opt.Blocks, block, c)
			if err == nil && last {
				err = endShard(sh, readBack)
			}
			if err != nil {
				return err
			}
		}
	})
	if err != nil {
		b.Fatal(err)
	}
}

// endShard is Finish, with and without reading back.
func endShard(sh *Shard, readBack bool) error {
	if readBack {
		_, err := sh.Finish(context.Background(), About{})
		return err
	}
	if err := sh.seal(); err != nil {
		return err
	}
	return sh.rename()
}

// benchText is a block that compresses about as well as Examples do.
func benchText() []byte {
	text, err := os.ReadFile("shard.go")
	if err != nil {
		return make([]byte, benchBlock)
	}
	block := make([]byte, 0, benchBlock)
	for len(block) < benchBlock {
		block = append(block, text[:min(len(text), benchBlock-len(block))]...)
		text = append(text[1:], text[0])
	}
	return block
}

// twoAtOnce runs tasks on two goroutines.
func twoAtOnce(n int, task func(int) error) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, 2)
	for w := range errs {
		wg.Go(func() {
			for i := int(next.Add(1) - 1); i < n && errs[w] == nil; i = int(next.Add(1) - 1) {
				errs[w] = task(i)
			}
		})
	}
	wg.Wait()
	if errs[0] != nil {
		return errs[0]
	}
	return errs[1]
}
