package bucket

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tfr-build/internal/buckettest"
)

// parts are of the least size that stores take.
const parts = 5 << 20

// A way is one to write an object.
type way struct {
	name  string
	write func(c *Client, u URL, content []byte) (Object, error)
}

var ways = []way{
	{"Put", func(c *Client, u URL, content []byte) (Object, error) { return putContent(c, u, content, Terms{}) }},
	{"PutNew", func(c *Client, u URL, content []byte) (Object, error) {
		return putContent(c, u, content, Terms{Over: Nothing})
	}},
}

func putContent(c *Client, u URL, content []byte, terms Terms) (Object, error) {
	return c.Put(context.Background(), u, bytes.NewReader(content), int64(len(content)), terms)
}

// eachSize calls f for each way with content for one request, and for several parts.
func eachSize(f func(w way, key string, content []byte)) {
	for _, w := range ways {
		f(w, w.name, noise(100))
		f(w, w.name+"Parts", noise(parts+10))
	}
}

func TestPut(t *testing.T) {
	b := start(t, Options{PartSize: parts})
	all := noise(3*parts + 1)
	for _, w := range ways {
		for _, size := range []int{0, 1, parts - 1, parts, parts + 1, len(all)} {
			u := object(t, "s3://data/to").Join(w.name).Join(strings.Repeat("x", 1+size%7))
			o, err := w.write(b.Client, u, all[:size])
			if err != nil {
				t.Errorf("%s of %d bytes: %v", w.name, size, err)
				continue
			}
			there, err := b.Stat(context.Background(), u)
			there.ModTime = o.ModTime
			if there != o || err != nil || o.Size != int64(size) {
				t.Errorf("%s of %d bytes: %+v, there is %+v: %v", w.name, size, o, there, err)
			}
			b.want(t, u, all[:size])
			if err := b.Remove(context.Background(), u); err != nil {
				t.Error(err)
			}
		}
	}
	if n := b.p.Count("GET", "data/to"); n != len(ways)*5 {
		t.Errorf("%d reads: what the store checked is not read back", n)
	}
}

func TestPutReplaces(t *testing.T) {
	b := start(t, Options{})
	u, old := b.write(t, "s3://data/a", []byte("old"))
	_, o := b.write(t, "s3://data/a", []byte("new!"))
	if o.ETag == old.ETag || o.Size != 4 {
		t.Errorf("%+v", o)
	}
	b.want(t, u, []byte("new!"))
}

// TestPutNew has several writers of one object.
func TestPutNew(t *testing.T) {
	b := start(t, Options{})
	u := object(t, "s3://data/plan")
	var won atomic.Int64
	var group sync.WaitGroup
	for i := range byte(20) {
		group.Go(func() {
			_, err := putContent(b.Client, u, []byte{i}, Terms{Over: Nothing})
			switch {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), "writing s3://data/plan: "):
				t.Error(err)
			}
		})
	}
	group.Wait()
	if won.Load() != 1 {
		t.Errorf("%d won", won.Load())
	}
}

// TestPutReadBack has a store without checksums: its objects are read back. One with other bytes
// is an error.
func TestPutReadBack(t *testing.T) {
	b := start(t, Options{PartSize: parts})
	eachSize(func(w way, key string, content []byte) {
		u := object(t, "s3://data/"+key)
		b.p.Reset()
		b.p.Add(buckettest.Rule{}, buckettest.Header("X-Amz-Checksum-Crc32c", ""))
		if _, err := w.write(b.Client, u, content); err != nil {
			t.Errorf("%s: %v", key, err)
		}
		if b.p.Count("GET", "data/"+key) == 0 {
			t.Errorf("%s: it was not read back", key)
		}
	})
	b.p.Reset()
	b.p.Add(buckettest.Rule{Method: "PUT"}, buckettest.Header("X-Amz-Checksum-Crc32c", ""))
	b.p.Add(buckettest.Rule{Method: "HEAD"}, buckettest.Header("X-Amz-Checksum-Crc32c", ""))
	b.p.Add(buckettest.Rule{Method: "GET"}, buckettest.Garble())
	if _, err := putContent(b.Client, object(t, "s3://data/a"), []byte("hello"), Terms{}); err == nil ||
		!strings.Contains(err.Error(), "what was read back is not what was written") {
		t.Error(err)
	}
}

// TestPutWithoutETags replaces an object without an ETag, and writes to a store that answers
// without one.
func TestPutWithoutETags(t *testing.T) {
	b := start(t, Options{PartSize: parts})
	ctx, content := context.Background(), noise(100)
	u := b.below(t, "a", []byte("other"), time.Now())
	o, err := b.Stat(ctx, u)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := putContent(b.Client, u, content, Terms{Over: o.ETag}); err != nil {
		t.Error(err)
	}
	b.want(t, u, content)
	b.p.Add(buckettest.Rule{}, buckettest.Header("ETag", ""))
	untagged, err := putContent(b.Client, u, content, Terms{})
	if err != nil || untagged.ETag == "" {
		t.Errorf("%+v, %v", untagged, err)
	}
	b.want(t, u, content)
}

// TestPutWrongSum has a store that received other bytes: they are sent again, and never become an
// object.
func TestPutWrongSum(t *testing.T) {
	b := start(t, Options{PartSize: parts})
	enough := b.opts.Retry // for two failures of one request, on a slow machine
	eachSize(func(w way, key string, content []byte) {
		for _, times := range []int{2, 0} {
			b.opts.Retry = enough
			if times == 0 {
				b.opts.Retry = 200 * time.Millisecond
			}
			b.p.Reset()
			u := object(t, "s3://data/"+key)
			_ = b.Remove(context.Background(), u)
			b.p.Add(buckettest.Rule{Method: "PUT", Times: times},
				buckettest.Header("X-Amz-Checksum-Crc32c", "AAAAAA=="))
			_, err := w.write(b.Client, u, content)
			inParts := len(content) > parts
			switch isWrong := times == 0 && inParts; { // else the object itself says that the answer was wrong
			case !isWrong && err != nil:
				t.Errorf("%s: %v", key, err)
			case isWrong && (err == nil ||
				!strings.Contains(err.Error(), "the store has bytes of the CRC-32C AAAAAA==")):
				t.Errorf("%s: %v", key, err)
			}
		}
	})
}

// TestPutWithLostResponses has a store that executes each request and returns an error. The write must not fail.
func TestPutWithLostResponses(t *testing.T) {
	b := start(t, Options{PartSize: parts, Retry: 200 * time.Millisecond})
	eachSize(func(w way, key string, content []byte) {
		for _, times := range []int{1, 0} {
			b.p.Reset()
			for _, method := range []string{"PUT", "POST"} {
				b.p.Add(buckettest.Rule{Method: method, Query: "uploads"}, nil)
				b.p.Add(buckettest.Rule{Method: method, Query: "partNumber"}, nil)
				b.p.Add(buckettest.Rule{Method: method, Times: times}, buckettest.Lost(500, "InternalError"))
			}
			u := object(t, "s3://data/"+key)
			_ = b.Remove(context.Background(), u)
			o, err := w.write(b.Client, u, content)
			if err != nil || o.ETag == "" {
				t.Errorf("%s, %d times: %+v %v", key, times, o, err)
			}
			b.want(t, u, content)
		}
	})
}

// TestPutWithLostResponseAndOtherWriter has a lost answer, and an object of another writer.
func TestPutWithLostResponseAndOtherWriter(t *testing.T) {
	b := start(t, Options{})
	u, _ := b.write(t, "s3://data/plan", []byte("another's"))
	b.p.Add(buckettest.Rule{Method: "PUT", Times: 1}, buckettest.Lost(500, "InternalError"))
	if _, err := putContent(b.Client, u, []byte("my plan's"), Terms{Over: Nothing}); !errors.Is(err, ErrExists) {
		t.Error(err)
	}
	b.want(t, u, []byte("another's"))
}

// TestPutFails has uploads that cannot succeed: no object and no part may remain.
func TestPutFails(t *testing.T) {
	b := start(t, Options{PartSize: parts, Retry: 10 * time.Millisecond})
	ctx := context.Background()
	content := noise(2*parts + 10)
	broken := errors.New("broken")
	for name, try := range map[string]func(u URL) error{
		"refused part": func(u URL) error {
			b.p.Add(buckettest.Rule{Query: "partNumber=2"}, buckettest.Answer(403, "AccessDenied"))
			_, err := putContent(b.Client, u, content, Terms{})
			return err
		},
		"failing part": func(u URL) error {
			b.p.Add(buckettest.Rule{Query: "partNumber=3"}, buckettest.Answer(500, "InternalError"))
			_, err := putContent(b.Client, u, content, Terms{})
			return err
		},
		"failing end": func(u URL) error {
			b.p.Add(buckettest.Rule{Method: "POST", Query: "uploadId"}, buckettest.Answer(500, "InternalError"))
			_, err := putContent(b.Client, u, content, Terms{})
			return err
		},
		"short file": func(u URL) error {
			_, err := b.Put(ctx, u, bytes.NewReader(content[:len(content)-20]), int64(len(content)), Terms{})
			return err
		},
		"broken file": func(u URL) error {
			_, err := b.Put(ctx, u, readerAtFunc(func([]byte, int64) (int, error) { return 0, broken }),
				int64(len(content)), Terms{})
			if !errors.Is(err, broken) {
				t.Error(err)
			}
			return err
		},
		"stopped": func(u URL) error {
			ctx, cancel := context.WithCancel(ctx)
			_, err := b.Put(ctx, u, readerAtFunc(func(p []byte, off int64) (int, error) {
				cancel()
				return bytes.NewReader(content).ReadAt(p, off)
			}), int64(len(content)), Terms{})
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer b.p.Reset()
			u := object(t, "s3://data/a")
			if err := try(u); err == nil || !strings.Contains(err.Error(), "writing s3://data/a: ") ||
				strings.Contains(err.Error(), "left behind") {
				t.Error(err)
			}
			if _, err := b.Stat(ctx, u); !errors.Is(err, ErrNotExist) {
				t.Errorf("something is there: %v", err)
			}
			if ups, err := b.Uploads(ctx, object(t, "s3://data")); len(ups) != 0 || err != nil {
				t.Errorf("%v %v", ups, err)
			}
		})
	}
}

type readerAtFunc func(p []byte, off int64) (int, error)

func (f readerAtFunc) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }

// TestUploads finds uploads of a process that was killed, and aborts them.
func TestUploads(t *testing.T) {
	b := start(t, Options{PartSize: parts})
	ctx := context.Background()
	for _, key := range []string{"out/a", "out/b/1", "out/b/2", "other"} {
		if _, err := b.startUpload(ctx, object(t, "s3://data/"+key), Terms{}, true); err != nil {
			t.Fatal(err)
		}
	}
	ups, err := b.Uploads(ctx, object(t, "s3://data/out/"))
	if err != nil || len(ups) != 3 {
		t.Fatalf("%+v %v", ups, err)
	}
	for _, up := range ups {
		if up.ID == "" || !strings.HasPrefix(up.URL.String(), "s3://data/out/") {
			t.Errorf("%+v", up)
		}
		for range 2 { // another may have aborted it
			if err := b.Abort(ctx, up); err != nil {
				t.Error(err)
			}
		}
	}
	ups, err = b.Uploads(ctx, object(t, "s3://data"))
	if err != nil || len(ups) != 1 || ups[0].URL.Key != "other" {
		t.Errorf("%+v %v", ups, err)
	}
}

func TestRemove(t *testing.T) {
	b := start(t, Options{})
	u, _ := b.write(t, "s3://data/a", []byte("a"))
	for range 2 {
		if err := b.Remove(context.Background(), u); err != nil {
			t.Error(err)
		}
	}
	if _, err := b.Stat(context.Background(), u); !errors.Is(err, ErrNotExist) {
		t.Error(err)
	}
}
