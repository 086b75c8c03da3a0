package sink

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tfr-build/internal/store"
)

// BenchmarkDurability measures the steps that make a shard of 64 MiB durable,
// one after another, by two workers.
func BenchmarkDurability(b *testing.B) {
	for _, c := range []struct {
		name     string
		opt      Options
		readBack bool
		digest   Digest
	}{
		{"write", Options{}, false, XXH128},
		{"write+sync", Options{Sync: true}, false, XXH128},
		{"write+readback", Options{}, true, XXH128},
		{"write+sync+readback", Options{Sync: true}, true, XXH128},
		{"write+sync+readback+cold", Options{Sync: true, Cold: true}, true, XXH128},
		{"write+sha256", Options{}, false, SHA256},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(64 << 20)
			const blocks = (64 << 20) / benchBlock
			opt := ShardOptions{Blocks: blocks, SizeHint: 64 << 20, Digest: c.digest}
			b.ReportMetric(median(b, c.opt, func(s *Stage, _ int) { benchShards(b, s, 1, opt, c.readBack) }),
				"median-ms")
		})
	}
	for _, sync := range []bool{false, true} {
		b.Run(fmt.Sprintf("journal_line/sync=%v", sync), func(b *testing.B) {
			b.ReportMetric(median(b, Options{Sync: sync}, func(s *Stage, i int) {
				line := journalLine{Shard: &FinishedShard{Sum: sumOf(fmt.Sprint("shard-", i), nil, XXH128)}}
				if _, err := s.journal.append(&line); err != nil {
					b.Fatal(err)
				}
			}), "median-ms")
		})
	}
}

// median runs work on a new stage each time and returns its median time in
// milliseconds.
func median(b *testing.B, opt Options, work func(s *Stage, i int)) float64 {
	b.Helper()
	opt.Readers = 2
	var times []time.Duration
	for b.Loop() {
		b.StopTimer()
		s, err := Open(store.OS(), filepath.Join(b.TempDir(), "out"), opt)
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Begin(nil); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		start := time.Now()
		work(s, len(times))
		times = append(times, time.Since(start))
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	slices.Sort(times)
	return float64(times[len(times)/2].Microseconds()) / 1000
}
