package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"tfr-build/internal/filetest"
	"tfr-build/internal/store"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
	"tfr-build/tfrecord"
)

// A rescue verifies a dataset on disk with a Salvage.
type rescue struct {
	dir   string // directory of the dataset
	to    string // directory of the salvaged files
	fs    vfs.FS
	deep  bool
	saved []Salvaged
	found []string
}

func newRescue(t *testing.T, files fstest.MapFS) *rescue {
	r := &rescue{dir: filepath.Join(t.TempDir(), "set"), fs: vfs.OS()}
	r.to = filepath.Join(filepath.Dir(r.dir), "new", "saved")
	put(t, files, r.dir)
	return r
}

// over returns the storage over a file system, or over the operating system's if it is nil.
func over(fsys vfs.FS) *store.Storage {
	if fsys == nil {
		return store.OS()
	}
	return store.Over(fsys)
}

func (r *rescue) options(salvage *Salvage) VerifyOptions {
	r.saved, r.found = nil, nil
	return VerifyOptions{
		Store: over(r.fs), Workers: 2, Deep: r.deep, Record: boolRecord, Salvage: salvage,
		Report:   func(d *DamageError) { r.found = append(r.found, d.Error()) },
		Salvaged: func(s Salvaged) { r.saved = append(r.saved, s) },
	}
}

func (r *rescue) verify(t *testing.T) error {
	t.Helper()
	salvage, err := newSalvage(over(r.fs), r.to)
	if err != nil {
		return err
	}
	_, err = Verify(t.Context(), r.dir, r.options(salvage))
	return err
}

// damage changes a file of the dataset.
func (r *rescue) damage(t *testing.T, name string, change func(data []byte) []byte) {
	t.Helper()
	path := filepath.Join(r.dir, name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

// payloads returns the payloads of a file, which must be complete.
func payloads(t *testing.T, path string, c tfrecord.Compression) (list []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := tfrecord.NewReader(f, tfrecord.Options{File: path, Compression: c})
	for payload, err := in.Next(); ; payload, err = in.Next() {
		if err != nil {
			if err.Error() != "EOF" {
				t.Error(err)
			}
			return list
		}
		list = append(list, string(payload))
	}
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestSalvage(t *testing.T) {
	const a, b, c, d = "train-00000-of-00005", "train-00001-of-00005", "train-00002-of-00005", "train-00003-of-00005"
	for _, compression := range []tfrecord.Compression{tfrecord.None, tfrecord.Gzip, tfrecord.Zlib} {
		files, _ := small(t, 5, 4, compression)
		r := newRescue(t, files)
		original := payloads(t, filepath.Join(r.dir, a), compression)
		r.damage(t, a, func([]byte) []byte { // damage a payload and a length, in a valid gzip or zlib stream
			file, _ := shardFile(t, toBytes(original), tfrecord.None)
			starts := walk(file).starts
			file[starts[0]+12] ^= 1
			file[starts[2]] ^= 1
			return compressed(t, file, compression)
		})
		r.damage(t, b, func([]byte) []byte { // one record twice, in another order
			file, _ := shardFile(t, toBytes([]string{"2", "1", "1", "3", "4"}), compression)
			return file
		})
		r.damage(t, c, func(data []byte) []byte { return nil })
		if err := os.Remove(filepath.Join(r.dir, d)); err != nil {
			t.Fatal(err)
		}
		if err := r.verify(t); err != nil {
			t.Fatal(err)
		}
		want := []Salvaged{
			{a, filepath.Join(r.to, a), 2, 2},
			{b, filepath.Join(r.to, b), 5, 0},
			{c, filepath.Join(r.to, c), 0, 4},
		}
		if !slices.Equal(r.saved, want) {
			t.Errorf("%v: saved %v, want %v; found %q", compression, r.saved, want, r.found)
		}
		if got := names(t, r.to); !slices.Equal(got, []string{a, b, c}) {
			t.Errorf("%v: salvaged %q", compression, got)
		}
		if got := payloads(t, filepath.Join(r.to, a), compression); !slices.Equal(got,
			[]string{original[1], original[3]}) {
			t.Errorf("%v: %s has %q of %q", compression, a, got, original)
		}
		if got := payloads(t, filepath.Join(r.to, b), compression); !slices.Equal(got,
			[]string{"2", "1", "1", "3", "4"}) {
			t.Errorf("%v: %s has %q", compression, b, got)
		}
	}
}

// compressed returns a compressed file of any bytes, not only of records.
func compressed(t *testing.T, data []byte, c tfrecord.Compression) []byte {
	t.Helper()
	switch c {
	case tfrecord.Gzip:
		return []byte(filetest.Gzip(string(data)))
	case tfrecord.Zlib:
		return []byte(filetest.Zlib(string(data)))
	}
	return data
}

func toBytes(list []string) (payloads [][]byte) {
	for _, s := range list {
		payloads = append(payloads, []byte(s))
	}
	return payloads
}

// TestSalvageNothing verifies a dataset without damage, and one with a shard that is a copy of
// another. No directory is created.
func TestSalvageNothing(t *testing.T) {
	files, _ := small(t, 2, 4, tfrecord.None)
	r := newRescue(t, files)
	const a, b = "train-00000-of-00002", "train-00001-of-00002"
	if err := r.verify(t); err != nil || r.found != nil || r.saved != nil {
		t.Errorf("intact: %q, %v, %v", r.found, r.saved, err)
	}
	r.damage(t, a, func([]byte) []byte { return files[b].Data })
	if err := r.verify(t); err != nil || len(r.found) != 1 || r.saved != nil {
		t.Errorf("replaced: %q, %v, %v", r.found, r.saved, err)
	}
	if _, err := os.Stat(filepath.Dir(r.to)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory was created: %v", err)
	}
}

func TestSalvageDeep(t *testing.T) {
	r := newRescue(t, numbered(t, 0, 2, 1))
	r.deep = true
	if err := r.verify(t); err != nil || len(r.saved) != 1 || r.saved[0].Records != 2 || r.saved[0].Lost != 1 {
		t.Errorf("%v, %v", r.saved, err)
	}
	if got := payloads(t, r.saved[0].Path, tfrecord.None); len(got) != 2 ||
		got[1] != string(example(t, map[string]values{"n": []int64{1}})) {
		t.Errorf("saved %q", got)
	}
}

func TestSalvageOfFiles(t *testing.T) {
	file, _ := shardFile(t, toBytes([]string{"one", "two", "three"}), tfrecord.Gzip)
	files := fstest.MapFS{"a.gz": {Data: append(file, 0)}, "b": {Data: []byte("id,name\n1,Ann\n2,Bob\n")}, "c": {}}
	r := newRescue(t, files)
	salvage, err := NewSalvage(r.to)
	if err != nil {
		t.Fatal(err)
	}
	opt := r.options(salvage)
	opt.Store = nil
	for name := range files {
		if _, err := VerifyRecords(t.Context(), filepath.Join(r.dir, name), opt); err != nil {
			t.Fatal(err)
		}
	}
	slices.SortFunc(r.saved, func(a, b Salvaged) int { return strings.Compare(a.File, b.File) })
	want := []Salvaged{
		{filepath.Join(r.dir, "a.gz"), filepath.Join(r.to, "a.gz"), 3, Unknown},
		{filepath.Join(r.dir, "b"), filepath.Join(r.to, "b"), 0, Unknown},
	}
	if !slices.Equal(r.saved, want) {
		t.Errorf("saved %v, want %v", r.saved, want)
	}
	if got := payloads(t, filepath.Join(r.to, "a.gz"), tfrecord.Gzip); !slices.Equal(got,
		[]string{"one", "two", "three"}) {
		t.Errorf("saved %q", got)
	}
}

func TestSalvageRequiresAnEmptyDirectory(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{dir: ErrSalvageInUse, file: ErrSalvageInUse, t.TempDir(): nil,
		filepath.Join(dir, "a", "b"): nil, filepath.Join(file, "x"): syscall.ENOTDIR} {
		_, err := NewSalvage(name)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if failed := new(SalvageError); err != nil && (!errors.As(err, &failed) || failed.Path != name) {
			t.Errorf("%s: %#v", name, err)
		}
	}
	in := vfstest.NewInject(vfs.OS(), vfstest.Once(1, syscall.EIO))
	if _, err := newSalvage(store.Over(in), dir); !errors.Is(err, syscall.EIO) {
		t.Errorf("a directory that cannot be listed: %v", err)
	}
}

// TestSalvageIsAtomic fails each operation in turn: the error is reported, and no incomplete file
// is visible.
func TestSalvageIsAtomic(t *testing.T) {
	const shard = "train-00000-of-00001"
	files := numbered(t, 0, 1, 1)
	files[shard].Data[12] ^= 1
	clean := newRescue(t, files)
	record := vfstest.NewInject(vfs.OS(), nil)
	clean.fs = record
	if err := clean.verify(t); err != nil {
		t.Fatal(err)
	}
	for i, op := range record.Ops() {
		r := newRescue(t, files)
		r.fs = vfstest.NewInject(vfs.OS(), vfstest.Once(i, syscall.ENOSPC))
		err := r.verify(t)
		// closing a file that was read loses nothing
		reading := op.Kind == "close" && !strings.HasSuffix(op.Name, ".new")
		if !reading && !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("operation %d, %s: %v", i, op, err)
		}
		if failed := new(SalvageError); strings.HasPrefix(op.Name, clean.to) && !errors.As(err, &failed) {
			t.Errorf("operation %d, %s: %v is not a SalvageError", i, op, err)
		}
		switch got := names(t, r.to); {
		case len(got) > 1, len(got) == 1 && got[0] != shard:
			t.Errorf("operation %d, %s: left %q", i, op, got)
		case len(got) == 1 && len(payloads(t, filepath.Join(r.to, shard), tfrecord.None)) != 2:
			t.Errorf("operation %d, %s: the file is not complete", i, op)
		}
	}
}

// TestSalvageOfFilesFails salvages files that cannot be read, or not twice, and a directory that
// cannot be written.
func TestSalvageOfFilesFails(t *testing.T) {
	large, _ := shardFile(t, toBytes([]string{strings.Repeat("a", 100_000), strings.Repeat("b", 100_000)}),
		tfrecord.None)
	large = append(large, "junk"...)
	reads := 0
	breaks := func(n int) func(string, fs.File) fs.File { // fails from the nth opening on
		return func(_ string, f fs.File) fs.File {
			if reads++; reads >= n {
				return brokenFile{f}
			}
			return f
		}
	}
	for _, c := range []struct {
		name   string
		mode   fs.FileMode
		opened func(string, fs.File) fs.File
		out    vfs.FS
		want   string
	}{
		{"a pipe", fs.ModeNamedPipe, nil, nil, "salvaging: f: it is a pipe, not a file"},
		{"unreadable", 0, breaks(2), nil, "reading f: input/output error"},
		{"unreadable later", 0, breaks(3), nil, "reading record 0 of f: input/output error"},
		{"a full disk", 0, nil, vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
			if op.Kind == "write" {
				return syscall.ENOSPC
			}
			return nil
		}), "salvaging into DIR/f: no space left on device"},
	} {
		dir := t.TempDir()
		reads = 0
		salvage, err := newSalvage(over(c.out), dir)
		if err != nil {
			t.Fatal(err)
		}
		_, err = VerifyRecords(t.Context(), "f", VerifyOptions{
			Store:   memory{files: fstest.MapFS{"f": {Data: large, Mode: c.mode}}, opened: c.opened},
			Salvage: salvage, Report: func(*DamageError) {},
			Salvaged: func(s Salvaged) { t.Errorf("%s: saved %v", c.name, s) },
		})
		if err == nil || strings.ReplaceAll(err.Error(), dir, "DIR") != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if left := names(t, dir); left != nil {
			t.Errorf("%s: left %q", c.name, left)
		}
	}
	if _, err := VerifyRecords(t.Context(), "none",
		VerifyOptions{Store: memory{files: fstest.MapFS{}}}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestSalvageIsDurable checks the order of syncs and renames, so that a crash leaves complete files.
func TestSalvageIsDurable(t *testing.T) {
	files := numbered(t, 0, 1)
	files["train-00000-of-00001"].Data[12] ^= 1
	r := newRescue(t, files)
	noDirSync := func(_ int, op vfstest.Op) error {
		if op.Kind == "syncdir" {
			return errors.ErrUnsupported
		}
		return nil
	}
	record := vfstest.NewInject(vfs.OS(), noDirSync)
	r.fs = record
	if err := r.verify(t); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, op := range record.Ops() {
		if strings.Contains(op.Name+op.To, "new") || op.Kind == "syncdir" {
			got = append(got, strings.ReplaceAll(op.String(), filepath.Dir(r.dir), ""))
		}
	}
	want := []string{
		"stat /new/saved", "stat /new/saved", "stat /new", "mkdir /new", "mkdir /new/saved", "syncdir ", "syncdir /new",
		"lock /new/saved/.train-00000-of-00001.tfr.new", "truncate /new/saved/.train-00000-of-00001.tfr.new 0",
		"write /new/saved/.train-00000-of-00001.tfr.new 30", "sync /new/saved/.train-00000-of-00001.tfr.new",
		"rename /new/saved/.train-00000-of-00001.tfr.new /new/saved/train-00000-of-00001",
		"close /new/saved/.train-00000-of-00001.tfr.new", "syncdir /new/saved",
	}
	if !slices.Equal(slices.DeleteFunc(got, func(s string) bool { return s == "stat " }), want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestVerifyCold checks that each file is dropped from the cache before it is read.
func TestVerifyCold(t *testing.T) {
	files, _ := small(t, 2, 3, tfrecord.None)
	r := newRescue(t, files)
	record := vfstest.NewInject(vfs.OS(), nil)
	r.fs = record
	opt := r.options(nil)
	opt.Cold, opt.Workers = true, 1
	_, err := Verify(t.Context(), r.dir, opt)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system cannot drop files from its cache")
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := VerifyRecords(t.Context(), filepath.Join(r.dir, "train-00000-of-00002"), opt); err != nil {
		t.Fatal(err)
	}
	var opened, dropped int
	last := ""
	for _, op := range record.Ops() {
		if op.Kind == "read" && last == "open" {
			t.Errorf("%s is read before it is dropped", op.Name)
		}
		if op.Kind == "open" {
			opened++
		}
		if op.Kind == "dropcache" && last == "sync" {
			dropped++
		}
		last = op.Kind
	}
	if opened != len(files)+1 || dropped != opened {
		t.Errorf("%d opened, %d dropped", opened, dropped)
	}
	for _, kind := range []string{"sync", "dropcache"} {
		opt.Store = store.Over(vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
			if op.Kind == kind {
				return syscall.EIO
			}
			return nil
		}))
		_, err := Verify(t.Context(), r.dir, opt)
		if want := fmt.Sprintf("dropping what memory holds of %s: input/output error",
			filepath.Join(r.dir, ManifestName)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", kind, err, want)
		}
		if _, err := VerifyRecords(t.Context(), filepath.Join(r.dir, SuccessName), opt); !errors.Is(err, syscall.EIO) {
			t.Errorf("%s of a file: %v", kind, err)
		}
	}
}
