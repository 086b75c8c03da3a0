package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/buckettest"
	"tfr-build/internal/crc32c"
	"tfr-build/internal/testenv"
)

// copying returns a bench with an object, and a function that copies it with its CRC-32C.
func copying(t *testing.T, o Options, content []byte) (*bench, func(to string, terms Terms) (Object, error)) {
	b := start(t, o)
	b.copySize = parts
	from, _ := b.write(t, "s3://data/from/é a+b%", content)
	return b, func(to string, terms Terms) (Object, error) {
		return b.Copy(context.Background(), object(t, to), from, int64(len(content)), crc32c.Checksum(content), terms)
	}
}

// TestCopy copies objects of no part, of one, and of several. No byte passes the client where the store computes sums:
// this one does not if the object was uploaded in parts.
func TestCopy(t *testing.T) {
	for _, size := range []int{0, 1, parts, parts + 1, 2*parts + 5} {
		if size > parts && !testenv.Exhaustive() {
			continue
		}
		content := noise(size)
		b, do := copying(t, Options{PartSize: parts}, content)
		b.p.Reset()
		o, err := do("s3://data/to", Terms{Over: Nothing})
		if err != nil || o.Size != int64(size) {
			t.Fatalf("%d bytes: %+v, %v", size, o, err)
		}
		if n := b.p.Count("GET", "") + b.p.Count("HEAD", ""); (n == 0) != (size <= parts) {
			t.Errorf("%d bytes: %d requests read what the store checked", size, n)
		}
		u := object(t, "s3://data/to")
		if there, err := b.Stat(context.Background(), u); err != nil || there.ETag != o.ETag || there.Size != o.Size {
			t.Errorf("%d bytes: %+v, there is %+v: %v", size, o, there, err)
		}
		b.p.Reset()
		if _, isSame, err := b.Same(context.Background(), u, int64(size), crc32c.Checksum(content)); !isSame ||
			err != nil || (b.p.Count("GET", "") == 0) != (size <= parts) {
			t.Errorf("%d bytes: %v, %v, read %d times", size, isSame, err, b.p.Count("GET", ""))
		}
		b.want(t, u, content)
		if _, err := do("s3://data/to", Terms{Over: Nothing}); !errors.Is(err, ErrExists) {
			t.Errorf("%d bytes over an object: %v", size, err)
		}
		if _, err := do("s3://data/to", Terms{Over: o.ETag}); err != nil {
			t.Errorf("%d bytes over the object with the ETag: %v", size, err)
		}
		b.wantNoUploads(t)
	}
}

// TestCopySumsOfParts has a store that computes the sum of each part.
func TestCopySumsOfParts(t *testing.T) {
	content := noise(2*parts + 5)
	b, do := copying(t, Options{}, content)
	for i, part := range [][]byte{content[:parts], content[parts : 2*parts], content[2*parts:]} {
		sum := (&payload{crc: crc32c.Checksum(part)}).checksum()
		b.p.Add(buckettest.Rule{Method: "PUT", Query: fmt.Sprint("partNumber=", i+1)},
			buckettest.Replace("<ChecksumCRC32C>.*</ChecksumCRC32C>", "<ChecksumCRC32C>"+sum+"</ChecksumCRC32C>"))
	}
	sent := ""
	b.p.Add(buckettest.Rule{Method: "POST", Query: "uploadId"},
		func(w http.ResponseWriter, r *http.Request, _ func() *http.Response) {
			text, _ := io.ReadAll(r.Body)
			sent = string(text)
			buckettest.Answer(403, "AccessDenied")(w, r, nil)
		})
	if _, err := do("s3://data/to", Terms{}); !errors.Is(err, ErrDenied) {
		t.Fatal(err)
	}
	if n := strings.Count(sent, "<ChecksumCRC32C>"); n != 3 {
		t.Errorf("the upload was completed with %d sums: %s", n, sent)
	}
}

// wantNoUploads makes sure that no part is left behind.
func (b *bench) wantNoUploads(t *testing.T) {
	t.Helper()
	if ups, err := b.Uploads(context.Background(), object(t, "s3://data")); len(ups) != 0 || err != nil {
		t.Errorf("uploads that are not finished: %v, %v", ups, err)
	}
}

// TestCopyOfAnother copies an object that was replaced, cut, extended, or removed. Nothing is written.
func TestCopyOfAnother(t *testing.T) {
	content := noise(100)
	other := bytes.Clone(content)
	other[70] ^= 1
	b, do := copying(t, Options{Retry: 10 * time.Millisecond}, content)
	from, to := object(t, "s3://data/from/é a+b%"), object(t, "s3://data/to")
	for name, now := range map[string][]byte{"replaced": other, "cut": content[:50], "removed": nil} {
		for _, hasSums := range []bool{true, false} {
			b.p.Reset()
			b.stores[S3].copiesBare.Store(false)
			if err := b.Remove(context.Background(), to); err != nil {
				t.Fatal(err)
			}
			if now != nil {
				b.write(t, from.String(), now)
			} else if err := b.Remove(context.Background(), from); err != nil {
				t.Fatal(err)
			}
			if !hasSums {
				b.p.Add(buckettest.Rule{Method: "PUT", Query: "partNumber"}, withoutSums)
			}
			_, err := do(to.String(), Terms{Over: Nothing})
			if errors.Is(err, ErrChanged) == (name == "cut") {
				t.Errorf("%s, sums %v: %v", name, hasSums, err)
			}
			if name != "replaced" && !strings.Contains(err.Error(), "copying s3://data/from/é a+b%: ") ||
				name == "cut" && !strings.Contains(err.Error(), "Range specified is not valid") {
				t.Errorf("%s: %v", name, err)
			}
			if errors.Is(err, fs.ErrNotExist) != (name == "removed") {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := b.Stat(context.Background(), to); hasSums && !errors.Is(err, ErrNotExist) {
				t.Errorf("%s, sums %v: an object exists: %v", name, hasSums, err)
			}
			b.wantNoUploads(t)
		}
	}
}

// TestCopyReadBack has a store that does not tell the sums of copied parts: the copy is read back.
func TestCopyReadBack(t *testing.T) {
	content := noise(100)
	b, do := copying(t, Options{}, content)
	b.p.Add(buckettest.Rule{Method: "PUT", Query: "partNumber"}, withoutSums)
	if _, err := do("s3://data/to", Terms{}); err != nil {
		t.Fatal(err)
	}
	if b.p.Count("GET", "data/to") == 0 {
		t.Error("it was not read back")
	}
}

// withoutSums removes the checksums of an answer.
var withoutSums = buckettest.Replace(`<ChecksumCRC32C>.*</ChecksumCRC32C>`, "")

// TestCopyUnsupported has stores that do not copy: those that refuse, and those that answer as if nothing was to copy.
// The first are not asked again.
func TestCopyUnsupported(t *testing.T) {
	for name, tt := range map[string]struct {
		fault buckettest.Fault
		again bool // it is asked again
	}{
		"501":            {buckettest.Answer(501, "NotImplemented"), false},
		"405":            {buckettest.Answer(405, "MethodNotAllowed"), false},
		"no answer":      {buckettest.Replace(`(?s).*`, ""), true},
		"error after it": {buckettest.Replace(`(?s).*`, "<Error><Code>InternalError</Code></Error>"), true},
	} {
		b, do := copying(t, Options{Retry: 100 * time.Millisecond}, noise(100))
		b.p.Reset()
		b.p.Add(buckettest.Rule{Method: "PUT", Query: "partNumber"}, tt.fault)
		for range 2 {
			if _, err := do("s3://data/to", Terms{}); !errors.Is(err, ErrCannotCopy) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n := b.p.Count("PUT", ""); n != 1 && !tt.again || n != 2 && tt.again {
			t.Errorf("%s: %d requests", name, n)
		}
		b.wantNoUploads(t)
		if _, err := b.Stat(context.Background(), object(t, "s3://data/to")); !errors.Is(err, ErrNotExist) {
			t.Errorf("%s: an object exists: %v", name, err)
		}
	}
	b, _ := copying(t, Options{}, nil)
	b.p.Reset()
	u := object(t, "gs://data/to")
	if _, err := b.Copy(context.Background(), u, u, 1, 0, Terms{}); !errors.Is(err, ErrCannotCopy) ||
		b.p.Count("", "") > 0 {
		t.Errorf("Google Cloud Storage: %v", err)
	}
}

// TestCopyFaults has requests that fail once, are lost, or fail always.
func TestCopyFaults(t *testing.T) {
	content := noise(testenv.Times(100, parts+1, parts+1))
	b, do := copying(t, Options{PartSize: parts, Stall: time.Second}, content)
	u := object(t, "s3://data/to")
	for name, fault := range testenv.Some(0, 4, passing) {
		if name == "slow" || name == "stalled" {
			continue // of requests, each is one to the transport
		}
		b.p.Reset()
		for _, query := range []string{"uploads", "partNumber=1", "partNumber=2", "uploadId"} {
			b.p.Add(buckettest.Rule{Query: query, Times: 1}, fault)
		}
		if _, err := do("s3://data/to", Terms{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		b.want(t, u, content)
	}
	for _, lost := range []string{"partNumber=1", "uploadId"} {
		if err := b.Remove(context.Background(), u); err != nil {
			t.Fatal(err)
		}
		b.p.Reset()
		b.p.Add(buckettest.Rule{Query: lost, Times: 1}, buckettest.Lost(500, "InternalError"))
		if _, err := do("s3://data/to", Terms{Over: Nothing}); err != nil {
			t.Errorf("the answer to %s was lost: %v", lost, err)
		}
		b.want(t, u, content)
	}
	ups, err := b.Uploads(context.Background(), object(t, "s3://data"))
	for _, up := range ups { // of which the answer was lost
		err = errors.Join(err, b.Abort(context.Background(), up))
	}
	if err != nil {
		t.Fatal(err)
	}
	b.opts.Retry = 200 * time.Millisecond // a slow machine needs more for two failures of one request
	for _, query := range []string{"partNumber=1", "uploadId"} {
		if err := b.Remove(context.Background(), u); err != nil {
			t.Fatal(err)
		}
		b.p.Reset()
		b.p.Add(buckettest.Rule{Method: "PUT", Query: query}, buckettest.Answer(500, "InternalError"))
		b.p.Add(buckettest.Rule{Method: "POST", Query: query}, buckettest.Answer(500, "InternalError"))
		_, err := do("s3://data/to", Terms{})
		if err == nil || strings.Contains(err.Error(), "left behind") {
			t.Errorf("%s: %v", query, err)
		}
		if _, err := b.Stat(context.Background(), u); !errors.Is(err, ErrNotExist) {
			t.Errorf("%s: an object exists: %v", query, err)
		}
		b.wantNoUploads(t)
	}
}

// TestCopyStopped cancels a copy: no part stays.
func TestCopyStopped(t *testing.T) {
	content := noise(100)
	b, _ := copying(t, Options{PartSize: parts}, content)
	ctx, cancel := context.WithCancel(context.Background())
	b.p.Add(buckettest.Rule{Query: "partNumber"},
		func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
			cancel()
			buckettest.Header("X", "")(w, r, pass)
		})
	_, err := b.Copy(ctx, object(t, "s3://data/to"), object(t, "s3://data/from/é a+b%"), int64(len(content)),
		crc32c.Checksum(content), Terms{})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	b.wantNoUploads(t)
}
