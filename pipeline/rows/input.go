package rows

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"tfr-build/internal/bug"
	"tfr-build/internal/order"
	"tfr-build/sources"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// An Input has the sources of a dataset, opened. Their files are numbered across all sources, and so are their rows.
type Input struct {
	Sources  []*Source
	Space    *order.Space // the row IDs
	Sequence *order.Sequence

	files  []file
	texts  [][]byte // by file: the mapped content; set by SetTexts
	before *Before  // has the files after these, without sources; nil without `append`
}

// A file is a file of a source.
type file struct {
	source *Source
	local  int // its number in the source
}

// assignIDs assigns the row IDs. Two files with the same name are an error, unless nameBySplit
// makes their names different.
func (in *Input) assignIDs() error {
	if in.before != nil {
		return in.assignNewIDs()
	}
	files := in.idFiles()
	var double *order.DuplicateError
	var err error
	in.Space, err = order.NewSpace(files)
	if errors.As(err, &double) && nameBySplit(in.Sources) {
		files = in.idFiles()
		in.Space, err = order.NewSpace(files)
	}
	if err != nil {
		return in.duplicateError(err)
	}
	return in.setIDs(files)
}

// assignNewIDs assigns the row IDs of files that are added to a dataset.
func (in *Input) assignNewIDs() error {
	for i, src := range in.Sources {
		src.Spec().Name = in.before.Sources[i]
	}
	files := in.idFiles()
	alone, err := order.NewSpace(files)
	if err != nil {
		return in.duplicateError(err)
	}
	known := map[uint64]bool{}
	for _, id := range in.before.IDs {
		known[id] = true
	}
	for i := range files {
		if known[alone.Address(i, 0)] {
			return &input.MismatchError{Path: in.Path(i),
				Text: "has the same name in its source as a file that the dataset of append has"}
		}
	}
	if in.Space, err = order.NewSpace(slices.Concat(files, in.before.Files), in.before.IDs...); err != nil {
		return err
	}
	return in.setIDs(files)
}

// duplicateError returns the error of two files with the same name, or err.
func (in *Input) duplicateError(err error) error {
	double, ok := errors.AsType[*order.DuplicateError](err)
	if !ok {
		return err
	}
	return &input.MismatchError{
		Path: in.Path(double.Second), Text: fmt.Sprintf("has the same name in its source as %s", in.Path(double.First)),
		Hint: "name: a name for each of the sources",
	}
}

// setIDs passes the row IDs to the sources, and numbers the rows.
func (in *Input) setIDs(files []order.File) (err error) {
	for _, src := range in.Sources {
		src.SetRowIDs(func(file int, offset int64) uint64 { return in.Space.Address(src.First+file, offset) })
	}
	in.Sequence, err = order.NewSequence(files)
	return err
}

// idFiles returns what the row IDs of each file are computed from.
func (in *Input) idFiles() []order.File {
	files := make([]order.File, len(in.files))
	for i, f := range in.files {
		files[i] = f.source.Address(f.local)
		files[i].Source = f.source.Spec().Name
	}
	return files
}

// nameBySplit names the sources without a name after their splits, if each has a fixed split. Only
// sources with equal file names get such names: names are part of row IDs, so other datasets would
// change.
func nameBySplit(sources []*Source) bool {
	unnamed := func(src *Source) bool { return src.Spec().Name == "" }
	if slices.ContainsFunc(sources, func(src *Source) bool { return unnamed(src) && src.Config.Split.Name == "" }) {
		return false
	}
	for _, src := range sources {
		if unnamed(src) {
			src.Spec().Name = src.Config.Split.Name
		}
	}
	return true
}

// Files returns the number of input files.
func (in *Input) Files() int { return len(in.files) }

// File returns the source of a file of the set, and the file's number in that source.
func (in *Input) File(i int) (src *Source, local int) { return in.files[i].source, in.files[i].local }

// KeptVersion returns the version of the dataset of `append`.
func (in *Input) KeptVersion() string { return in.before.Version }

// KeptFile returns the name of a file of the dataset of `append`. Its number in row IDs is after the files of the set.
func (in *Input) KeptFile(i int) string { return in.before.Files[i-len(in.files)].Name }

// Path returns the path of a file.
func (in *Input) Path(i int) string { return in.files[i].source.Path(in.files[i].local) }

// listed returns a file as it was listed.
func (in *Input) listed(i int) *files.File {
	return &in.files[i].source.Listing().Files[in.files[i].local]
}

// Origin returns the origin of the rows of a file.
func (in *Input) Origin(file int) Origin {
	src, local := in.File(file)
	o := Origin{Source: src.Number, Name: src.Spec().Name, File: src.Listing().Files[local].Name}
	if !utf8.ValidString(o.File) {
		o.FileBytes = []byte(o.File)
	}
	return o
}

// Locate returns the position of a row: the file as the source names it, and the line.
func (in *Input) Locate(ctx context.Context, at order.Position) (string, error) {
	src, local := in.File(at.File)
	if src.Listing().Sized {
		return src.Listing().Files[local].Name, nil
	}
	p, err := src.position(ctx, &sources.ValuePosition{File: local, Offset: at.Offset})
	if p.Line == 0 {
		return p.String(), err
	}
	return fmt.Sprintf("%s:%d", p.Path, p.Line), err
}

// LocatePanic adds the position of the current row to a panic of the caller. Defer it once for many rows: a deferred
// call per row takes 2 % of the time of a table.
func (in *Input) LocatePanic(r **Row) {
	switch p := recover(); {
	case p == nil:
	case bug.IsFault(p):
		panic(p)
	default:
		panic(bug.Of(p, fmt.Sprintf("the row of %s at offset %d", in.Path((*r).File), (*r).Offset)))
	}
}

// At returns the row of a split at p. Its Data points into the mapping.
func (in *Input) At(p order.Position, split uint8) (r Row) {
	in.SetAt(&r, p, split)
	return r
}

// SetAt sets r to the row of a split at p. It sets each field on its own: a copy of the complete row would wait until
// they are written.
func (in *Input) SetAt(r *Row, p order.Position, split uint8) {
	r.File, r.Offset, r.Split, r.Window, r.Bad = p.File, p.Offset, split, 0, ""
	if r.Data = in.texts[p.File]; r.Data != nil {
		r.Data = r.Data[p.Offset:]
	}
}

// SetTexts takes over the mappings of the sources, so that At can return rows in place.
func (in *Input) SetTexts() {
	in.texts = make([][]byte, len(in.files))
	for _, src := range in.Sources {
		if of, has := src.Input.(input.Texter); has {
			copy(in.texts[src.First:], of.Contents())
		}
	}
}

// Mapped returns the number of mapped bytes.
func (in *Input) Mapped() (n int) {
	for _, text := range in.texts {
		n += len(text)
	}
	return n
}

// ReadsSplit reports whether a feature reads `@split`, or a column that is computed from it.
func (in *Input) ReadsSplit() bool {
	return slices.ContainsFunc(in.Sources, func(src *Source) bool { return src.layout.ReadsSplit() })
}

// ReadsStep reports whether a feature reads `@step` or `@steps`, or a column that is computed from them: a row may
// then be valid in some of its records only.
func (in *Input) ReadsStep() bool {
	return slices.ContainsFunc(in.Sources, func(src *Source) bool { return src.layout.ReadsStep() })
}

// Sized reports whether the listings give the size of every row.
func (in *Input) Sized() bool {
	for _, src := range in.Sources {
		if l := src.Listing(); !l.Sized && len(l.Files) > 0 {
			return false
		}
	}
	return true
}

// Footprint returns the memory and mappings needed to read all rows in place.
func (in *Input) Footprint() (all input.Footprint) {
	for _, src := range in.Sources {
		p := src.Footprint()
		all.Streamed, all.Fetched = all.Streamed || p.Streamed, all.Fetched || p.Fetched
		all.Maps, all.Bytes, all.Text = all.Maps+p.Maps, all.Bytes+p.Bytes, all.Text+p.Text
	}
	return all
}

// Release unmaps what the sources mapped.
func (in *Input) Release() {
	for _, src := range in.Sources {
		src.Release()
	}
}

// LoadJoins reads the lookup tables into memory.
func (in *Input) LoadJoins(ctx context.Context) error {
	for _, src := range in.Sources {
		if err := src.LoadJoins(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Recheck returns an error if an input file changed. It checks what reading the rows did not
// check.
func (in *Input) Recheck() error {
	for _, src := range in.Sources {
		if err := src.Recheck(); err != nil {
			return err
		}
	}
	return nil
}

// Listings returns the listings of all sources.
func (in *Input) Listings() []*input.Listing {
	list := make([]*input.Listing, len(in.Sources))
	for i, src := range in.Sources {
		list[i] = src.Listing()
	}
	return list
}
