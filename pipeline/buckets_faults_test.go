package pipeline

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tfr-build/internal/buckettest"
	"tfr-build/internal/testenv"
	"tfr-build/pipeline/config"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A shop is a bucket with a table and with small files, and a proxy before it.
type shop struct {
	*buckettest.Proxy
	dir string
}

const shopFiles = 300

func newShop(t *testing.T) *shop {
	t.Helper()
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	var table strings.Builder
	table.WriteString("id,file\n")
	dir := filepath.Join(t.TempDir(), "in")
	for i := range shopFiles {
		name := fmt.Sprintf("c%d/%d.bin", i%3, i)
		testenv.Put(t, filepath.Join(dir, "tree", name), strings.Repeat(name, 1+i%50))
		fmt.Fprintf(&table, "%d,%s\n", i, name)
	}
	testenv.Put(t, filepath.Join(dir, "names.csv"), table.String())
	for i := range 20_000 {
		fmt.Fprintf(&table, "%d,%s\n", i, "c0/0.bin")
	}
	testenv.Put(t, filepath.Join(dir, "t.csv"), table.String())
	s := &shop{g.Proxy(t), dir}
	buckettest.Env(t, s.URL)
	upload(t, dir, "s3://data/in")
	s.Reset()
	return s
}

const (
	tableOf = "source: {csv: {files: DIR/t.csv}}\nfeatures: {id: int64, file: bytes}\n"
	loadOf  = "source: {csv: {files: DIR/names.csv}}\nload: {x: {path: \"{file}\", dir: DIR/tree, as: " +
		"bytes}}\nfeatures: {x: bytes, file: bytes}\n"
	treeOf = "source: {folder: {dir: DIR/tree}}\nfeatures: {content: bytes, path: bytes}\n"
)

// config returns a config with its input in the bucket, or in a local copy of it.
func (s *shop) config(t *testing.T, text string, local bool) *config.Config {
	dir := "s3://data/in"
	if local {
		dir = s.dir
	}
	return load(t, t.TempDir(), "name: d\noutput: out\nsplit: train\n"+strings.ReplaceAll(text, "DIR", dir))
}

// TestBucketsHaveFaults builds while requests fail temporarily: the bytes are the same.
func TestBucketsHaveFaults(t *testing.T) {
	s := newShop(t)
	for _, text := range []string{tableOf, treeOf, loadOf} {
		want := tree(t, mustBuild(t, s.config(t, text, true), ways[1]))
		for name, fault := range map[string]buckettest.Fault{
			"cut short": buckettest.Truncate(10), "reset": buckettest.ResetAfter(7),
			"unavailable": buckettest.Unavailable(0),
		} {
			s.Reset()
			s.Add(buckettest.Rule{Method: "GET", Key: "/in/t", Times: 3}, fault)
			if got := tree(t, mustBuild(t, s.config(t, text, false), ways[1])); got != want {
				t.Errorf("%s: other bytes:\n%s\nwant\n%s", name, got, want)
			}
		}
	}
}

// TestBucketsRefuse checks that an error of a store ends the build, with the URL and the code of
// the error.
func TestBucketsRefuse(t *testing.T) {
	s := newShop(t)
	for name, tt := range map[string]struct {
		text       string
		key        string
		fault      buckettest.Fault
		path, part string
		code       string
	}{
		"denied table": {tableOf, "t.csv", buckettest.Answer(http.StatusForbidden, "AccessDenied"),
			"s3://data/in/t.csv", "AccessDenied (403)", "NOT_READABLE"},
		"denied file": {treeOf, "c1/100.bin", buckettest.Answer(http.StatusForbidden, "AccessDenied"),
			"s3://data/in/tree/c1/100.bin", "AccessDenied (403)", "NOT_READABLE"},
		"expired": {treeOf, "c1/100.bin", buckettest.Answer(http.StatusBadRequest, "ExpiredToken"),
			"s3://data/in/tree/c1/100.bin", "ExpiredToken", "NOT_READABLE"},
		"no bucket": {strings.ReplaceAll(treeOf, "DIR", "s3://none/in"), "none", nil, "s3://none/in/tree",
			"NoSuchBucket (404)", "NOT_FOUND"},
		"no directory": {strings.ReplaceAll(treeOf, "tree", "wood"), "none", nil, "s3://data/in/wood", "", "NOT_FOUND"},
		"no file": {strings.ReplaceAll(tableOf, "t.csv", "u.csv"), "none", nil, "s3://data/in/u.csv", "NoSuchKey (404)",
			"NOT_FOUND"},
		"a file": {strings.ReplaceAll(treeOf, "tree", "t.csv"), "none", nil, "s3://data/in/t.csv", "not a directory",
			""},
	} {
		s.Reset()
		s.Add(buckettest.Rule{Key: tt.key}, tt.fault)
		_, err := buildTo(t, s.config(t, tt.text, false), ways[1])
		var in *input.Error
		if !errors.As(err, &in) || in.Path != tt.path || !strings.Contains(err.Error(), tt.part) ||
			in.Code() != tt.code {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if strings.Count(err.Error(), tt.path) != 1 || strings.Contains(err.Error(), buckettest.SecretKey) {
			t.Errorf("%s: %v names it twice, or the secret", name, err)
		}
	}
}

// TestBucketsChange overwrites an object during its first read.
func TestBucketsChange(t *testing.T) {
	s := newShop(t)
	for name, tt := range map[string]struct{ text, file string }{
		"table": {tableOf, "t.csv"},
		"file":  {treeOf, "tree/c2/200.bin"},
	} {
		s.Reset()
		changed := filepath.Join(t.TempDir(), "in")
		testenv.Put(t, filepath.Join(changed, tt.file), "other\n1\n")
		s.Add(buckettest.Rule{Method: "GET", Key: tt.file, Times: 1},
			func(w http.ResponseWriter, _ *http.Request, pass func() *http.Response) {
				upload(t, changed, "s3://data/in")
				handOn(w, pass())
			})
		output, err := buildTo(t, s.config(t, tt.text, false), ways[1])
		if !errors.Is(err, files.ErrChanged) || !strings.Contains(err.Error(), "s3://data/in/"+tt.file) {
			t.Errorf("%s: %v", name, err)
		}
		nothingIn(t, filepath.Dir(output))
	}
}

// TestBucketsUpToDate builds once, and again after an object was replaced by another one of the
// same size.
func TestBucketsUpToDate(t *testing.T) {
	s := newShop(t)
	cfg := s.config(t, treeOf, false)
	run := ways[1].run(filepath.Join(t.TempDir(), "out"))
	for i, want := range []bool{false, true, false} {
		if i == 2 {
			other := filepath.Join(t.TempDir(), "in")
			testenv.Put(t, filepath.Join(other, "tree/c0/0.bin"), "C0/0.bin")
			upload(t, other, "s3://data/in")
			run.Overwrite = true
		}
		if r, err := Build(t.Context(), cfg, run); err != nil || r.UpToDate != want {
			t.Errorf("build %d: up to date %t, %v", i, err == nil && r.UpToDate, err)
		}
	}
}

// TestBucketsFetchAhead delays answers until enough files are requested at once: files of a
// directory, and for each of two workers files that rows name.
func TestBucketsFetchAhead(t *testing.T) {
	s := newShop(t)
	s.fetchAhead(t, treeOf, 64, shopFiles)
	s.fetchAhead(t, loadOf, 32, 2*shopFiles) // a sample is measured before
}

func (s *shop) fetchAhead(t *testing.T, text string, most int64, requests int) {
	t.Helper()
	s.Reset()
	var flying atomic.Int64
	var once sync.Once
	full := make(chan struct{})
	s.Add(buckettest.Rule{Method: "GET", Key: ".bin"},
		func(w http.ResponseWriter, _ *http.Request, pass func() *http.Response) {
			if flying.Add(1) == most {
				once.Do(func() { close(full) })
			}
			defer flying.Add(-1)
			select {
			case <-full: // so many have to come
			case <-time.After(10 * time.Second):
				once.Do(func() {
					t.Errorf("%d files are on their way, want %d", flying.Load(), most)
					close(full)
				})
			}
			handOn(w, pass())
		})
	mustBuild(t, s.config(t, text, false), ways[1])
	if n := s.Count("", ".bin"); n != requests {
		t.Errorf("%d requests, want %d", n, requests)
	}
}

// handOn answers as the store does.
func handOn(w http.ResponseWriter, resp *http.Response) {
	defer resp.Body.Close()
	maps.Copy(w.Header(), resp.Header)
	w.WriteHeader(resp.StatusCode)
	_, _ = io.Copy(w, resp.Body)
}
