package bucket

import (
	"bytes"
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tfr-build/internal/buckettest"
)

// A bench is a client, a store, and a proxy between them.
type bench struct {
	*Client
	g *buckettest.Gateway
	p *buckettest.Proxy
}

// start has a bucket "data", and a client that is quick to try again.
func start(t testing.TB, o Options) *bench {
	t.Helper()
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	return newBench(t, o, g, g.Proxy(t))
}

func newBench(t testing.TB, o Options, g *buckettest.Gateway, p *buckettest.Proxy) *bench {
	t.Helper()
	buckettest.Env(t, p.URL)
	o.Backoff = cmp.Or(o.Backoff, time.Millisecond)
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return &bench{c, g, p}
}

func object(t testing.TB, text string) URL {
	t.Helper()
	u, _, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// write writes an object, without faults.
func (b *bench) write(t testing.TB, text string, content []byte) (URL, Object) {
	t.Helper()
	u := object(t, text)
	o, err := putContent(b.Client, u, content, Terms{})
	if err != nil {
		t.Fatal(err)
	}
	return u, o
}

// want checks the content of an object.
func (b *bench) want(t testing.TB, u URL, content []byte) {
	t.Helper()
	o, err := b.Stat(context.Background(), u)
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.Open(u, o).Append(context.Background(), nil)
	if err != nil || !bytes.Equal(got, content) {
		t.Fatalf("%s has %d bytes, not the %d that were written: %v", u, len(got), len(content), err)
	}
}

// noise is n bytes that are the same in every run.
func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(b)
	return b
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Append appends the complete object to dst.
func (f *File) Append(ctx context.Context, dst []byte) ([]byte, error) {
	n := len(dst)
	dst = slices.Grow(dst, int(f.o.Size))[:n+int(f.o.Size)]
	if err := f.ReadRange(ctx, dst[n:], 0); err != nil {
		return dst[:n], err
	}
	return dst, nil
}
