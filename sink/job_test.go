package sink_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/vfs"
	"tfr-build/sink"
)

// A job describes a small dataset and how to build it.
type job struct {
	tag         string // is in every file, to tell datasets apart
	shards      int
	blocks      int
	compression sink.Compression
	workers     int
	delay       time.Duration // up to which a worker dawdles before and after each block
	rejects     bool          // shards with an odd number lack a row, and a file next to the output says so
	runs        int
	plans       bool
	directories bool // the shards are in two directories
	indexed     bool // each shard has an index
	large       bool // a block has more than 5 MiB, and is uploaded in parts
	opt         sink.Options
}

var small = job{tag: "new", shards: 2, blocks: 3, workers: 1, opt: sink.Options{Sync: true}}

func (j job) shardName(k int) string {
	if j.directories {
		return fmt.Sprintf("%s/part-%05d", []string{"train", "test"}[k%2], k/2)
	}
	return fmt.Sprintf("train-%05d-of-%05d", k, j.shards)
}

// block returns the bytes of a block; some blocks are empty.
func (j job) block(k, i int) []byte {
	if i%7 == 5 {
		return nil
	}
	r := rand.New(rand.NewPCG(uint64(k), uint64(i)))
	text := fmt.Sprintf("%s %d %d ", j.tag, k, i)
	times := 1 + r.IntN(90)
	if j.large {
		times += 6 << 20 / len(text)
	}
	return bytes.Repeat([]byte(text), times)
}

func (j job) content(k int) (data []byte) {
	for i := range j.blocks {
		data = append(data, j.block(k, i)...)
	}
	return data
}

// files returns the files of the dataset, for jobs without compression.
func (j job) files() map[string]string {
	files := map[string]string{"_tfr/manifest.json": j.manifest(), "_SUCCESS": j.tag + "!"}
	for k := range j.shards {
		files[j.shardName(k)] = string(j.content(k))
		if j.indexed {
			files[sink.IndexName(j.shardName(k))] = j.index(k)
		}
	}
	return files
}

func (j job) withIndexes() job { j.indexed = true; return j }

// lines returns the function that makes the index of a shard, one line per block, or nil.
func (j job) lines() func(dst, data []byte, off int64) []byte {
	if !j.indexed {
		return nil
	}
	return func(dst, data []byte, off int64) []byte {
		return fmt.Appendf(dst, "%d: %d of %s\n", off, len(data), j.tag)
	}
}

// index returns the content of a shard's index.
func (j job) index(k int) string {
	var text []byte
	off := int64(0)
	for i := range j.blocks {
		text = j.lines()(text, j.block(k, i), off)
		off += int64(len(j.block(k, i)))
	}
	return string(text)
}

// manifest returns the part of a manifest that this package reads.
func (j job) manifest() string {
	var shards []string
	for k := range j.shards {
		shards = append(shards, fmt.Sprintf(`{"name": %q}`, j.shardName(k)))
	}
	return fmt.Sprintf(`{"tool": "tfr-build", "name": %q, "splits": [{"shards": [%s]}]}`, j.tag,
		strings.Join(shards, ", "))
}

// build runs the job from Open to Close and returns the first error.
func (j job) build(ctx context.Context, fsys vfs.FS, output string) (sums []sink.Sum, err error) {
	r := attempt{job: j}
	err = r.build(ctx, fsys, output)
	return r.sums, err
}

func (j job) dawdle() {
	if j.delay > 0 {
		time.Sleep(rand.N(j.delay))
	}
}

func (j job) mustBuild(t *testing.T, output string) []sink.Sum {
	t.Helper()
	sums, err := j.build(t.Context(), vfs.OS(), output)
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

// tree returns the files below dir and their content. The name of a directory ends in "/".
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if e.IsDir() {
			files[rel+"/"] = ""
			return nil
		}
		if e.Type() == fs.ModeSymlink {
			files[rel], err = os.Readlink(name)
			return err
		}
		data, err := os.ReadFile(name)
		files[rel] = string(data)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return files
}

// names lists the files of a tree.
func names(files map[string]string) string {
	var list []string
	for name := range files {
		list = append(list, name)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// isAt reports whether the output is the job's complete dataset, without other files.
func (j job) isAt(t *testing.T, output string) bool {
	t.Helper()
	got := tree(t, output)
	want := j.files()
	for name := range want {
		for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
			delete(got, dir+"/")
		}
	}
	if len(got) != len(want) {
		return false
	}
	for name, text := range want {
		if got[name] != text {
			return false
		}
	}
	return true
}

func (j job) wantAt(t *testing.T, output string) {
	t.Helper()
	if !j.isAt(t, output) {
		t.Errorf("the dataset %q is not whole at the output: %s", j.tag, names(tree(t, output)))
	}
}

func wantAbsent(t *testing.T, name string) {
	t.Helper()
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is there: %v", filepath.Base(name), err)
	}
}

// resumable reports whether a staging directory contains only what a stopped run may leave: no
// unfinished file, except those that describe the dataset.
func resumable(t *testing.T, output string) bool {
	t.Helper()
	files := tree(t, staging(output))
	if _, ok := files["journal"]; !ok {
		return slices.Contains([]string{"", "lock", "lock state.json"}, names(files))
	}
	for name := range files {
		if strings.HasPrefix(filepath.Base(name), ".") {
			return false
		}
	}
	return true
}

// wantStaging checks the content of an output's staging directory.
func wantStaging(t *testing.T, output, want string) {
	t.Helper()
	if got := names(tree(t, staging(output))); got != want {
		t.Errorf("the staging directory has %q, want %q", got, want)
	}
}

func staging(output string) string {
	return filepath.Join(filepath.Dir(output), "."+filepath.Base(output)+".tfr")
}

func sha(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
