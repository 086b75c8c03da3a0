package dataset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
)

// Verify reads the dataset in dir again and holds it against its manifest. It
// calls report for each damage, from one goroutine at a time and in the same
// order every time: first what the manifest, SuccessName and the listing of
// the directory show, then shard after shard. Up to workers shards are read at
// once. The error says that something could not be read at all; damage is no
// error.
//
// Files that no reader of the dataset takes for a part of it are no damage:
// those whose names begin with a dot, and the __pycache__ that Python makes
// beside ReaderName.
func Verify(ctx context.Context, dir string, workers int, report func(*DamageError)) (Checked, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return Checked{}, err
	}
	if !info.IsDir() {
		return Checked{}, fmt.Errorf("%s is no directory", dir)
	}
	return verifyFS(ctx, os.DirFS(dir), workers, report)
}

func verifyFS(ctx context.Context, fsys fs.FS, workers int, report func(*DamageError)) (Checked, error) {
	v := verifier{fsys: fsys, report: report}
	m, err := v.manifest()
	if err != nil || m == nil {
		return v.checked, err
	}
	if err := v.listing(m); err != nil {
		return v.checked, err
	}
	for _, f := range m.Files {
		if err := v.file(f); err != nil {
			return v.checked, err
		}
	}
	return v.checked, v.shards(ctx, m, workers)
}

type verifier struct {
	fsys    fs.FS
	report  func(*DamageError)
	checked Checked
}

func (v *verifier) damage(d *DamageError) {
	v.checked.Damages++
	v.report(d)
}

// manifest returns the manifest, or nil where there is none to go by.
func (v *verifier) manifest() (*Manifest, error) {
	data, err := v.read(ManifestName)
	if err != nil || data == nil {
		return nil, err
	}
	success, err := v.read(SuccessName)
	if err != nil {
		return nil, err
	}
	m, parseErr := ParseManifest(data)
	switch {
	case parseErr != nil:
		v.damage(wholeFile(ManifestName, "%v", parseErr))
	case success != nil && !bytes.Equal(success, Success(data)):
		v.damage(wholeFile(SuccessName, "its digest is not that of %s: one of them was changed", ManifestName))
	}
	return m, nil
}

// read returns the content of a file, or nil after it reported that it is not
// there.
func (v *verifier) read(name string) ([]byte, error) {
	f, err := v.open(name)
	if f == nil || err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	v.checked.Files++
	v.checked.Bytes += int64(len(data))
	return data, nil
}

func (v *verifier) open(name string) (fs.File, error) {
	f, damage, err := openFile(v.fsys, name)
	if damage != nil {
		v.damage(damage)
	}
	return f, err
}

// openFile opens a regular file. Anything else under its name is damage; a
// pipe, for one, must not be opened, which would wait for a writer.
func openFile(fsys fs.FS, name string) (fs.File, *DamageError, error) {
	info, err := fs.Stat(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, wholeFile(name, "it is missing"), nil
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, wholeFile(name, "it is no file but %s", info.Mode().Type()), nil
	}
	f, err := fsys.Open(name)
	return f, nil, err
}

// listing reports files that the manifest does not know.
func (v *verifier) listing(m *Manifest) error {
	known := map[string]bool{ManifestName: true, SuccessName: true}
	for _, s := range m.Splits {
		for _, shard := range s.Shards {
			known[shard.Name] = true
		}
	}
	for _, f := range m.Files {
		known[f.Name] = true
	}
	folders := map[string]bool{".": true}
	for name := range known {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	return fs.WalkDir(v.fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case folders[name] && entry.IsDir() || known[name]:
			return nil
		case strings.HasPrefix(entry.Name(), "."), name == path.Dir(ReaderName)+"/__pycache__":
		default:
			v.damage(wholeFile(name, "it does not belong to the dataset"))
		}
		if entry.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
}

// file checks one of the files beside the shards.
func (v *verifier) file(want FileEntry) error {
	data, err := v.read(want.Name)
	if err != nil || data == nil {
		return err
	}
	sum := sha256.Sum256(data)
	switch {
	case int64(len(data)) != want.Bytes:
		v.damage(wholeFile(want.Name, "it has %d bytes instead of %d", len(data), want.Bytes))
	case hex.EncodeToString(sum[:]) != want.SHA256:
		v.damage(wholeFile(want.Name, "its content was changed: its digest is not the manifest's"))
	}
	return nil
}

// shards checks all shards, up to workers at once, and reports them in order.
func (v *verifier) shards(ctx context.Context, m *Manifest, workers int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	check, err := newShardCheck(v.fsys, m)
	if err != nil {
		return err
	}
	results := make([]shardResult, len(check.shards))
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(1, min(workers, len(check.shards))) {
		wg.Go(func() {
			for i := range next {
				results[i] = check.run(ctx, i)
				if results[i].err != nil {
					cancel()
				}
			}
		})
	}
	for i := range check.shards {
		select {
		case next <- i:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	wg.Wait()
	return v.conclude(ctx, results)
}

func (v *verifier) conclude(ctx context.Context, results []shardResult) error {
	for _, r := range results {
		v.checked.add(r.checked)
		for _, d := range r.damages {
			v.damage(d)
		}
	}
	first := slices.IndexFunc(results, func(r shardResult) bool { return r.err != nil && !errors.Is(r.err, context.Canceled) })
	if first >= 0 {
		return results[first].err
	}
	return context.Cause(ctx)
}
