package sources

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tfr-build/schema"
)

// TestPathsOfAnyLength lists and reads a file whose path is longer than the
// system takes at once.
func TestPathsOfAnyLength(t *testing.T) {
	dir := t.TempDir()
	below, err := os.OpenRoot(dir)
	for range 100 {
		name := strings.Repeat("d", 200)
		if err == nil {
			err = below.Mkdir(name, 0o777)
		}
		if err != nil {
			t.Fatal(err)
		}
		up := below
		below, err = up.OpenRoot(name)
		up.Close()
	}
	if err := errors.Join(err, below.WriteFile("1.bin", []byte("deep"), 0o666), below.Close()); err != nil {
		t.Fatal(err)
	}
	s, l := mustBind(t, folderSpec(dir), "content", "stem")
	if n := len(s.Files[0].Name); n < 20_000 {
		t.Fatalf("a name of %d bytes", n)
	}
	wantRows(t, table(t, s, l, 2), "deep|1")
}

// TestTwins counts the files that are rows under two names.
func TestTwins(t *testing.T) {
	dir := files(t, map[string]string{"a/1.bin": "x", "a/2.bin": "y", "t.csv": "a\n1\n"})
	for _, link := range [][2]string{{"a/1.bin", "a/3.bin"}, {"a/1.bin", "4.bin"}, {"t.csv", "u.csv"}} {
		if err := os.Link(filepath.Join(dir, link[0]), filepath.Join(dir, link[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a", filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	tree, followed := folderSpec(dir), folderSpec(dir)
	followed.FollowLinks = true
	for name, tt := range map[string]struct {
		spec  Spec
		rows  int
		twins int
	}{
		"tree":             {tree, 6, 3},
		"tree of two ways": {followed, 9, 6},
		"table":            {csvSpec(dir, "*.csv"), 2, 1},
		"one table":        {csvSpec(dir, "t.csv"), 1, 0},
	} {
		s, err := Open(context.Background(), tt.spec, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Files) != tt.rows || s.Passed.Twins != tt.twins {
			t.Errorf("%s: %d rows, %d twins; want %d, %d", name, len(s.Files), s.Passed.Twins, tt.rows, tt.twins)
		}
	}
}

// TestInputCodes reads what cannot be read.
func TestInputCodes(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	fmt.Fprint(z, strings.Repeat("a\n1\n", 1000))
	z.Close()
	whole := zipped.String()
	dir := files(t, map[string]string{
		"cut.csv": whole[:len(whole)-4], "behind.csv": whole + "junk", "wrong.csv": whole[:len(whole)-5] + "~" + whole[len(whole)-4:],
		"cut.zst": "\x28\xb5\x2f\xfd\x20", "wrong.zst": "\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "cut.bz2": "BZh91AY&SY", "wrong.bz2": "BZh9xxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"members.csv": whole + whole, "gone.csv": "a\n1\n",
	})
	if err := errors.Join(unix.Mkfifo(filepath.Join(dir, "pipe.csv"), 0o666), os.Symlink("nowhere", filepath.Join(dir, "link.csv"))); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"cut.csv": "GZIP_TRUNCATED", "behind.csv": "GZIP_CORRUPT", "wrong.csv": "GZIP_CORRUPT", "members.csv": "",
		"cut.zst": "ZSTD_TRUNCATED", "wrong.zst": "ZSTD_CORRUPT", "cut.bz2": "BZIP2_TRUNCATED", "wrong.bz2": "BZIP2_CORRUPT",
		"pipe.csv": "NOT_REGULAR", "link.csv": "NOT_FOUND", "none.csv": "NOT_FOUND",
	} {
		s, _, err := bind(csvSpec(dir, file), "a")
		if err == nil {
			err = s.eachRow(0, func(*Record) error { return nil })
		}
		if got := codeOf(err); got != want {
			t.Errorf("%s: %v has the code %q, want %q", file, err, got, want)
		}
	}
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"changed": {ErrChanged, "INPUT_CHANGED"},
		"denied":  {&os.PathError{Op: "open", Path: "x", Err: unix.EACCES}, "NOT_READABLE"},
		"other":   {unix.EIO, ""},
	} {
		if got := codeOf(&InputError{"x", tt.err}); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func codeOf(err error) string {
	if input, ok := errors.AsType[*InputError](err); ok {
		return input.Code()
	}
	return ""
}

// TestTablesThatChange opens a table that is not the listed one any more.
func TestTablesThatChange(t *testing.T) {
	dir := files(t, map[string]string{"t.csv": "a\n1\n"})
	s, _ := mustBind(t, csvSpec(dir, "t.csv"), "a")
	path := filepath.Join(dir, "t.csv")
	if err := errors.Join(os.Remove(path), unix.Mkfifo(path, 0o666)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Rows(0); !errors.Is(err, ErrChanged) {
		t.Errorf("a pipe in its place: %v", err)
	}
	if _, err := s.Map(0); !errors.Is(err, ErrChanged) {
		t.Errorf("a pipe in its place, mapped: %v", err)
	}
}

// TestLoadedFilesOfAllKinds names what is no file.
func TestLoadedFilesOfAllKinds(t *testing.T) {
	dir := files(t, map[string]string{"t.csv": "id\nloop\nfolder\npipe\n", "in/folder/x": ""})
	if err := errors.Join(os.Symlink("loop", filepath.Join(dir, "in/loop")), unix.Mkfifo(filepath.Join(dir, "in/pipe"), 0o666)); err != nil {
		t.Fatal(err)
	}
	spec := csvSpec(dir, "t.csv")
	template, err := ParseTemplate("{id}")
	if err != nil {
		t.Fatal(err)
	}
	spec.Load = []Load{{Name: "f", Path: template, Dir: filepath.Join(dir, "in")}}
	s, l := mustBind(t, spec, "f")
	wantRows(t, table(t, s, l, 1), "NOT_FOUND", "NOT_REGULAR", "NOT_REGULAR")
	r := l.NewReader()
	defer r.Close()
	_, err = r.Read(0, []byte("folder\n"))
	if bad, ok := errors.AsType[*schema.RowError](err); !ok || bad.Message != `"folder" is not a regular file` || bad.Column != "f" {
		t.Errorf("%v", err)
	}
}
