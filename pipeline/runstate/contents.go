package runstate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"tfr-build/dataset"
	"tfr-build/dataset/provenance"
	"tfr-build/internal/pool"
	"tfr-build/internal/store"
	"tfr-build/pipeline/base"
	"tfr-build/pipeline/rows"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// hash returns a digest of the names, sizes, and contents of all inputs.
func (in *Inputs) hash(ctx context.Context, p *pool.Pool, extras []extra) (string, error) {
	p.Progress.Start(pool.CheckingInputs, in.Bytes())
	sums := make([][]byte, in.set.Files()+len(extras))
	err := in.hashEach(ctx, p, sums, "xxh128", p.Progress,
		func(i int) (string, *files.File) { return in.fileAt(extras, i) })
	if err != nil {
		return "", err
	}
	all := sha256.New()
	for i, sum := range sums {
		source, f := in.file(extras, i)
		fmt.Fprintf(all, "%d %q %d %x\n", source, f.Name, f.Size, sum) // never fails
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// file returns an input file and the number of its source: files of the sources come first, then the extras.
func (in *Inputs) file(extras []extra, i int) (source int, f *files.File) {
	own := in.set.Files()
	if i >= own {
		return noSource, &extras[i-own].File
	}
	src, local := in.set.File(i)
	return src.Number, &src.Listing().Files[local]
}

// fileAt returns an input file with its path.
func (in *Inputs) fileAt(extras []extra, i int) (path string, f *files.File) {
	_, f = in.file(extras, i)
	if own := in.set.Files(); i >= own {
		return extras[i-own].path, f
	}
	return in.set.Path(i), f
}

// pieceSize is the number of bytes that are read and hashed at a time.
const pieceSize = 256 << 10

// hashEach sets the sums of files. It records their SHA-256, and does not read a file whose SHA-256 is recorded.
// progress may be nil.
func (in *Inputs) hashEach(
	ctx context.Context, p *pool.Pool, sums [][]byte, algorithm string, progress *pool.Progress,
	file func(i int) (path string, f *files.File),
) error {
	hashers, recorded := make([]hasher, p.Size()), in.set.System.Sums()
	if algorithm != "sha256" {
		recorded = nil
	}
	return p.Each(ctx, len(sums), func(worker, i int) (err error) {
		path, f := file(i)
		byListing := files.Key{Listed: f}
		if sums[i] = recorded.Of(byListing); sums[i] == nil {
			sums[i] = recorded.Of(files.Key{Path: path})
		}
		if sums[i] != nil {
			recorded.Set(byListing, sums[i])
			progress.Done(f.Size, f.Size)
			return nil
		}
		h := &hashers[worker]
		if h.hash == nil {
			if h.hash, err = dataset.NewDigest(algorithm); err != nil {
				return err
			}
			h.buf = make([]byte, pieceSize)
		}
		if sums[i], err = h.sum(ctx, in.set.System, path, f, progress); err != nil {
			return &input.Error{Path: path, Err: err}
		}
		recorded.Set(byListing, sums[i])
		return nil
	})
}

// A hasher hashes files for one worker.
type hasher struct {
	hash hash.Hash
	buf  []byte
}

// sum returns the digest of the content of a file.
func (h *hasher) sum(
	ctx context.Context, sys *files.System, path string, listed *files.File, progress *pool.Progress,
) ([]byte, error) {
	f, err := sys.Open(path, listed)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return h.read(ctx, f, progress)
}

// read returns the digest of what r has.
func (h *hasher) read(ctx context.Context, r io.Reader, progress *pool.Progress) ([]byte, error) {
	h.hash.Reset()
	for ctx.Err() == nil {
		n, err := r.Read(h.buf)
		h.hash.Write(h.buf[:n])
		progress.Done(int64(n), int64(n))
		switch {
		case err == io.EOF:
			return h.hash.Sum(nil), nil
		case err != nil:
			return nil, err
		}
	}
	return nil, context.Cause(ctx)
}

// Definition returns what the dataset is made from. It hashes all inputs; without own, of the files of the sources
// only those have a digest that were read completely before. Names are relative to the source, and to the
// directory of a pattern: the machine's paths are not among them.
func (in *Inputs) Definition(ctx context.Context, p *pool.Pool, own bool) (*provenance.Definition, error) {
	sums := make([][]byte, in.set.Files()+len(in.extras))
	first := 0
	for ; !own && first < in.set.Files(); first++ {
		_, f := in.file(nil, first)
		sums[first] = in.set.System.Sums().Of(files.Key{Listed: f})
	}
	p.Progress.Start(pool.CheckingInputs, in.Bytes())
	err := in.hashEach(ctx, p, sums[first:], "sha256", p.Progress,
		func(i int) (string, *files.File) { return in.fileAt(in.extras, first+i) })
	if err != nil {
		return nil, err
	}
	cfg := in.set.Config
	list := make([]provenance.Resource, len(sums), len(sums)+1)
	for i, sum := range sums {
		if source, f := in.file(in.extras, i); source != noSource {
			list[i] = provenance.InputOf(in.set.Sources[source].Config.At, f.Name, sum)
		} else {
			e := &in.extras[i-in.set.Files()]
			list[i] = provenance.InputOf(e.at, e.name, sum)
		}
	}
	if in.base.Digest != "" { // its manifest has the digest of its own predicate
		sum, err := hex.DecodeString(in.base.Digest)
		if err != nil {
			return nil, err
		}
		list = append(list, provenance.InputOf("append", dataset.ManifestName, sum))
	}
	return provenance.NewDefinition(string(cfg.Canonical(in.set.Classes.InFile)), cfg.Variables(), list), nil
}

// CompareBase reads the files that a base with provenance was made from. If one has another SHA-256, the error names
// it.
func (in *Inputs) CompareBase(ctx context.Context, p *pool.Pool, b *base.Base) error {
	if !in.set.Config.Provenance {
		return nil
	}
	list, loaded := slices.Clone(b.Listed), b.Loaded()
	for i := range in.extras {
		e := &in.extras[i]
		if was := loaded[[2]string{e.at, e.name}]; was != nil {
			list = append(list, base.Listed{Path: e.path, File: &e.File, Was: was})
		}
	}
	bytes := int64(0)
	for i := range list {
		bytes += list[i].File.Size
	}
	p.Progress.Start(pool.CheckingInputs, bytes)
	sums := make([][]byte, len(list))
	err := in.hashEach(ctx, p, sums, "sha256", p.Progress,
		func(i int) (string, *files.File) { return list[i].Path, list[i].File })
	for i := 0; i < len(list) && err == nil; i++ {
		err = b.CompareSum(&list[i], sums[i])
	}
	return err
}

// HashFiles records the SHA-256 of files of the sources, for TakeSums.
func (in *Inputs) HashFiles(ctx context.Context, p *pool.Pool, list []int) error {
	return in.hashEach(ctx, p, make([][]byte, len(list)), "sha256", nil,
		func(i int) (string, *files.File) { return in.fileAt(nil, list[i]) })
}

// A Sum is the SHA-256 of a file of the sources, which has a number, counted from 1, or of the file at a path.
type Sum struct {
	File   int    `json:"file,omitempty"`
	Path   []byte `json:"path,omitempty"` // need not be UTF-8
	SHA256 []byte `json:"sha256"`
}

// TakeSums returns the SHA-256 of the files that were recorded since the last call.
func (in *Inputs) TakeSums() (list []Sum) {
	sums := in.set.System.Sums()
	for _, key := range sums.Take() {
		s := Sum{Path: []byte(key.Path), SHA256: sums.Of(key)}
		if key.Listed != nil {
			s.File = in.indexOf(key.Listed) + 1
		}
		if key.Listed == nil || s.File > 0 {
			list = append(list, s)
		}
	}
	return list
}

// indexOf returns the index of a file of the sources; -1 if it is another file.
func (in *Inputs) indexOf(f *files.File) int {
	for _, src := range in.set.Sources {
		list := src.Listing().Files
		k, found := slices.BinarySearchFunc(list, f,
			func(a files.File, b *files.File) int { return cmp.Compare(a.Name, b.Name) })
		if found && &list[k] == f {
			return src.First + k
		}
	}
	return -1
}

// AddSums records what TakeSums returned to another process.
func (in *Inputs) AddSums(list []Sum) error {
	for _, s := range list {
		key := files.Key{Path: string(s.Path)}
		if s.File > 0 && s.File <= in.set.Files() {
			_, key.Listed = in.file(nil, s.File-1)
		}
		if key == (files.Key{}) || len(s.SHA256) != sha256.Size {
			return errors.New("the digests of the inputs in the note are damaged")
		}
		in.set.System.Sums().Set(key, s.SHA256)
	}
	return nil
}

// ChangedInputs returns the names of the files of lookup tables, and of the file of a source that has a path, whose
// SHA-256 is not among those in stored. It knows files that patterns name, needs no headers, and skips what it cannot
// read.
func ChangedInputs(ctx context.Context, set *rows.Set, path string, stored map[string]bool) (names []string) {
	h := hasher{hash: sha256.New(), buf: make([]byte, pieceSize)}
	for _, src := range set.Sources {
		for _, pattern := range src.Patterns(src.Config.At) {
			isTable := pattern.At != src.Config.At+"."+src.Spec().Kind.Name
			found, _, err := set.System.Expand(ctx, pattern.Text)
			for i := range found {
				if !isTable && found[i].Path != path {
					continue
				}
				sum, failed := h.sum(ctx, set.System, found[i].Path, &found[i].File, nil)
				if err == nil && failed == nil && !stored[hex.EncodeToString(sum)] {
					names = append(names, store.Base(found[i].Path)+" of "+pattern.At)
				}
			}
		}
	}
	return names
}
