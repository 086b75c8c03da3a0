package rows

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"

	"github.com/zeebo/xxh3"

	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
)

// A comparison has the columns of a source that `dedupe` compares, and the rules that decide
// which rows are compared.
type comparison struct {
	layout *sources.Layout
	values []comparedValue // in the order of dedupe.by
	judge  *decider        // of where, and with prefer of the split; nil if it needs no column
	sized  bool            // the content of the file is compared, so rows of other sizes are different
	reads  bool            // each row is a file, which is read to compare it
}

// A comparedValue is a column that is compared.
type comparedValue struct {
	slot  int
	nulls []string // strings that mean a missing value
}

// newComparison returns the comparison of a source; nil without dedupe.
func (s *Set) newComparison(src *Source) (*comparison, error) {
	if s.Config.Dedupe == nil {
		return nil, nil
	}
	c := &comparison{}
	var columns column.Slots[schema.Column]
	for _, name := range s.compared(src) {
		c.values = append(c.values, comparedValue{columns.Of(schema.Column{Name: name}), src.Nulls(name)})
		known, _ := src.Columns().Find(name)
		own := src.Listing().Sized && known.Step == column.Own
		c.sized = c.sized || own && known.Content
		c.reads = c.reads || own && !known.Origin && !known.Weak // these are in the name of the file
	}
	var err error
	if c.layout, err = src.Bind(columns.Columns()); err != nil {
		return nil, err
	}
	c.layout.NamesOnly()
	c.layout.Unconverted()
	c.judge, err = s.newDecider(src, len(s.Config.Dedupe.Prefer) > 0, false)
	return c, err
}

// readColumns returns the columns that the encoder of a source reads: the columns of the features, and
// those that are compared, so that a row that lacks one is invalid.
func (s *Set) readColumns(src *Source) []schema.Column {
	var columns column.Slots[schema.Column]
	for _, c := range src.rowColumns() {
		columns.Of(c)
	}
	for _, name := range s.compared(src) {
		columns.Of(schema.Column{Name: name})
	}
	return columns.Columns()
}

// rowColumns returns the columns of a row that features read, by slot.
func (src *Source) rowColumns() []schema.Column {
	if src.record != nil {
		return src.record.reads
	}
	return src.Schema.Columns()
}

// compared returns the columns of a source that are compared; none without dedupe. The pixels of
// an image are compared with its size.
func (s *Set) compared(src *Source) []string {
	if s.Config.Dedupe == nil {
		return nil
	}
	list := s.Config.Dedupe.By
	if list == nil {
		list = s.Config.ComparedColumns(func(name string) bool {
			c, _ := src.Columns().Find(name)
			return c.Origin
		})
	}
	var all []string
	for _, name := range list {
		all = append(all, name)
		if image, is := strings.CutSuffix(name, ".pixels"); is {
			all = append(all, sizesOf(src, image)...)
		}
	}
	return all
}

// sizesOf returns the columns with the size of an image, if the source has an image of that name.
func sizesOf(src *Source, image string) (names []string) {
	for _, fact := range []string{".width", ".height", ".channels"} {
		if _, known := src.Columns().Known(image + fact); known {
			names = append(names, image+fact)
		}
	}
	return names
}

// hashSeed returns the seed of the hashes of compared rows. It depends on the files, so that no
// content of rows has hashes of its choice.
func (s *Set) hashSeed() uint64 {
	var text []byte
	for _, src := range s.Sources {
		for i := range src.Listing().Files {
			f := &src.Listing().Files[i]
			text = binary.LittleEndian.AppendUint64(append(text, f.ETag...), uint64(f.ModTime)^f.Inode)
		}
	}
	return xxh3.Hash(text)
}

// Compares reports whether the rows must be compared to find duplicates.
func (s *Set) Compares() bool { return s.Config.Dedupe != nil }

// SetDuplicates sets the rows that `dedupe` skips, before rows are chosen.
func (s *Set) SetDuplicates(d *Duplicates) {
	s.duplicates = d
	for _, src := range s.Sources {
		src.deduped = d != nil && d.Count > 0
	}
}

// Duplicates returns the rows that `dedupe` skips; nil if rows are not compared.
func (s *Set) Duplicates() *Duplicates { return s.duplicates }

// Compared is what a row is compared by. Rows are equal if Hash, Digest, and Short are.
type Compared struct {
	Hash   uint64 // evenly distributed
	Digest []byte // valid until the next row
	Short  bool   // Digest is the values themselves; else Hash and Digest are their SHA-256
	Rank   uint8  // of the split in dedupe.prefer: rows with a lower rank stay
}

// A Comparer computes what rows are compared by. One goroutine may use it at a time.
type Comparer struct {
	set     *Set
	chooser *Chooser
	readers []*sources.Reader // by source; nil until the first row
	ranks   map[string]uint8  // by split
	of      *Candidates       // nil if all rows are compared
	buf     []byte
	digest  [sha256.Size]byte
	missing schema.Value
}

// NewComparer returns a comparer of the rows that are candidates. Close it.
func (s *Set) NewComparer(of *Candidates) *Comparer {
	c := &Comparer{set: s, readers: make([]*sources.Reader, len(s.Sources)), of: of}
	c.chooser = s.newJudge()
	if prefer := s.Config.Dedupe.Prefer; len(prefer) > 0 {
		c.ranks = map[string]uint8{}
		for i, split := range prefer {
			c.ranks[split] = uint8(i)
		}
	}
	return c
}

// Close closes the files that the readers have open.
func (c *Comparer) Close() {
	c.chooser.Close()
	for _, r := range c.readers {
		if r != nil {
			r.Close()
		}
	}
}

// Rank sets the rank of a row. ok is false for a row that is not compared: `where` filters it, it is
// invalid, or no other row can equal it.
func (c *Comparer) Rank(r *Row, of *Compared) (ok bool, err error) {
	if r.Bad != "" || c.of != nil && !c.of.is[r.File] {
		return false, nil
	}
	of.Rank, ok, err = c.rank(r)
	return ok, err
}

// ReadsFile reports whether Compare reads the complete file of a row.
func (c *Comparer) ReadsFile(r *Row) bool { return c.set.files[r.File].source.comparison.reads }

// Compare sets what a row with a rank is compared by. ok is false if the row is invalid.
func (c *Comparer) Compare(r *Row, of *Compared) (ok bool, err error) {
	f := &c.set.files[r.File]
	src := f.source
	reader := c.readers[src.Number]
	if reader == nil {
		reader = src.comparison.layout.NewReader()
		c.readers[src.Number] = reader
	}
	vals, err := reader.Read(f.local, r.Offset, r.Data)
	if err != nil {
		return false, ignoreInvalid(err)
	}
	buf := c.buf[:0]
	for i := range src.comparison.values {
		of := &src.comparison.values[i]
		v := &vals[of.slot]
		if len(of.nulls) > 0 && sources.IsMissing(of.nulls, v) {
			v = &c.missing
		}
		buf = v.AppendIdentity(buf)
	}
	c.buf = buf
	c.sum(of)
	return true, nil
}

// ignoreInvalid returns nil for the error of an invalid row. The build rejects the row later.
func ignoreInvalid(err error) error {
	if _, invalid := errors.AsType[*schema.RowError](err); invalid {
		return nil
	}
	return err
}

// rank returns the rank of the split of a row. ok is false if the row is filtered, or invalid.
func (c *Comparer) rank(r *Row) (rank uint8, ok bool, err error) {
	if c.ranks == nil && c.set.files[r.File].source.comparison.judge == nil {
		return 0, true, nil
	}
	of, err := c.chooser.Choose(r)
	if err != nil || of.Split == Skipped {
		return 0, false, ignoreInvalid(err)
	}
	if c.ranks == nil {
		return 0, true, nil
	}
	rank, listed := c.ranks[c.set.Splits.Name(of.Split)]
	if !listed {
		rank = uint8(len(c.ranks))
	}
	return rank, true, nil
}

// sum completes what a row with the values in buf is compared by.
func (c *Comparer) sum(of *Compared) {
	if len(c.buf) <= sha256.Size {
		of.Digest, of.Short = c.buf, true
		of.Hash = xxh3.HashSeed(c.buf, c.set.seed)
		return
	}
	c.digest = sha256.Sum256(c.buf)
	of.Hash, of.Digest, of.Short = binary.BigEndian.Uint64(c.digest[:8]), c.digest[8:], false
}
