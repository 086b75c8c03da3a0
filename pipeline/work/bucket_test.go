package work

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"testing"
	"time"

	"tfr-build/internal/bucket"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
)

// inBucket returns a directory in a bucket behind a proxy, and a function that lists its objects.
func inBucket(t *testing.T) (f *Directory, p *buckettest.Proxy, keys func() []string) {
	t.Helper()
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	p = g.Proxy(t)
	buckettest.Env(t, p.URL)
	storage := objects.Reach(t.Context(), store.OS(),
		bucket.Options{Backoff: time.Millisecond, Retry: 100 * time.Millisecond, PartSize: 5 << 20})
	t.Cleanup(storage.Close)
	f = opened(t, storage, "s3://data/sets/w")
	return f, p, func() (all []string) {
		err := storage.List(t.Context(), "s3://data/", func(name string, _ fs.FileInfo) error {
			all = append(all, name)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
}

// TestLateWrites suspends a process while it writes a note and a spill file. After the directory is
// cleared in the meantime, nothing may remain.
func TestLateWrites(t *testing.T) {
	f, p, keys := inBucket(t)
	for key, put := range map[string]func() error{
		"done/scan-1": func() error { return f.Put("done/scan-1", []byte("note")) },
		"runs/scan-1": func() error {
			r, err := f.CreateSpillFile(Scan, 1)
			if err == nil {
				_, err = r.WriteAt([]byte("rows"), 0)
			}
			if err == nil {
				_, err = r.Finish()
			}
			return err
		},
	} {
		if err := f.PutNew(planName, []byte("plan")); err != nil {
			t.Fatal(err)
		}
		p.Add(buckettest.Rule{Method: "PUT", Key: key, Times: 1},
			func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
				if err := f.Clear(); err != nil {
					t.Error(err)
				}
				buckettest.Slow(0)(w, r, pass)
			})
		if err := put(); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", key, err)
		}
		if left := keys(); len(left) > 0 {
			t.Errorf("%s: %q is left", key, left)
		}
		p.Reset()
	}
}

// TestClearEndsUploads checks that clearing ends uploads of killed processes.
func TestClearEndsUploads(t *testing.T) {
	f, p, _ := inBucket(t)
	p.Add(buckettest.Rule{Method: "PUT", Query: "partNumber"}, buckettest.Answer(500, "InternalError"))
	p.Add(buckettest.Rule{Method: "DELETE"}, buckettest.Answer(500, "InternalError"))
	if _, err := f.storage.Put(t.Context(), f.at("runs/1-x"), bytes.NewReader(make([]byte, 12<<20)), 12<<20,
		store.Condition{}); err == nil {
		t.Fatal("it was written")
	}
	p.Reset()
	for _, want := range []int{1, 0} {
		left, err := f.storage.Uploads(t.Context(), "s3://data/")
		if err != nil || len(left) != want {
			t.Errorf("%d uploads, want %d: %v", len(left), want, err)
		}
		if err := f.Clear(CommittedName); err != nil {
			t.Fatal(err)
		}
	}
}
