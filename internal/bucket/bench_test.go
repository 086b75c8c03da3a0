package bucket

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
)

// large is a file to upload and to download; direct is a client that no proxy
// is before, and theirs minio-go as it comes.
func large(b *testing.B) (direct *bench, theirs *minio.Client, file string, size int64) {
	direct = start(b, Options{})
	direct.p.URL = direct.g.URL
	direct = newBench(b, Options{}, direct.g, direct.p)
	creds := s3Credentials().credentials()
	theirs, err := minio.New(direct.g.URL[len("http://"):], &minio.Options{Creds: creds, Region: "us-east-1"})
	if err != nil {
		b.Fatal(err)
	}
	file = filepath.Join(b.TempDir(), "large")
	size = 200 << 20
	if testing.Short() {
		size = 20 << 20
	}
	if err := os.WriteFile(file, noise(int(size)), 0o666); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	return direct, theirs, file, size
}

// BenchmarkUpload uploads a file, and compares with minio-go.
func BenchmarkUpload(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		c, _, file, size := large(b)
		for b.Loop() {
			f, err := os.Open(file)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := c.Put(context.Background(), URL{S3, "data", "large"}, f, size, Terms{}); err != nil {
				b.Fatal(err)
			}
			f.Close()
		}
	})
	b.Run("minio-go", func(b *testing.B) {
		_, theirs, file, _ := large(b)
		for b.Loop() {
			if _, err := theirs.FPutObject(context.Background(), "data", "large", file,
				minio.PutObjectOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkDownload downloads an object to a file, and compares with minio-go.
func BenchmarkDownload(b *testing.B) {
	b.Run("ours", func(b *testing.B) {
		c, theirs, file, _ := large(b)
		put(b, theirs, file)
		for b.Loop() {
			download(b, c, file+".again")
		}
	})
	b.Run("minio-go", func(b *testing.B) {
		_, theirs, file, _ := large(b)
		put(b, theirs, file)
		for b.Loop() {
			if err := theirs.FGetObject(context.Background(), "data", "large", file+".again",
				minio.GetObjectOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func put(b *testing.B, theirs *minio.Client, file string) {
	b.Helper()
	if _, err := theirs.FPutObject(context.Background(), "data", "large", file, minio.PutObjectOptions{}); err != nil {
		b.Fatal(err)
	}
}

func download(b *testing.B, c *bench, file string) {
	b.Helper()
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	u := URL{S3, "data", "large"}
	o, err := c.Stat(context.Background(), u)
	if err != nil {
		b.Fatal(err)
	}
	r := c.Open(u, o).Reader(context.Background(), 0, o.Size)
	defer r.Close()
	if _, err := io.Copy(f, r); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkSmall reads 2,000 objects of 10 kB from a store that is 20 ms away,
// 64 at once and one after another.
func BenchmarkSmall(b *testing.B) {
	for _, at := range []int{64, 1} {
		b.Run(fmt.Sprint(at), func(b *testing.B) {
			c := start(b, Options{Requests: at})
			n := 2000
			if testing.Short() {
				n = 20
			}
			content := noise(10_000)
			objects := make([]Object, n)
			for i := range objects {
				_, objects[i] = c.write(b, fmt.Sprintf("s3://data/%d", i), content)
			}
			c.p.Latency(20 * time.Millisecond)
			for b.Loop() {
				readAll(b, c, objects, at)
			}
		})
	}
}

func readAll(b *testing.B, c *bench, objects []Object, at int) {
	b.Helper()
	next := make(chan Object)
	var group sync.WaitGroup
	for range at {
		group.Go(func() {
			var buf []byte
			for o := range next {
				var err error
				if buf, err = c.Open(URL{S3, "data", o.Key}, o).Append(context.Background(), buf[:0]); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for _, o := range objects {
		next <- o
	}
	close(next)
	group.Wait()
}
