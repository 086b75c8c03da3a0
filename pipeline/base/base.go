// Package base has the dataset whose shards a new version keeps, with `append` of the config, and writes what such a
// version needs of a dataset: its inputs, and what was counted of its records.
//
//	a dataset ─Read─► Base ─Divide─► the files that it does not have ─► a build of these alone
//	                   │                                                      │
//	                   └───────────── its shards, counts, class names ────────┴─► the new version
package base

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tfr-build/dataset"
	"tfr-build/internal/order"
	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A Base is a finished dataset whose shards a new version keeps.
type Base struct {
	plan.Base
	Manifest *dataset.Manifest
	Config   []byte // canonical
	Summary
	Inputs []Input // sorted

	// Set by Divide:
	Listed      []Listed // the files of its sources, as they are now
	ColumnsOnly []bool   // by source: it has no new file
	News        int      // number of files of the sources that it does not have
}

// A Summary has what a dataset stores of its records.
type Summary struct {
	Splits []Split         `json:"splits"`           // as in the manifest
	Strata json.RawMessage `json:"strata,omitempty"` // see strata.Decision.Encode
}

// A Listed is an input of a dataset, as it is now.
type Listed struct {
	Path string
	File *files.File
	Was  *Input
}

// A Split has what was counted of the records of a split.
type Split struct {
	Rows       int               `json:"rows"` // that were found
	Candidates []byte            `json:"candidates,omitempty"`
	Counts     []byte            `json:"counts,omitempty"` // see count.Counting.AppendSplit; empty without statistics
	Observed   rows.Observations `json:"facts"`
	Shards     []Shard           `json:"shards"`
}

// A Shard has what the manifest does not have of a shard.
type Shard struct {
	Payload     int64  `json:"payload"` // bytes of the records
	CRC32C      uint32 `json:"crc32c"`  // of the file, for a bucket that copies it
	IndexCRC32C uint32 `json:"index_crc32c,omitempty"`
}

// Read reads the dataset in a directory, and checks the files that it reads by their digests.
func Read(from store.Reader, dir string) (*Base, error) {
	text, err := store.ReadFile(from, store.Join(dir, dataset.ManifestName))
	if err != nil {
		return nil, damaged(dir, dataset.ManifestName, err)
	}
	success, err := store.ReadFile(from, store.Join(dir, dataset.SuccessName))
	if err != nil {
		return nil, damaged(dir, dataset.SuccessName, err)
	}
	b := &Base{Base: plan.Base{Path: dir, Digest: dataset.ManifestDigest(text)}}
	b.Manifest, err = dataset.ParseManifest(text)
	switch isOwn := string(success) == b.Digest+"\n"; {
	case err != nil && isOwn:
		return nil, foreign(dataset.ManifestName)
	case err == nil && !isOwn:
		err = fmt.Errorf("its digest is not that in %s", dataset.SuccessName)
	}
	if err != nil {
		return nil, damaged(dir, dataset.ManifestName, err)
	}
	var summary, inputs []byte
	for _, file := range []struct {
		name string
		to   *[]byte
	}{{dataset.ConfigName, &b.Config}, {dataset.InputsName, &inputs}, {dataset.SummaryName, &summary}} {
		if *file.to, err = b.readFile(from, file.name); err != nil {
			return nil, err
		}
	}
	if json.Unmarshal(summary, &b.Summary) != nil || len(b.Splits) != len(b.Manifest.Splits) {
		return nil, foreign(dataset.SummaryName)
	}
	if b.Inputs, err = parseInputs(inputs); err != nil {
		return nil, foreign(dataset.InputsName)
	}
	return b, nil
}

// readFile reads a file of the dataset, and compares its digest.
func (b *Base) readFile(from store.Reader, name string) ([]byte, error) {
	i := slices.IndexFunc(b.Manifest.Files, func(f dataset.FileEntry) bool { return f.Name == name })
	if i < 0 {
		return nil, &Error{fmt.Sprintf("it has no %s, because its config had no append", name)}
	}
	data, err := store.ReadFile(from, store.Join(b.Path, name))
	if err == nil {
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != b.Manifest.Files[i].SHA256 {
			err = fmt.Errorf("its content was changed: its digest is not the manifest's")
		}
	}
	if err != nil {
		return nil, damaged(b.Path, name, err)
	}
	return data, nil
}

// Digests returns the digests of the rows that were compared, sorted.
func (b *Base) Digests(from store.Reader) ([]byte, error) {
	return b.readFile(from, dataset.DigestsName)
}

// EachRecords calls visit with what the records of each split are compared by, by the number of the split in the
// manifest; see AppendRecords.
func (b *Base) EachRecords(from store.Reader, visit func(split int, data []byte) error) error {
	data, err := b.readFile(from, dataset.RecordsName)
	for i := 0; i < len(b.Splits) && err == nil; i++ {
		size, n := binary.Uvarint(data)
		if n <= 0 || size > uint64(len(data)-n) {
			return damaged(b.Path, dataset.RecordsName, errors.New("a split is cut off"))
		}
		err = visit(i, data[n:][:size])
		data = data[n:][size:]
	}
	return err
}

// AppendRecords appends what the records of the next split are compared by.
func AppendRecords(dst, data []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(data))), data...)
}

// An Error says why a config cannot append to a dataset.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

// damaged returns the error of a file of the dataset that another program changed.
func damaged(dir, name string, err error) error {
	return &input.Error{Path: store.Join(dir, name), Err: fmt.Errorf("cannot be appended to: %w", store.Cause(err))}
}

// foreign returns the error of a file of the dataset that is as it was written, and cannot be decoded.
func foreign(name string) error {
	return &Error{fmt.Sprintf("another version of tfr-build wrote its %s; without append, a build makes all records "+
		"again", name)}
}

// Before returns what the dataset decides about new rows.
func (b *Base) Before() *rows.Before {
	before := &rows.Before{Version: b.Manifest.Version, Classes: map[string][]string{}, Strata: b.Strata,
		ColumnsOnly: b.ColumnsOnly}
	for i := range b.Inputs {
		if in := &b.Inputs[i]; in.At == "" {
			before.Files = append(before.Files, order.File{Name: in.Name, Size: in.Span})
			before.IDs = append(before.IDs, in.ID)
		}
	}
	for _, s := range b.Manifest.Sources {
		before.Sources = append(before.Sources, s.Name)
	}
	for _, s := range b.Manifest.Splits {
		before.Splits = append(before.Splits, s.Name)
	}
	for _, c := range b.Manifest.Classes {
		before.Classes[c.Key] = c.Names
	}
	return before
}

// Divide returns the listings of the files of a set that the dataset has, and of the others, which it counts. A file
// of the dataset that changed or is gone is an error. If all files of a source are old, its listing among the news has
// one of them, for its columns.
func (b *Base) Divide(set *rows.Set) (olds, news []*input.Listing, err error) {
	if len(set.Sources) != len(b.Manifest.Sources) {
		return nil, nil, &Error{fmt.Sprintf("it has %s, and the config %d",
			plural.Of(len(b.Manifest.Sources), "source"), len(set.Sources))}
	}
	for _, src := range set.Sources {
		had := map[string]*Input{}
		for i := range b.Inputs {
			if in := &b.Inputs[i]; in.At == "" && in.Source == src.Number {
				had[in.Name] = in
			}
		}
		var old, added []int
		all := src.Listing()
		for k := range all.Files {
			f := &all.Files[k]
			in := had[f.Name]
			delete(had, f.Name)
			switch {
			case in == nil:
				added = append(added, k)
			case in.Bytes != f.Size:
				return nil, nil, b.changed(src.Path(k), fmt.Sprintf("it has %s, and had %d", plural.Of(f.Size, "byte"),
					in.Bytes))
			default:
				old = append(old, k)
				b.Listed = append(b.Listed, Listed{src.Path(k), f, in})
			}
		}
		byName := func(x, y *Input) int { return cmp.Compare(x.Name, y.Name) }
		if gone := slices.SortedFunc(maps.Values(had), byName); len(gone) > 0 {
			return nil, nil, b.changed(gone[0].Name, "no source lists it")
		}
		b.News += len(added)
		b.ColumnsOnly = append(b.ColumnsOnly, len(added) == 0)
		if len(added) == 0 {
			added = old[:min(1, len(old))]
		}
		olds, news = append(olds, part(all, old)), append(news, part(all, added))
	}
	return olds, news, nil
}

// part returns the listing of some files of a source.
func part(all *input.Listing, list []int) *input.Listing {
	some := *all
	some.Files, some.Paths, some.Heads = nil, nil, nil
	for _, k := range list {
		some.Files = append(some.Files, all.Files[k])
		if len(all.Paths) > 0 {
			some.Paths = append(some.Paths, all.Paths[k])
		}
	}
	if len(some.Paths) > 0 && some.Label == all.Paths[0] {
		some.Label = some.Paths[0]
	}
	if len(all.Inputs) == len(all.Paths) {
		some.Inputs = some.Paths
	}
	return &some
}

// changed returns the error of an input of the dataset that is another one now.
func (b *Base) changed(path, how string) error {
	return &input.MismatchError{Path: path, Text: fmt.Sprintf("%s was built from it, and it changed: %s", b.Path, how),
		Hint: "without append, a build makes all records again"}
}

// CompareSides compares the lookup tables, class files, and files that rows name with the inputs of the dataset. Only
// of the last there may be more.
func (b *Base) CompareSides(now []Input) error {
	listed := map[string]*Input{}
	for i := range now {
		listed[now[i].At+"\x00"+now[i].Name] = &now[i]
	}
	for i := range b.Inputs {
		was := &b.Inputs[i]
		if was.At == "" {
			continue
		}
		is := listed[was.At+"\x00"+was.Name]
		delete(listed, was.At+"\x00"+was.Name)
		switch {
		case is == nil:
			return b.changed(was.Name, was.At+" does not find it")
		case is.Bytes != was.Bytes || is.SHA256 != was.SHA256 && !was.Loaded: // see CompareSum
			return b.changed(was.Name, "it has another size or digest, of "+was.At)
		}
	}
	for _, is := range now {
		if !is.Loaded && listed[is.At+"\x00"+is.Name] != nil {
			return b.changed(is.Name, "it is new in "+is.At)
		}
	}
	return nil
}

// Loaded returns the files that rows may name, by key and name.
func (b *Base) Loaded() map[[2]string]*Input {
	loaded := map[[2]string]*Input{}
	for i := range b.Inputs {
		if in := &b.Inputs[i]; in.Loaded {
			loaded[[2]string{in.At, in.Name}] = in
		}
	}
	return loaded
}

// CompareSum compares the SHA-256 of an input as it is now with the one that the dataset has.
func (b *Base) CompareSum(l *Listed, sum []byte) error {
	if now := hex.EncodeToString(sum); now != l.Was.SHA256 {
		return b.changed(l.Path, fmt.Sprintf("computed SHA-256 %s, stored %s", now, l.Was.SHA256))
	}
	return nil
}

// NewInputs returns the inputs of the files of a set.
func NewInputs(set *rows.Set) (list []Input) {
	for i := range set.Files() {
		src, local := set.File(i)
		f := &src.Listing().Files[local]
		list = append(list, Input{Source: src.Number, Name: f.Name, Bytes: f.Size, ID: set.Space.Address(i, 0),
			Span: src.Address(local).Size, SHA256: hex.EncodeToString(set.System.Sums().Of(files.Key{Listed: f}))})
	}
	return list
}
