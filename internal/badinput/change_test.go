package badinput

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tfr-build/internal/filetest"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	inputs "tfr-build/sources/input"
)

// changes are what can happen to a file between its listing and the end of the
// reading. With a kept time the size is another, without the inode.
var changes = []struct {
	name string
	to   func(path string) error
}{
	{"appended to", func(p string) error { return rewrite(p, func(b []byte) []byte { return append(b, b...) }) }},
	{"cut short", func(p string) error { return rewrite(p, func(b []byte) []byte { return b[:len(b)/2] }) }},
	{"emptied", func(p string) error { return os.Truncate(p, 0) }},
	{"deleted", os.Remove},
	{"written anew, as long", func(p string) error { return rewrite(p, swapped) }},
	{"replaced by its like", func(p string) error {
		data, err := os.ReadFile(p)
		if err == nil {
			err = errors.Join(os.WriteFile(p+".new", swapped(data), 0o666), os.Rename(p+".new", p))
		}
		return err
	}},
	{"appended to, with its old time", func(p string) error {
		info, err := os.Stat(p)
		if err != nil {
			return err
		}
		return errors.Join(rewrite(p, func(b []byte) []byte { return append(b, b...) }),
			os.Chtimes(p, time.Time{}, info.ModTime()))
	}},
	{"replaced by a pipe", func(p string) error { return errors.Join(os.Remove(p), syscall.Mkfifo(p, 0o666)) }},
}

// swapped is data with its digits exchanged: as long, and other values.
func swapped(data []byte) []byte {
	return []byte(strings.NewReplacer("1", "2", "2", "1", "3", "4", "4", "3").Replace(string(data)))
}

// rewrite writes a file in place.
func rewrite(path string, change func([]byte) []byte) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, change(data), 0o666)
}

// A changing is an input of which one file changes.
type changing struct {
	name   string
	file   string
	memory int64
	input  fault
}

func changings() []changing {
	const plenty, little = 32 << 20, 16 << 20
	var csv, jsonl, side, names strings.Builder
	csv.WriteString("a,b\n")
	side.WriteString("a,c\n")
	loaded := map[string]string{}
	for i := range 60 {
		loaded[fmt.Sprintf("in/%d", i)] = fmt.Sprintf("file %d", i)
		fmt.Fprintf(&csv, "%d,x%d\n", i, i)
		fmt.Fprintf(&jsonl, "{\"a\": %d}\n", i)
		fmt.Fprintf(&side, "%d,%d\n", i, i*i)
		fmt.Fprintf(&names, "%d\n", i)
	}
	tree := map[string]string{}
	for i := range 40 {
		tree[fmt.Sprintf("in/%d/%d.bin", i%3, i)] = fmt.Sprintf("content %d", i)
	}
	one := func(config string, files map[string]string) fault {
		return input(accepted, "", config+"shards: 3\n", files)
	}
	const csvSource, a = "source: {csv: {files: t.csv}}\n", "features: {a: int64}\n"
	table := map[string]string{"t.csv": csv.String(), "s.csv": side.String(), "n.txt": names.String()}
	loaded["t.csv"] = csv.String()
	return []changing{
		{"csv", "t.csv", plenty, one(csvSource+a, table)},
		{"csv in gzip", "t.csv", little, one(csvSource+a, map[string]string{"t.csv": filetest.Gzip(csv.String())})},
		{"csv of another encoding", "t.csv", little, one("source: {csv: {files: t.csv, encoding: latin-1}}\n"+a,
			table)},
		{"jsonl", "t.jsonl", plenty, one("source: {jsonl: {files: t.jsonl}}\n"+a,
			map[string]string{"t.jsonl": jsonl.String()})},
		{"jsonl in gzip", "t.jsonl", little, one("source: {jsonl: {files: t.jsonl}}\n"+a,
			map[string]string{"t.jsonl": filetest.Gzip(jsonl.String())})},
		{"folder", "in/1/31.bin", plenty, one("source: {folder: {dir: in}}\nfeatures: {content: bytes}\n", tree)},
		{"join", "s.csv", plenty, one(csvSource+"join: [{csv: {files: s.csv}, on: a}]\nfeatures: {a: int64, c: "+
			"int64}\n",
			table)},
		{"class names", "n.txt", plenty, one(csvSource+"features: {a: {classes: n.txt}}\n", table)},
		{"load", "in/31", plenty, one(csvSource+"load: {f: {path: \"{a}\", dir: in, as: bytes}}\nfeatures: {a: "+
			"int64, f: {type: bytes}}\n", loaded)},
	}
}

// changePoints is how many operations on the output each change is tried at.
func changePoints() int { return testenv.Times(3, 3, 60) }

// TestInputsThatChange changes a file at many points of a build: the build ends
// with an error of the input, or the change came too late to matter, and then
// the dataset is that of the file as it was. A sample has every seventh change, others for
// each file.
func TestInputsThatChange(t *testing.T) {
	for i, c := range changings() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			total, want := c.build(t, -1, nil)
			for m, change := range changes {
				if (i+m)%testenv.Times(7, 1, 1) != 0 {
					continue
				}
				noticed := 0
				for k := range changePoints() {
					at := total * k / changePoints()
					_, got := c.build(t, at, change.to)
					switch {
					case isNoticed(got.err):
						noticed++
					case got.err != nil || got.sum != want.sum:
						t.Errorf("%s before operation %d of %d: %v, same dataset: %t", change.name, at, total, got.err,
							got.sum == want.sum)
					}
				}
				if noticed == 0 {
					t.Errorf("%s: never noticed", change.name)
				}
			}
		})
	}
}

// isNoticed reports whether err says that a file changed.
func isNoticed(err error) bool {
	var bad *inputs.Error
	return errors.As(err, &bad)
}

// An outcome is the result of a build.
type outcome struct {
	err error
	sum string // of the dataset
}

// build builds, and changes the file before operation at on the output.
func (c *changing) build(t *testing.T, at int, change func(path string) error) (operations int, o outcome) {
	t.Helper()
	dir := c.input.layOut(t)
	defer os.RemoveAll(dir)
	cfg, err := config.Load(filepath.Join(dir, "c.yaml"))
	must(t, err)
	var n atomic.Int64
	disk := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		name, err := filepath.Rel(dir, op.Name)
		isOfOutput := err == nil && (strings.HasPrefix(name, "out") || strings.HasPrefix(name, ".out.tfr"))
		if isOfOutput && n.Add(1)-1 == int64(at) {
			return change(filepath.Join(dir, c.file))
		}
		return nil
	})
	_, o.err = pipeline.Build(t.Context(), cfg, pipeline.Run{Workers: 2, Memory: c.memory, Storage: store.Over(disk)})
	if o.err == nil {
		o.sum = sum(t, filepath.Join(dir, "out"))
	}
	return int(n.Load()), o
}

// sum is a digest of all files below dir.
func sum(t *testing.T, dir string) string {
	t.Helper()
	h := sha256.New()
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(h, "%s %d\n%s", strings.TrimPrefix(path, dir), len(data), data)
		return err
	}))
	return fmt.Sprintf("%x", h.Sum(nil))
}
