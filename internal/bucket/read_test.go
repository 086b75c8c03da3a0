package bucket

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"tfr-build/internal/buckettest"
)

func TestRead(t *testing.T) {
	b := start(t, Options{RangeSize: 1000, Memory: 3000})
	ctx := context.Background()
	content := noise(25_500)
	u, o := b.write(t, "s3://data/a b+c%/é.bin", content)
	f := b.Open(u, o)

	for _, at := range [][2]int64{{0, 25_500}, {1, 25_499}, {0, 1}, {25_499, 1}, {999, 2}, {25_500, 0}} {
		want := content[at[0] : at[0]+at[1]]
		got := make([]byte, at[1])
		if err := f.ReadRange(ctx, got, at[0]); err != nil || !bytes.Equal(got, want) {
			t.Errorf("range %d: %v", at, err)
		}
		r := f.Reader(ctx, at[0], at[1])
		if err := iotest.TestReader(r, want); err != nil {
			t.Errorf("reader %d: %v", at, err)
		}
		r.Close()
	}
	buf := make([]byte, 3, 100_000)
	got, err := f.Append(ctx, buf)
	if err != nil || !bytes.Equal(got[3:], content) || &got[0] != &buf[0] {
		t.Errorf("%d bytes: %v", len(got), err)
	}
	if n := b.memory.taken.Load(); n != 0 {
		t.Errorf("%d bytes are still taken", n)
	}
}

func TestReadOutside(t *testing.T) {
	b := start(t, Options{})
	ctx := context.Background()
	u, o := b.write(t, "s3://data/a", noise(10))
	f := b.Open(u, o)
	for _, at := range [][2]int64{{-1, 2}, {0, 11}, {11, 0}, {9, 2}} {
		if err := f.ReadRange(ctx, make([]byte, at[1]), at[0]); err == nil {
			t.Errorf("range %d", at)
		}
		r := f.Reader(ctx, at[0], at[1])
		if _, err := r.Read(make([]byte, 1)); err == nil || err == io.EOF {
			t.Errorf("reader %d: %v", at, err)
		}
		r.Close()
	}
}

// TestReadersShareMemory has more readers than there is memory for ranges ahead.
func TestReadersShareMemory(t *testing.T) {
	b := start(t, Options{RangeSize: 1000, Memory: 2000, Requests: 2})
	content := noise(10_000)
	u, o := b.write(t, "s3://data/a", content)
	var readers []*Reader
	for range 20 {
		readers = append(readers, b.Open(u, o).Reader(context.Background(), 0, o.Size))
	}
	p := make([]byte, 500)
	for off := 0; off < len(content); off += len(p) {
		for i, r := range readers {
			if _, err := io.ReadFull(r, p); err != nil || !bytes.Equal(p, content[off:off+len(p)]) {
				t.Fatalf("reader %d at %d: %v", i, off, err)
			}
		}
		if n := b.memory.taken.Load(); n > 2000 {
			t.Fatalf("%d bytes are fetched ahead", n)
		}
	}
	for _, r := range readers {
		r.Close()
	}
	if n := b.memory.taken.Load(); n != 0 {
		t.Errorf("%d bytes are still taken", n)
	}
}

func TestReaderClosedEarly(t *testing.T) {
	b := start(t, Options{RangeSize: 1000})
	u, o := b.write(t, "s3://data/a", noise(50_000))
	r := b.Open(u, o).Reader(context.Background(), 0, o.Size)
	if _, err := r.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	r.Close()
	if _, err := r.Read(make([]byte, 10)); err == nil || err == io.EOF {
		t.Error(err)
	}
	if n := b.memory.taken.Load(); n != 0 {
		t.Errorf("%d bytes are still taken", n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r = b.Open(u, o).Reader(ctx, 0, o.Size)
	defer r.Close()
	cancel()
	if _, err := r.Read(make([]byte, 10)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestChanged overwrites and removes a listed object, and has stores that return another version
// than the requested one.
func TestChanged(t *testing.T) {
	b := start(t, Options{RangeSize: 1000})
	for name, change := range map[string]func(u URL){
		"overwritten": func(u URL) { b.write(t, u.String(), noise(5000)[1000:]) },
		"as long":     func(u URL) { b.write(t, u.String(), make([]byte, 5000)) },
		"removed": func(u URL) {
			if err := b.Remove(context.Background(), u); err != nil {
				t.Fatal(err)
			}
		},
		"wrong ETag": func(URL) { b.p.Add(buckettest.Rule{Method: "GET"}, buckettest.Header("ETag", `"abc"`)) },
		"no ETag":    func(URL) { b.p.Add(buckettest.Rule{Method: "GET"}, buckettest.Header("ETag", "")) },
	} {
		t.Run(name, func(t *testing.T) {
			defer b.p.Reset()
			u, o := b.write(t, "s3://data/a.csv", noise(5000))
			f := b.Open(u, o)
			r := f.Reader(context.Background(), 0, o.Size)
			defer r.Close()
			change(u)
			_, whole := f.Append(context.Background(), nil)
			_, streamed := io.Copy(io.Discard, r)
			for _, err := range []error{whole, f.ReadRange(context.Background(), make([]byte, 10), 7), streamed} {
				if !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "reading s3://data/a.csv: ") ||
					!strings.Contains(err.Error(), ErrChanged.Error()) {
					t.Error(err)
				}
			}
		})
	}
}

// below creates an object as a file below the gateway, so that the store has no ETag for it.
func (b *bench) below(t *testing.T, key string, content []byte, at time.Time) URL {
	t.Helper()
	file := filepath.Join(b.g.Dir, "data", key)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, content, 0o666),
		os.Chtimes(file, at, at)); err != nil {
		t.Fatal(err)
	}
	return object(t, "s3://data/"+key)
}

// TestObjectsWithoutETags checks that such objects are identified by time and size.
func TestObjectsWithoutETags(t *testing.T) {
	b := start(t, Options{RangeSize: 1000})
	ctx, content, at := context.Background(), noise(5000), time.Unix(1_700_000_000, 999_999_999)
	u := b.below(t, "in/a.csv", content, at)
	found := map[string]Object{}
	var err error
	if found["Stat"], err = b.Stat(ctx, u); err != nil {
		t.Fatal(err)
	}
	if _, found["Get"], err = b.Get(ctx, u, 5000); err != nil {
		t.Fatal(err)
	}
	if err = b.List(ctx, object(t, "s3://data/in"), func(o Object) error {
		found["List"] = o
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	entries, err := b.ReadDir(ctx, object(t, "s3://data/in"))
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	found["ReadDir"] = entries[0].Object
	for call, o := range found {
		if o.ETag != "modified 2023-11-14T22:13:20Z" || o.Size != 5000 || o.Key != u.Key {
			t.Errorf("%s: %+v", call, o)
		}
	}
	o := found["List"]
	read := func() error {
		r := b.Open(u, o).Reader(ctx, 0, o.Size)
		defer r.Close()
		streamed, err := io.ReadAll(r)
		whole, failed := b.Open(u, o).Append(ctx, nil)
		if err == nil && failed == nil && (!bytes.Equal(streamed, content) || !bytes.Equal(whole, content)) {
			t.Error("other bytes were read")
		}
		return errors.Join(err, failed)
	}
	if err := read(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(){
		"time": func() { b.below(t, "in/a.csv", content, at.Add(time.Second)) },
		"size": func() { b.below(t, "in/a.csv", content[1:], at) },
		"etag": func() { b.write(t, u.String(), content) },
	} {
		change()
		if err := read(); !errors.Is(err, ErrChanged) ||
			!strings.Contains(err.Error(), "reading s3://data/in/a.csv: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoRanges has a proxy that ignores ranges.
func TestNoRanges(t *testing.T) {
	b := start(t, Options{})
	u, o := b.write(t, "s3://data/a", noise(5000))
	b.p.Add(buckettest.Rule{Method: "GET"}, buckettest.Header("Content-Range", "bytes 0-4999/5000"))
	err := b.Open(u, o).ReadRange(context.Background(), make([]byte, 10), 7)
	if err == nil || !strings.Contains(err.Error(), "expected bytes 7-16/5000") {
		t.Error(err)
	}
	if n := b.p.Count("GET", "data/a"); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

func TestGetObject(t *testing.T) {
	b := start(t, Options{})
	ctx := context.Background()
	for _, size := range []int{0, 1, 70_000} {
		content := noise(size)
		u, o := b.write(t, "s3://data/a", content)
		asked := b.p.Count("GET", "data/a")
		got, there, err := b.Get(ctx, u, int64(size))
		there.ModTime = o.ModTime
		if err != nil || !bytes.Equal(got, content) || got == nil || there != o {
			t.Errorf("%d bytes of %d, %+v: %v", len(got), size, there, err)
		}
		if n := b.p.Count("GET", "data/a") - asked; n != 1 {
			t.Errorf("%d requests", n)
		}
	}
	u := object(t, "s3://data/a")
	if _, _, err := b.Get(ctx, u, 69_999); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	for _, name := range []string{"s3://data/none", "s3://none/a"} {
		if _, _, err := b.Get(ctx, object(t, name), 10); !errors.Is(err, ErrNotExist) {
			t.Error(err)
		}
	}
}
