package sink_test

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sync/errgroup"

	"tfr-build/internal/buckettest"
	"tfr-build/internal/crc32c"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/sink"
)

// BenchmarkAdopt keeps shards of 1 MiB of another dataset, eight at a time: as links and copies on a file system, and
// in a bucket that copies itself, and in one that does not.
func BenchmarkAdopt(b *testing.B) {
	const shards, size = 200, 1 << 20
	text := strings.Repeat("0123456789abcdef", size/16)
	digest := sink.XXH128.New()
	digest.Write([]byte(text))
	shard := sink.Sum{Bytes: size, CRC32C: crc32c.Checksum([]byte(text)), Digest: hex.EncodeToString(digest.Sum(nil))}
	noLinks := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if op.Kind == "link" {
			return syscall.EXDEV
		}
		return nil
	})
	run := func(b *testing.B, fsys vfs.FS, base, output string) {
		for n := 0; b.Loop(); n++ {
			b.StopTimer()
			stage, err := sink.Open(over(fsys), fmt.Sprint(output, n),
				sink.Options{Scratch: b.TempDir(), Sync: true, Readers: 8})
			if err == nil {
				err = stage.Begin([]byte("job"))
			}
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			group, ctx := errgroup.WithContext(b.Context())
			group.SetLimit(8)
			for i := range shards {
				group.Go(func() error {
					sum := shard
					sum.Name = fmt.Sprintf("train-%05d-of-%05d", i, shards)
					_, err := stage.Adopt(ctx, sum, fmt.Sprintf("%s/%d", base, i), sink.XXH128)
					return err
				})
			}
			if err := group.Wait(); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			if err := stage.Drop(); err != nil {
				b.Fatal(err)
			}
			if err := stage.Close(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		b.ReportMetric(float64(shards*b.N)/b.Elapsed().Seconds(), "shards/s")
	}
	dir := b.TempDir()
	for i := range shards {
		testenv.Put(b, filepath.Join(dir, "base", fmt.Sprint(i)), text)
	}
	b.Run("links", func(b *testing.B) { run(b, vfs.OS(), filepath.Join(dir, "base"), filepath.Join(dir, "out")) })
	b.Run("copies", func(b *testing.B) { run(b, noLinks, filepath.Join(dir, "base"), filepath.Join(dir, "out")) })
	g := buckettest.Start(b)
	g.Bucket(b, "data")
	p := g.Proxy(b)
	buckettest.Env(b, p.URL)
	s := &gateway{p, filepath.Join(g.Dir, "data")}
	for i := range shards {
		if err := s.fs(b.Context(), b).put(b.Context(), fmt.Sprintf("s3://data/base/%d", i), []byte(text)); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("copies of a bucket", func(b *testing.B) { run(b, s.fs(b.Context(), b), "s3://data/base", "s3://data/out") })
	p.Add(buckettest.Rule{Method: "PUT", Query: "partNumber"},
		buckettest.Answer(http.StatusNotImplemented, "NotImplemented"))
	b.Run("without them", func(b *testing.B) { run(b, s.fs(b.Context(), b), "s3://data/base", "s3://data/out") })
}
