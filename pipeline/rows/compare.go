package rows

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"strings"

	"github.com/zeebo/xxh3"

	"tfr-build/pipeline/decide"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
)

// A comparison has the columns of a source that a rule compares.
type comparison struct {
	layout *sources.Layout
	values []deciding // in the order of Rule.By
	sized  bool       // the content of the file is compared, so rows of other sizes are different
	reads  bool       // each row is a file, which is read to compare it
}

// bindComparisons binds the columns that rules compare, and those that decide which rows are compared.
func (src *Source) bindComparisons() error {
	src.comparisons = nil
	prefer := false
	for _, rule := range src.set.Rules {
		c, err := src.newComparison(rule)
		if err != nil {
			return err
		}
		src.comparisons, prefer = append(src.comparisons, c), prefer || len(rule.Prefer) > 0
	}
	if len(src.set.Rules) == 0 {
		return nil
	}
	var err error
	src.judge, err = src.newDecider(prefer, false)
	return err
}

func (src *Source) newComparison(rule *decide.Rule) (*comparison, error) {
	c := &comparison{}
	var columns column.Slots[schema.Column]
	for _, name := range src.compared(rule) {
		c.values = append(c.values, deciding{name, columns.Of(schema.Column{Name: name}), src.Nulls(name)})
		known, _ := src.Columns().Find(name)
		own := src.Listing().Sized && known.Step == column.Own
		c.sized = c.sized || own && known.Content
		c.reads = c.reads || own && !known.Origin && !known.Weak // these are in the name of the file
	}
	var err error
	if c.layout, err = src.Bind(columns.Columns()); err == nil {
		c.layout.NamesOnly()
		c.layout.Unconverted()
	}
	return c, err
}

// readColumns returns the columns that the encoder of a source reads: the columns of the features, and
// those that are compared, so that a row that lacks one is invalid.
func (src *Source) readColumns() []schema.Column {
	var columns column.Slots[schema.Column]
	for _, c := range src.rowColumns() {
		columns.Of(c)
	}
	for _, rule := range src.set.Rules {
		for _, name := range src.compared(rule) {
			columns.Of(schema.Column{Name: name})
		}
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

// compared returns the columns of a source that a rule compares. The pixels of an image are compared with its size.
func (src *Source) compared(rule *decide.Rule) []string {
	list := rule.By
	if list == nil {
		list = src.set.Config.ComparedColumns(func(name string) bool {
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
func (in *Input) hashSeed() uint64 {
	var text []byte
	for _, src := range in.Sources {
		for i := range src.Listing().Files {
			f := &src.Listing().Files[i]
			text = binary.LittleEndian.AppendUint64(append(text, f.ETag...), uint64(f.ModTime)^f.Inode)
		}
	}
	return xxh3.Hash(text)
}

// Compares reports whether rules compare the rows.
func (s *Set) Compares() bool { return len(s.Rules) > 0 }

// SetSkips sets the rows that the rules skip, before rows are chosen.
func (s *Set) SetSkips(of *decide.Skips) {
	s.skips = of
	for _, src := range s.Sources {
		src.skips = of.Any()
	}
}

// Skips returns the rows that the rules skip; nil until rows are compared, and without rules.
func (s *Set) Skips() *decide.Skips { return s.skips }

// Compared is what a row is compared by. Rows are equal if Hash, Digest, and Short are.
type Compared struct {
	Hash   uint64 // evenly distributed
	Digest []byte // valid until the next row
	Short  bool   // Digest is the values themselves; else Hash and Digest are their SHA-256
	Rank   uint8  // of the split in Rule.Prefer: rows with a lower rank are first
}

// A Comparer computes what rows are compared by. One goroutine may use it at a time.
type Comparer struct {
	set     *Set
	chooser *Chooser
	prefers bool         // a rule prefers splits
	rules   []ruleReader // by number of the rule
	buf     []byte
	sha     hash.Hash
	digest  []byte
	missing schema.Value
}

// A ruleReader reads what a rule compares.
type ruleReader struct {
	readers []*sources.Reader // by source; nil until the first row
	ranks   map[string]uint8  // by split; nil if all have one rank
	of      *Candidates       // nil if all rows are compared
}

// NewComparer returns a comparer of the rows that are candidates, by the numbers of the rules. Close it.
func (s *Set) NewComparer(of []*Candidates) *Comparer {
	c := &Comparer{set: s, chooser: s.newJudge(), sha: sha256.New()}
	for i, rule := range s.Rules {
		r := ruleReader{readers: make([]*sources.Reader, len(s.Sources))}
		if of != nil {
			r.of = of[i]
		}
		if len(rule.Prefer) > 0 {
			c.prefers, r.ranks = true, map[string]uint8{}
			for rank, split := range rule.Prefer {
				r.ranks[split] = uint8(rank)
			}
		}
		c.rules = append(c.rules, r)
	}
	return c
}

// Close closes the files that the readers have open.
func (c *Comparer) Close() {
	c.chooser.Close()
	for i := range c.rules {
		for _, r := range c.rules[i].readers {
			if r != nil {
				r.Close()
			}
		}
	}
}

// Choose sets the split of a row, if a rule needs it. ok is false for a row that is not compared: `where` filters it,
// it is invalid, or no other row can equal it.
func (c *Comparer) Choose(r *Row) (ok bool, err error) {
	if r.Bad != "" || !c.isCandidate(r.File) {
		return false, nil
	}
	if !c.prefers && c.set.files[r.File].source.judge == nil {
		return true, nil
	}
	of, err := c.chooser.Choose(r)
	if err != nil || of.Split == Skipped {
		return false, ignoreInvalid(err)
	}
	r.Split = of.Split
	return true, nil
}

// isCandidate reports whether a rule compares the rows of a file.
func (c *Comparer) isCandidate(file int) bool {
	for i := range c.rules {
		if c.rules[i].of.has(file) {
			return true
		}
	}
	return false
}

// ReadsFile reports whether a rule reads the complete file of a row.
func (c *Comparer) ReadsFile(r *Row) bool {
	for i, of := range c.set.files[r.File].source.comparisons {
		if of.reads && c.rules[i].of.has(r.File) {
			return true
		}
	}
	return false
}

// Compare sets what a rule compares a chosen row by. ok is false if the row is invalid, or no other row can equal it.
func (c *Comparer) Compare(r *Row, rule int, of *Compared) (ok bool, err error) {
	f, own := &c.set.files[r.File], &c.rules[rule]
	if !own.of.has(r.File) {
		return false, nil
	}
	comparison := f.source.comparisons[rule]
	reader := own.readers[f.source.Number]
	if reader == nil {
		reader = comparison.layout.NewReader()
		own.readers[f.source.Number] = reader
	}
	vals, err := reader.Read(f.local, r.Offset, r.Data)
	if err != nil {
		return false, ignoreInvalid(err)
	}
	buf := c.buf[:0]
	for i := range comparison.values {
		of := &comparison.values[i]
		v := &vals[of.slot]
		if len(of.nulls) > 0 && sources.IsMissing(of.nulls, v) {
			v = &c.missing
		}
		buf = v.AppendIdentity(buf)
	}
	c.buf = buf
	c.sum(of, c.set.Rules[rule].Keeps)
	of.Rank = own.rank(c.set, r.Split)
	return true, nil
}

// rank returns the rank of a split.
func (r *ruleReader) rank(s *Set, split uint8) uint8 {
	if r.ranks == nil {
		return 0
	}
	rank, listed := r.ranks[s.Splits.Name(split)]
	if !listed {
		return uint8(len(r.ranks))
	}
	return rank
}

// ignoreInvalid returns nil for the error of an invalid row. The build rejects the row later.
func ignoreInvalid(err error) error {
	if IsInvalid(err) {
		return nil
	}
	return err
}

// sum completes what a row with the values in buf is compared by. What is kept is the same in every version, and the
// first half of the SHA-256.
func (c *Comparer) sum(of *Compared, keeps bool) {
	if len(c.buf) <= sha256.Size && !keeps {
		of.Digest, of.Short = c.buf, true
		of.Hash = xxh3.HashSeed(c.buf, c.set.seed)
		return
	}
	c.sha.Reset()
	_, _ = c.sha.Write(c.buf) // never fails
	c.digest = c.sha.Sum(c.digest[:0])
	of.Hash, of.Digest, of.Short = binary.BigEndian.Uint64(c.digest[:8]), c.digest[8:], false
	if keeps {
		of.Digest = c.digest[8:decide.KeptSize]
	}
}
