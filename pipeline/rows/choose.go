package rows

import (
	"cmp"
	"slices"

	"tfr-build/dataset"
	"tfr-build/expr"
	"tfr-build/internal/order"
	"tfr-build/pipeline/decide"
	"tfr-build/pipeline/plan"
	"tfr-build/schema"
	"tfr-build/sources"
)

// Facts are what decides about a row. They belong to the Chooser that returned them, until its next row.
type Facts struct {
	Split uint8  // Skipped if the build skips the row; see Pending for rows with a stratum
	Key   uint64 // the sort key, if a column determines it
	Pending
	Group Grouping // with group
}

// Pending is what decides about a row together with all other rows: about its split with `stratify`,
// and whether it is above the limit of its value. Until all rows are known, the split of a row with a stratum is the
// first split of its source. Rows that are grouped have no numbers: see [GroupNumbers].
type Pending struct {
	Stratum Stratum // its Number is 0 if the split is known
	// number of the value in each column of `limit`, from 1; 0 if no limit of its splits needs the value
	Values []uint32
}

// forget sets all numbers to 0.
func (p *Pending) forget() {
	p.Stratum = Stratum{}
	clear(p.Values)
}

// Skipped is the split of a row that a rule of dataset.SkipRules skips.
const Skipped = order.NoSplit

// A Chooser finds the facts of rows. One goroutine may use it at a time.
type Chooser struct {
	set     *Set
	sources []sourceChooser
	skips   *decide.Cursor // nil if no rule skips a row because of others
	strata  valueCache
	values  valueCache      // of the columns of limit
	limits  []*limitedSplit // by split, once a row is in it

	facts Facts
	row   *Row
	id    uint64         // decides about sample and split: the ID of the row, or the hash of its group
	vals  []schema.Value // of the deciding columns; nil until they are read
}

// A sourceChooser finds the facts of rows of a source, step by step.
type sourceChooser struct {
	src     *Source
	decider *decider // nil if the row ID alone decides
	steps   []step
	reader  *sources.Reader // nil until the first row
	where   *expr.Evaluator // nil until the first row, and without where
	alone   *whereReader    // nil until where alone decides about a row
	skipped []int64         // rows that a rule skips, by the rules of dataset.SkipRules
}

// A step finds a fact of the current row. skips is the rule of dataset.SkipRules that skips the row; empty for none.
type step func(c *Chooser, s *sourceChooser) (skips string, err error)

// NewChooser returns a chooser for the rows of the set. Close it.
func (s *Set) NewChooser() *Chooser { return s.newChooserWith(s.skips.Cursor()) }

// NewKeptChooser returns a chooser for rows that no rule skips because of others. They may be in any order.
func (s *Set) NewKeptChooser() *Chooser { return s.newChooserWith(nil) }

func (s *Set) newChooserWith(skips *decide.Cursor) *Chooser {
	c := s.newChooser()
	c.skips = skips
	for _, src := range s.Sources {
		c.sources = append(c.sources, newSourceChooser(src, src.decider, c.stepsOf(src)))
	}
	return c
}

// newJudge returns a chooser that finds what rules need to know before rows are compared.
func (s *Set) newJudge() *Chooser {
	c := s.newChooser()
	for _, src := range s.Sources {
		d := src.judge
		c.sources = append(c.sources, newSourceChooser(src, d, src.decidingSteps(d, nil)))
	}
	return c
}

func newSourceChooser(src *Source, d *decider, steps []step) sourceChooser {
	return sourceChooser{src: src, decider: d, steps: steps, skipped: make([]int64, len(dataset.SkipRules))}
}

func (s *Set) newChooser() *Chooser {
	c := &Chooser{set: s}
	if s.Limits != nil {
		c.facts.Values = make([]uint32, s.Limits.Columns())
	}
	return c
}

// stepsOf returns the steps that find the facts of rows of a source, in order. A row is skipped before it is read, if
// possible: then it cannot be invalid.
func (c *Chooser) stepsOf(src *Source) (list []step) {
	if c.skips != nil {
		list = append(list, (*Chooser).skipByRule)
	}
	sample := step((*Chooser).sample)
	if c.set.Sample == nil {
		sample = nil
	}
	if d := src.decider; sample != nil && (d == nil || d.where == nil && d.grouper == nil) {
		list, sample = append(list, sample), nil
	}
	return append(list, src.decidingSteps(src.decider, sample)...)
}

// decidingSteps returns the steps that need columns. sample is the step after where, or the one that samples groups;
// it may be nil.
func (src *Source) decidingSteps(d *decider, sample step) (list []step) {
	if d == nil {
		return []step{(*Chooser).splitByID}
	}
	add := func(when bool, do step) {
		if when {
			list = append(list, do)
		}
	}
	add(true, (*Chooser).read)
	// where comes first: a row that it filters needs no value of the columns after it.
	add(d.where != nil, (*Chooser).applyWhere)
	add(d.grouper != nil, (*Chooser).group)
	add(sample != nil, sample)
	add(d.key != nil || d.class != nil, (*Chooser).findKey)
	switch {
	case d.strata != nil && d.grouper != nil:
		add(true, (*Chooser).splitLater)
	case d.strata != nil:
		add(true, (*Chooser).stratify)
	case d.split != nil:
		add(true, (*Chooser).splitByColumn)
	default:
		add(true, (*Chooser).splitByID)
	}
	if d.grouper != nil {
		add(true, (*Chooser).appendPending)
	} else {
		add(d.per != nil, (*Chooser).numberValues)
	}
	return list
}

// Close closes the files that the readers have open.
func (c *Chooser) Close() {
	for i := range c.sources {
		if s := &c.sources[i]; s.reader != nil {
			s.reader.Close()
		}
		if s := &c.sources[i]; s.alone != nil {
			s.alone.reader.Close()
		}
	}
}

// AddSkipped adds to each source its counts of rows that Choose skipped.
func (c *Chooser) AddSkipped(to []plan.Source) {
	for i := range to {
		for k, n := range c.sources[i].skipped {
			to[i].Skip(dataset.SkipRules[k], n)
		}
	}
}

// Choose returns the facts of a row. A skipped row is counted. A *schema.RowError says why a row is invalid: then the
// facts have no split and no numbers. The caller defers LocatePanic.
func (c *Chooser) Choose(r *Row) (*Facts, error) {
	s := &c.sources[c.set.files[r.File].source.Number]
	f := &c.facts
	f.Key = 0
	f.forget()
	c.row, c.id, c.vals = r, c.set.Space.Address(r.File, r.Offset), nil
	for _, do := range s.steps {
		skips, err := do(c, s)
		if skips == "" && err == nil {
			continue
		}
		f.Split = Skipped
		f.forget()
		switch {
		case err == nil:
			s.skipped[slices.Index(dataset.SkipRules, skips)]++
		case c.vals != nil:
			s.reader.Explain(err)
		}
		return f, err
	}
	return f, nil
}

// skipByRule skips a row that a rule skips because of other rows.
func (c *Chooser) skipByRule(*sourceChooser) (skips string, err error) {
	rule, err := c.skips.Rule(c.set.Sequence.Position(c.row.File, c.row.Offset))
	if err == nil && rule >= 0 {
		skips = c.set.Rules[rule].Name
	}
	return skips, err
}

func (c *Chooser) sample(s *sourceChooser) (skips string, err error) {
	if !c.set.Sample.Takes(c.id) {
		skips = dataset.SkippedBySample
	}
	return skips, nil
}

// read reads the deciding columns. where protects the others: it may skip a row that cannot be read.
func (c *Chooser) read(s *sourceChooser) (skips string, err error) {
	if c.row.Bad != "" {
		return "", BadCut(c.row.Bad)
	}
	vals, err := s.read(c.set, c.row)
	switch {
	case err == nil:
		c.vals = vals
	case c.skipsAlone(s, err):
		return dataset.SkippedByWhere, nil
	default:
		s.reader.Explain(err)
	}
	return "", err
}

// read reads the deciding columns of a row. The source must have a decider.
func (s *sourceChooser) read(set *Set, r *Row) ([]schema.Value, error) {
	if s.reader == nil {
		s.reader = s.decider.layout.NewReader()
		if w := s.decider.where; w != nil {
			s.where = w.program.Bind(w.slots, w.nulls)
		}
	}
	return s.reader.Read(set.files[r.File].local, r.Offset, r.Data)
}

// A whereReader evaluates a condition with a reader of its columns alone.
type whereReader struct {
	reader *sources.Reader
	of     *expr.Evaluator
}

// skipsAlone reports whether where skips a row that is invalid because of other columns.
func (c *Chooser) skipsAlone(s *sourceChooser, err error) bool {
	of, r := s.decider.where, c.row
	if !IsInvalid(err) || of == nil || of.alone == nil {
		return false
	}
	if s.alone == nil {
		s.alone = &whereReader{of.alone.layout.NewReader(), of.alone.program.Bind(of.alone.slots, of.alone.nulls)}
	}
	vals, err := s.alone.reader.Read(c.set.files[r.File].local, r.Offset, r.Data)
	if err != nil {
		return false
	}
	kept, bad := s.alone.of.Bool(vals)
	return bad == nil && !kept
}

func (c *Chooser) applyWhere(s *sourceChooser) (skips string, err error) {
	switch kept, bad := s.where.Bool(c.vals); {
	case bad != nil:
		bad.Message = "where: " + bad.Message
		err = bad
	case !kept:
		skips = dataset.SkippedByWhere
	}
	return skips, err
}

// findKey sets the value that rows are sorted by: the hash of order_key, or the rank of the class.
func (c *Chooser) findKey(s *sourceChooser) (_ string, err error) {
	d := s.decider
	text, err := cmp.Or(d.key, d.class).text(c.vals)
	switch {
	case err != nil:
	case d.key != nil:
		c.facts.Key = c.set.Shuffle.Key(order.HashText(text))
	default:
		c.facts.Key, err = c.set.Ranks.rank(text)
	}
	return "", err
}

// splitByID sets the split of a row without a deciding column.
func (c *Chooser) splitByID(s *sourceChooser) (string, error) {
	src := s.src
	switch {
	case src.cuts == nil:
		c.facts.Split = src.fixed
	case s.decider != nil && s.decider.grouper != nil:
		c.facts.Split = src.cuts.Split(c.facts.Group.Hash)
	default:
		c.facts.Split = src.cuts.Split(order.SplitPoint(c.id))
	}
	return "", nil
}

// splitLater sets the first split: the split of its group is decided later.
func (c *Chooser) splitLater(s *sourceChooser) (string, error) {
	c.facts.Split = s.decider.first
	return "", nil
}

// splitByColumn sets the split that a column names or determines.
func (c *Chooser) splitByColumn(s *sourceChooser) (string, error) {
	d, f := s.decider, &c.facts
	text, err := d.split.text(c.vals)
	switch {
	case err != nil:
		return "", err
	case !d.named:
		f.Split = s.src.cuts.Split(order.HashText(text))
	case d.mapped != nil:
		f.Split, err = d.mapped.split(text)
	default:
		f.Split, err = c.set.Splits.add(text)
	}
	if err != nil {
		err = s.src.splitError(err, int(c.vals[d.split.slot].At))
	}
	return "", err
}
