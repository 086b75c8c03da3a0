package rows

import (
	"cmp"
	"errors"
	"fmt"

	"tfr-build/expr"
	"tfr-build/internal/order"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// A decider chooses the rows of a source by their columns: their split, their sort key, and
// whether the build skips them.
type decider struct {
	layout     *sources.Layout
	split      *deciding   // the column that names or determines the split; nil if no column does
	named      bool        // the split column has split names, or values that split.map maps to names
	mapped     *splitMap   // split.map; nil if the column has the names themselves
	strata     *deciding   // the column of stratify; nil without stratify
	population int         // with strata: its number
	first      uint8       // with strata: the first split
	per        []*deciding // the columns of limit, by number; nil for a column whose splits the source cannot have
	key        *deciding   // the column of order_key; nil without order_key
	class      *deciding   // the class column, for the orders of Inception's script; nil for other orders
	grouper    *grouper    // nil without group
	where      *where      // nil without where
}

// A where is the compiled condition `where` of the config, for the rows of one source.
type where struct {
	program *expr.Program
	slots   []int
	nulls   [][]string

	// alone has the same condition with a layout of its columns alone. It decides about a row whose
	// other columns cannot be read: where protects what is computed after it.
	alone  *where
	layout *sources.Layout // of alone
}

// newWhere compiles a condition for a source, and adds its columns to columns. It returns nil if
// text is empty.
func newWhere(src *Source, text string, columns *column.Slots[schema.Column]) (*where, error) {
	if text == "" {
		return nil, nil
	}
	program, problem := src.Columns().Compile(text)
	switch {
	case problem == nil:
	case problem.Column != "":
		columns.Of(schema.Column{Name: problem.Column}) // Bind reports it, with suggestions
		return nil, nil
	default:
		return nil, &input.MismatchError{Path: src.Listing().Label, Text: "where: " + problem.Text, Hint: problem.Hint}
	}
	w := &where{program: program}
	for _, name := range program.Columns() {
		w.slots, w.nulls = append(w.slots, columns.Of(schema.Column{Name: name})), append(w.nulls, src.Nulls(name))
	}
	return w, nil
}

// bindAlone sets alone, unless the condition needs all of the n columns that decide about rows.
func (w *where) bindAlone(src *Source, text string, n int) error {
	var columns column.Slots[schema.Column]
	alone, err := newWhere(src, text, &columns)
	if err != nil || len(columns.Columns()) == n {
		return err
	}
	if alone.layout, err = src.Bind(columns.Columns()); err == nil {
		alone.layout.NamesOnly()
		w.alone = alone
	}
	return err
}

// A deciding is a column that determines the split or the sort key of a row.
type deciding struct {
	column string
	slot   int
	nulls  []string // strings that mean a missing value
}

// newDecider returns the decider of a source, of splits and of keys if required. It returns nil if
// the row ID alone determines them. It also sets src.cuts or src.fixed.
func (s *Set) newDecider(src *Source, splits, keys bool) (*decider, error) {
	split := &src.Config.Split
	d := &decider{}
	var columns column.Slots[schema.Column]
	decides := func(name string) *deciding {
		return &deciding{name, columns.Of(schema.Column{Name: name}), src.Nulls(name)}
	}
	var err error
	switch {
	case split.Column != "" && !splits:
	case split.Column != "":
		d.split, d.named = decides(split.Column), true
		if split.Map != nil {
			d.mapped = newSplitMap(s.Splits, split.Map)
		}
	case split.IsCut():
		if src.cuts, err = s.newCuts(split); err != nil {
			return nil, err
		}
		if split.By != "" && splits {
			d.split = decides(split.By)
		}
		if split.Stratify != "" && keys { // the comparison needs no stratum
			d.strata, d.population = decides(split.Stratify), s.Strata.populationOf(split)
			d.first = s.Splits.Number(split.Names()[0])
		}
	default:
		src.fixed = s.Splits.Number(split.Name)
	}
	if s.Limits != nil && keys {
		d.per = s.limitColumns(src, decides)
	}
	if s.Config.OrderKey != "" && keys {
		d.key = decides(s.Config.OrderKey)
	}
	if s.Ranks != nil && keys {
		d.class = decides(config.ClassColumn)
	}
	if keys {
		d.grouper = s.newGrouper(src, decides)
	}
	if d.where, err = newWhere(src, string(s.Config.Where), &columns); err != nil {
		return nil, err
	}
	if d.split == nil && d.strata == nil && d.per == nil && d.key == nil && d.class == nil && d.grouper == nil && s.Config.Where == "" {
		return nil, nil
	}
	if d.layout, err = src.Bind(columns.Columns()); err == nil && d.where != nil {
		err = d.where.bindAlone(src, string(s.Config.Where), len(columns.Columns()))
	}
	if err == nil && (d.class != nil || d.where != nil || d.per != nil || d.grouper != nil) {
		// An image that cannot be decoded still gets its split and key, and no image is read twice.
		d.layout.NamesOnly()
	}
	return d, err
}

// newCuts returns the ranges of points of the splits by fractions or folds.
func (s *Set) newCuts(split *config.Split) (*order.Cuts, error) {
	if split.Folds != nil {
		var folds []uint8
		for _, name := range split.Names() {
			folds = append(folds, s.Splits.Number(name))
		}
		return order.NewFolds(folds), nil
	}
	shares := make([]order.Share, len(split.Fractions))
	for i, f := range split.Fractions {
		shares[i] = order.Share{Split: s.Splits.Number(f.Split), Part: f.Share}
	}
	return order.NewCuts(shares)
}

// Decides reports whether the build must choose each row of the source by itself. If not, the
// listing alone determines which rows are used, their split, and their key.
func (src *Source) Decides() bool { return src.decider != nil || src.sampled || src.deduped }

// ByPosition reports whether the split of a row depends on the rows before it in its file.
func (src *Source) ByPosition() bool {
	return !src.Listing().Sized && src.cuts != nil && src.Config.Split.By == ""
}

// Fixed returns the split of all rows, or the cuts that assign a split to each row ID. Package
// order needs them if no column determines the split; cuts is nil without fractions.
func (src *Source) Fixed() (split uint8, cuts *order.Cuts) { return src.fixed, src.cuts }

// Skipped is the split of a row that `where`, `dedupe`, or `sample` skips.
const Skipped = order.NoSplit

// A Chooser determines the split and the sort key of rows. One goroutine may use it at a time.
type Chooser struct {
	set        *Set
	deciders   []*decider        // by source
	readers    []*sources.Reader // by source; nil until the first row
	wheres     []*expr.Evaluator // by source; nil until the first row, and without where
	alone      []*whereReader    // by source; nil until where alone decides about a row
	skipped    []plan.Source     // by source: counts of skipped rows
	sample     *order.Sample     // nil if no row is skipped for it
	duplicates *duplicateCursor  // nil if no row is skipped as a duplicate
	pending    Pending           // of the last row
	strata     valueCache
	values     valueCache      // of the columns of limit
	limits     []*limitedSplit // by split, once a row is in it
	grouping   Grouping        // of the last row
}

// Pending is what decides about a row together with all other rows: about its split with `stratify`,
// and whether it is above the limit of its value.
type Pending struct {
	Stratum Stratum  // its Number is 0 if the split is known
	Values  []uint32 // number of the value in each column of `limit`, from 1; 0 if no limit of its splits needs the value
}

// Pending returns what decides about the row that Choose read last, until the next row. If Choose
// skipped the row or returned an error, all numbers are 0. Until all rows are known, the split of a
// row with a stratum is the first split of its source. Rows that are grouped have no numbers: see
// [GroupNumbers].
func (c *Chooser) Pending() *Pending { return &c.pending }

// NewChooser returns a chooser for the rows of the set. Close it.
func (s *Set) NewChooser() *Chooser {
	c := s.newChooser(func(src *Source) *decider { return src.decider })
	c.sample = s.Sample
	if s.duplicates != nil && s.duplicates.Count > 0 {
		c.duplicates = &duplicateCursor{of: s.duplicates}
	}
	return c
}

// newChooser returns a chooser with these deciders, which skips no row for other reasons than they
// have.
func (s *Set) newChooser(of func(*Source) *decider) *Chooser {
	n := len(s.Sources)
	c := &Chooser{
		set: s, readers: make([]*sources.Reader, n), wheres: make([]*expr.Evaluator, n), alone: make([]*whereReader, n),
		skipped: make([]plan.Source, n),
	}
	if s.Limits != nil {
		c.pending.Values = make([]uint32, len(s.Limits.values.columns))
	}
	for _, src := range s.Sources {
		c.deciders = append(c.deciders, of(src))
	}
	return c
}

// Close closes the files that the readers have open.
func (c *Chooser) Close() {
	for _, r := range c.readers {
		if r != nil {
			r.Close()
		}
	}
	for _, w := range c.alone {
		if w != nil {
			w.reader.Close()
		}
	}
}

// AddSkipped adds to each source its counts of rows that Choose skipped.
func (c *Chooser) AddSkipped(to []plan.Source) {
	for i := range to {
		to[i].Add(c.skipped[i])
	}
}

// Choose returns the split of a row, and its sort key if a column determines it; otherwise key is
// 0. The split of a skipped row is Skipped, and the row is counted. A *schema.RowError says why a
// row is invalid.
func (c *Chooser) Choose(r *Row) (split uint8, key uint64, err error) {
	place := r.Place()
	defer c.set.LocatePanic(&place)
	src := c.set.files[r.File].source
	address := c.set.Space.Address(r.File, r.Offset)
	d := c.deciders[src.Number]
	c.forgetPending()
	if c.duplicates != nil {
		switch skipped, err := c.duplicates.has(c.set.Sequence.Position(r.File, r.Offset)); {
		case err != nil:
			return order.NoSplit, 0, err
		case skipped:
			c.skipped[src.Number].Duplicates++
			return Skipped, 0, nil
		}
	}
	if (d == nil || d.where == nil && d.grouper == nil) && c.sampledOut(src, address) { // the row need not be read
		return Skipped, 0, nil
	}
	if d == nil {
		return src.splitByID(address), 0, nil
	}
	if r.Bad != "" {
		return order.NoSplit, 0, BadCut(r.Bad)
	}
	_, vals, err := c.read(r)
	if err != nil && c.skipsAlone(d.where, r, err) {
		c.skipped[src.Number].Unwanted++
		return Skipped, 0, nil
	}
	if err != nil {
		c.readers[src.Number].Explain(err)
		return order.NoSplit, 0, err
	}
	if d.where != nil {
		kept, bad := c.wheres[src.Number].Bool(vals)
		switch {
		case bad != nil:
			bad.Message = "where: " + bad.Message
			c.readers[src.Number].Explain(bad)
			return order.NoSplit, 0, bad
		case !kept:
			c.skipped[src.Number].Unwanted++
			return Skipped, 0, nil
		case d.grouper == nil && c.sampledOut(src, address):
			return Skipped, 0, nil
		}
	}
	if d.grouper != nil {
		if err := c.group(d.grouper, vals); err != nil {
			c.readers[src.Number].Explain(err)
			return order.NoSplit, 0, err
		}
		if address = c.grouping.Hash; c.sampledOut(src, address) {
			return Skipped, 0, nil
		}
	}
	split, key, err = c.decide(src, vals, address)
	switch {
	case err != nil:
	case d.grouper != nil:
		err = c.appendPending(d, split, vals)
	case d.per != nil:
		err = c.numberValues(d, split, vals)
	}
	if err != nil {
		c.forgetPending()
		c.readers[src.Number].Explain(err)
		return order.NoSplit, 0, err
	}
	return split, key, nil
}

// A whereReader evaluates a condition with a reader of its columns alone.
type whereReader struct {
	reader *sources.Reader
	of     *expr.Evaluator
}

// skipsAlone reports whether where skips a row that is invalid because of other columns.
func (c *Chooser) skipsAlone(of *where, r *Row, err error) bool {
	if _, invalid := errors.AsType[*schema.RowError](err); !invalid || of == nil || of.alone == nil {
		return false
	}
	f := &c.set.files[r.File]
	w := c.alone[f.source.Number]
	if w == nil {
		w = &whereReader{of.alone.layout.NewReader(), of.alone.program.Bind(of.alone.slots, of.alone.nulls)}
		c.alone[f.source.Number] = w
	}
	vals, err := w.reader.Read(f.local, r.Offset, r.Data)
	if err != nil {
		return false
	}
	kept, bad := w.of.Bool(vals)
	return bad == nil && !kept
}

// forgetPending sets all numbers of the pending row to 0.
func (c *Chooser) forgetPending() {
	c.pending.Stratum = Stratum{}
	clear(c.pending.Values)
}

// sampledOut reports whether `sample` skips a row, and counts the row if so.
func (c *Chooser) sampledOut(src *Source, address uint64) bool {
	if c.sample == nil || c.sample.Takes(address) {
		return false
	}
	c.skipped[src.Number].Sampled++
	return true
}

// read reads the deciding columns of a row. The source must have a decider.
func (c *Chooser) read(r *Row) (*decider, []schema.Value, error) {
	f := &c.set.files[r.File]
	d := c.deciders[f.source.Number]
	reader := c.readers[f.source.Number]
	if reader == nil {
		reader = d.layout.NewReader()
		c.readers[f.source.Number] = reader
		if d.where != nil {
			c.wheres[f.source.Number] = d.where.program.Bind(d.where.slots, d.where.nulls)
		}
	}
	vals, err := reader.Read(f.local, r.Offset, r.Data)
	return d, vals, err
}

// splitByID returns the split of a row without a deciding column.
func (src *Source) splitByID(address uint64) uint8 {
	if src.cuts != nil {
		return src.cuts.Split(order.SplitPoint(address))
	}
	return src.fixed
}

// decide returns the split and the key of a row from the values of its deciding columns.
func (c *Chooser) decide(src *Source, vals []schema.Value, address uint64) (split uint8, key uint64, err error) {
	d := c.deciders[src.Number]
	if key, err = c.key(d, vals); err != nil {
		return order.NoSplit, 0, err
	}
	switch {
	case d.strata != nil && d.grouper != nil: // decided for the group
		return d.first, key, nil
	case d.strata != nil:
		split, err = c.stratify(src, vals, address)
		return split, key, err
	case d.split == nil && d.grouper != nil && src.cuts != nil:
		return src.cuts.Split(c.grouping.Hash), key, nil
	case d.split == nil:
		return src.splitByID(address), key, nil
	}
	text, err := d.split.text(vals)
	if err != nil {
		return order.NoSplit, 0, err
	}
	if !d.named {
		return src.cuts.Split(order.HashText(text)), key, nil
	}
	if d.mapped != nil {
		split, err = d.mapped.split(text)
	} else {
		split, err = c.set.Splits.add(text)
	}
	if err != nil {
		err = c.splitError(err, src, int(vals[d.split.slot].At))
	}
	return split, key, err
}

// key returns the value that rows are sorted by: the hash of order_key, or the rank of the class.
// It is 0 if no column determines the order.
func (c *Chooser) key(d *decider, vals []schema.Value) (uint64, error) {
	column := cmp.Or(d.key, d.class)
	if column == nil {
		return 0, nil
	}
	text, err := column.text(vals)
	if err != nil {
		return 0, err
	}
	if d.key != nil {
		return c.set.Shuffle.Key(order.HashText(text)), nil
	}
	return c.set.Ranks.rank(text)
}

// splitError completes the error of a row whose split name is invalid: it adds the column, the
// position, and a hint. If a column names too many splits, it returns a config error instead.
func (c *Chooser) splitError(err error, src *Source, at int) error {
	var bad *schema.RowError
	switch {
	case errors.Is(err, errSplits):
		return src.tooManySplits(c.set)
	case errors.As(err, &bad):
		bad.Column, bad.At = src.decider.split.column, at
		if src.decider.mapped == nil {
			bad.Hint = splitHint(bad.Column, bad.Found)
		}
	}
	return err
}

// tooManySplits returns the config error of a split column with too many split names.
func (src *Source) tooManySplits(s *Set) error {
	return s.Config.Problem(src.Config.Split.At+".column", "column %q names more than %d splits", src.decider.split.column, maxSplits)
}

// FewSplits returns an error if rows name splits and the dataset has n > maxSplits of them.
func FewSplits(s *Set, n int) error {
	for _, src := range s.Sources {
		if n > maxSplits && src.decider != nil && src.decider.named {
			return src.tooManySplits(s)
		}
	}
	return nil
}

// splitHint returns a hint that shows how to map a column's values to split names.
func splitHint(column, found string) string {
	return fmt.Sprintf("to map its values: split: {column: %s, map: {%s: train}}", column, found)
}

// text returns the string of the deciding column in a row. A missing value, or a value that is not
// a string or a number, is a *schema.RowError.
func (d *deciding) text(vals []schema.Value) ([]byte, error) {
	v := &vals[d.slot]
	if sources.IsMissing(d.nulls, v) {
		return nil, &schema.RowError{Code: "MISSING", At: int(v.At), Column: d.column, Message: "no value, but it decides the row's position"}
	}
	if text, ok := v.AsText(nil); ok {
		return text, nil
	}
	return nil, &schema.RowError{Code: "TYPE", At: int(v.At), Column: d.column, Message: "not a string or a number, but it decides the row's position"}
}

// optional returns the string of the deciding column in a row, or that the value is missing. Other values
// are a *schema.RowError.
func (d *deciding) optional(vals []schema.Value) (missing bool, text []byte, err error) {
	if sources.IsMissing(d.nulls, &vals[d.slot]) {
		return true, nil, nil
	}
	text, err = d.text(vals)
	return false, text, err
}
