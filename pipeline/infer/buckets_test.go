package infer_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/bucket"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/pipeline/infer"
	"tfr-build/sources/files"
)

// TestBuckets writes configs of inputs in a bucket. Except for the paths they are the same as those
// of a copy.
func TestBuckets(t *testing.T) {
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	buckettest.Env(t, g.URL)
	const inBucket = "s3://data/in"
	dir, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	storage := objects.Reach(t.Context(), store.OS(), bucket.Options{})
	defer storage.Close()
	sys := files.New(t.Context(), storage)
	defer sys.Close()
	upload(t, dir, inBucket)
	for _, name := range []string{"penguins/penguins.csv", "digits", "photos", "records", "gsm8k/test.jsonl"} {
		inspect := func(root string) string {
			c, err := infer.Inspect(t.Context(), []string{root + "/" + name},
				infer.Options{System: sys, Dir: "/", Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(string(c.Text), "\"", "")
			text = strings.ReplaceAll(text, inBucket, strings.TrimPrefix(dir, "/"))
			return strings.Join(strings.Fields(text), " ") // notes are behind paths
		}
		if got, want := inspect(inBucket), inspect(dir); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	_, err = infer.Inspect(t.Context(), []string{inBucket + "/none"}, infer.Options{System: sys, Dir: "/"})
	if err == nil || !strings.Contains(err.Error(), "NoSuchKey") {
		t.Errorf("nothing there: %v", err)
	}
}

// upload copies a directory into a bucket.
func upload(t *testing.T, dir, to string) {
	t.Helper()
	c, err := bucket.New(bucket.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	u, _, _ := bucket.Parse(to)
	for _, pattern := range []string{"*/*", "*/*/*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if info, err := os.Stat(name); err != nil || info.IsDir() {
				continue
			}
			data, err := os.ReadFile(name)
			if err == nil {
				_, err = c.Put(t.Context(), u.Join(strings.TrimPrefix(name, dir+"/")), bytes.NewReader(data),
					int64(len(data)), bucket.Terms{})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
