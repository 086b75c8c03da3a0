package bucket

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/buckettest"
)

// fill creates objects as files in the store's directory, which needs no requests.
func (b *bench) fill(t testing.TB, names []string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(b.g.Dir, "data", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func (b *bench) list(t testing.TB, text string) (keys []string) {
	t.Helper()
	err := b.List(context.Background(), object(t, text), func(o Object) error {
		keys = append(keys, o.Key)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// many returns more names than a page has: flat ones, directories of more and of less than a
// page, and names that sort between a directory and its files.
func many() (names []string) {
	for i := range 1200 {
		names = append(names, fmt.Sprintf("t/flat-%04d", i), fmt.Sprintf("t/big/x/%04d", i),
			fmt.Sprintf("t/wide/%04d/a", i))
	}
	names = append(names, "t/big-1", "t/big0", "t/a!", "t/a/1", "t/a0", "t/z", "u/1", "t/ü/é", "t/wide.txt")
	slices.Sort(names)
	return names
}

func TestList(t *testing.T) {
	b := start(t, Options{})
	b.fill(t, many())
	t.Run("all", func(t *testing.T) { listAll(t, b) })
	t.Run("ReadDir", func(t *testing.T) { readDir(t, b) })
	t.Run("refused", func(t *testing.T) { listRefused(t, b) })
}

func listAll(t *testing.T, b *bench) {
	names := many()
	want := slices.DeleteFunc(slices.Clone(names), func(s string) bool { return !strings.HasPrefix(s, "t/") })
	if got := b.list(t, "s3://data/t/"); !slices.Equal(got, want) {
		t.Errorf("%d keys, not %d", len(got), len(want))
	}
	if got := b.list(t, "s3://data/u"); !slices.Equal(got, []string{"u/1"}) {
		t.Errorf("%q", got)
	}
	if got := b.list(t, "s3://data/nothing"); got != nil {
		t.Errorf("%q", got)
	}

	// A failed request is repeated, and nothing is lost or duplicated.
	b.p.Add(buckettest.Rule{Query: "continuation-token", Times: 3}, buckettest.Answer(500, "InternalError"))
	b.p.Add(buckettest.Rule{Query: "delimiter=%2F", Times: 1}, buckettest.Truncate(50))
	if got := b.list(t, "s3://data/t/"); !slices.Equal(got, want) {
		t.Errorf("with faults: %d keys, not %d", len(got), len(want))
	}
	if b.p.Count("GET", "start-after=") == 0 {
		t.Error("pages that were visited were requested again")
	}
	stop := errors.New("stop")
	n := 0
	err := b.List(context.Background(), object(t, "s3://data/t/"), func(Object) error {
		if n++; n == 1500 {
			return stop
		}
		return nil
	})
	if err != stop || n != 1500 {
		t.Errorf("%v after %d", err, n)
	}
}

// listRefused has a directory that may not be listed between others.
func listRefused(t *testing.T, b *bench) {
	b.p.Add(buckettest.Rule{Query: "prefix=t%2Fbig%2Fx"}, buckettest.Answer(403, "AccessDenied"))
	last := ""
	err := b.List(context.Background(), object(t, "s3://data/t/"), func(o Object) error { last = o.Key; return nil })
	if !errors.Is(err, ErrDenied) || !strings.Contains(err.Error(),
		"listing s3://data/t/big/x/: the store says AccessDenied (403)") {
		t.Error(err)
	}
	if last > "t/big/" {
		t.Errorf("%s was visited after the directory that failed", last)
	}
}

func readDir(t *testing.T, b *bench) {
	entries, err := b.ReadDir(context.Background(), object(t, "s3://data/t"))
	if err != nil {
		t.Fatal(err)
	}
	directories := 0
	for i, e := range entries {
		if i > 0 && e.Key <= entries[i-1].Key || !strings.HasPrefix(e.Key, "t/") || strings.Contains(e.Name, "/") {
			t.Fatalf("%+v", e)
		}
		if e.IsDir {
			directories++
		} else if e.Size != 1 || e.ModTime.IsZero() {
			t.Fatalf("%+v", e)
		}
	}
	if len(entries) != 1200+6+4 || directories != 4 {
		t.Errorf("%d entries, %d directories", len(entries), directories)
	}
	for _, none := range []string{"s3://data/nothing", "s3://data/t/z"} {
		if got, err := b.ReadDir(context.Background(), object(t, none)); len(got) != 0 || err != nil {
			t.Errorf("%s: %v %v", none, got, err)
		}
	}
}

// TestDirMarkers has the empty objects that some tools create for directories.
func TestDirMarkers(t *testing.T) {
	b := start(t, Options{})
	b.write(t, "s3://data/a/", nil)
	b.write(t, "s3://data/a/b/", nil)
	b.write(t, "s3://data/a/1", []byte("1"))
	if got := b.list(t, "s3://data/a"); !slices.Equal(got, []string{"a/1"}) {
		t.Errorf("%q", got)
	}
	entries, err := b.ReadDir(context.Background(), object(t, "s3://data/a"))
	if err != nil || len(entries) != 2 || entries[0].Name != "1" || entries[1].Name != "b" || !entries[1].IsDir {
		t.Errorf("%+v %v", entries, err)
	}
}
