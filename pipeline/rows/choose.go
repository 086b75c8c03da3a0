package rows

import (
	"cmp"
	"errors"
	"fmt"

	"tfr-build/expr"
	"tfr-build/order"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// A decider says which columns decide a row's split or its key.
type decider struct {
	layout *sources.Layout
	split  *deciding // names or decides the split; nil for none
	named  bool      // it names the split
	mapped *splitMap // what it names instead; nil where it does itself
	key    *deciding // order_key; nil for none
	class  *deciding // that the orders of Inception's script go by; nil for others
	where  *where    // that rows fulfill; nil for none
}

// A where is the condition of the rows of a source.
type where struct {
	program *expr.Program
	slots   []int
	nulls   [][]string
}

// newWhere is the condition of a config, for the rows of a source; nil where there is
// none.
func newWhere(src *Source, text string, columns *column.Slots[schema.Column]) (*where, error) {
	if text == "" {
		return nil, nil
	}
	program, fault := src.Columns().Compile(text)
	switch {
	case fault == nil:
	case fault.Column != "":
		columns.Of(schema.Column{Name: fault.Column}) // which is told when columns are bound
		return nil, nil
	default:
		return nil, &input.FitError{Path: src.Listing().Label, Text: "where: " + fault.Text, Hint: fault.Hint}
	}
	w := &where{program: program}
	for _, name := range program.Columns() {
		w.slots, w.nulls = append(w.slots, columns.Of(schema.Column{Name: name})), append(w.nulls, src.Nulls(name))
	}
	return w, nil
}

// A deciding column is one that decides a row's place.
type deciding struct {
	column string
	slot   int
	nulls  []string // texts that mean missing
}

// newDecider tells how the split and the key of a source's rows are found; nil
// where their address is enough.
func (s *Set) newDecider(src *Source) (*decider, error) {
	split := &src.Config.Split
	d := &decider{}
	var columns column.Slots[schema.Column]
	decides := func(name string) *deciding {
		return &deciding{name, columns.Of(schema.Column{Name: name}), src.Nulls(name)}
	}
	var err error
	switch {
	case split.Column != "":
		d.split, d.named = decides(split.Column), true
		if split.Map != nil {
			d.mapped = newSplitMap(s.Splits, split.Map)
		}
	case len(split.Fractions) > 0:
		shares := make([]order.Share, len(split.Fractions))
		for i, f := range split.Fractions {
			shares[i] = order.Share{Split: s.Splits.Number(f.Split), Part: f.Share}
		}
		if src.cuts, err = order.NewCuts(shares); err != nil {
			return nil, err
		}
		if split.By != "" {
			d.split = decides(split.By)
		}
	default:
		src.fixed = s.Splits.Number(split.Name)
	}
	if s.Config.OrderKey != "" {
		d.key = decides(s.Config.OrderKey)
	}
	if s.Ranks != nil {
		d.class = decides(config.ClassColumn)
	}
	if d.where, err = newWhere(src, string(s.Config.Where), &columns); err != nil {
		return nil, err
	}
	if d.split == nil && d.key == nil && d.class == nil && s.Config.Where == "" {
		return nil, nil
	}
	if d.layout, err = src.Bind(columns.Columns()); err == nil && (d.class != nil || d.where != nil) {
		d.layout.NamesOnly() // so that an image that cannot be read has its place, and others are read once
	}
	return d, err
}

// Decides reports whether more than the listing decides which rows of the source are
// taken, their split or their key: each has to be chosen by itself.
func (src *Source) Decides() bool { return src.decider != nil || src.sampled }

// ByPosition reports whether the split of a row depends on what stands before it
// in its file.
func (src *Source) ByPosition() bool {
	return !src.Listing().Sized && src.cuts != nil && src.Config.Split.By == ""
}

// Fixed is the split of all rows, and the cuts by their addresses where they
// decide: what package order needs to know where no column decides.
func (src *Source) Fixed() (split uint8, cuts *order.Cuts) { return src.fixed, src.cuts }

// LeftOut is the split of a row that the config leaves out.
const LeftOut = order.NoSplit

// A Chooser finds the split and the key of rows. It belongs to one goroutine.
type Chooser struct {
	set     *Set
	readers []*sources.Reader // by source; nil until the first row
	wheres  []*expr.Evaluator // by source; nil until the first row, and where there is no condition
	left    []plan.Source     // by source: the rows that were left out
}

// NewChooser returns a chooser.
func (s *Set) NewChooser() *Chooser {
	n := len(s.Sources)
	return &Chooser{s, make([]*sources.Reader, n), make([]*expr.Evaluator, n), make([]plan.Source, n)}
}

// Close gives back what the readers hold open.
func (c *Chooser) Close() {
	for _, r := range c.readers {
		if r != nil {
			r.Close()
		}
	}
}

// AddLeft adds the rows of each source that were left out.
func (c *Chooser) AddLeft(to []plan.Source) {
	for i := range to {
		to[i].Add(c.left[i])
	}
}

// Choose is the split of a row and, where a column decides its place, its key. A
// *schema.RowError says why the row has none. The split is LeftOut of a row that
// the config leaves out, which is counted.
func (c *Chooser) Choose(r *Row) (split uint8, key uint64, err error) {
	src := c.set.files[r.File].source
	address := c.set.Space.Address(r.File, r.Offset)
	d := src.decider
	if (d == nil || d.where == nil) && c.sampledOut(src, address) { // the row need not be read
		return LeftOut, 0, nil
	}
	if d == nil {
		return src.byAddress(address), 0, nil
	}
	if r.Bad != "" {
		return order.NoSplit, 0, BadCut(r.Bad)
	}
	_, vals, err := c.read(r)
	if err != nil {
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
			c.left[src.Number].Unwanted++
			return LeftOut, 0, nil
		case c.sampledOut(src, address):
			return LeftOut, 0, nil
		}
	}
	if split, key, err = c.decide(src, vals, address); err != nil {
		c.readers[src.Number].Explain(err)
	}
	return split, key, err
}

// sampledOut reports whether a row is not in the sample, and counts it then.
func (c *Chooser) sampledOut(src *Source, address uint64) bool {
	if c.set.Sample == nil || c.set.Sample.Takes(address) {
		return false
	}
	c.left[src.Number].Sampled++
	return true
}

// read reads the columns that decide, of a row of a source that has such.
func (c *Chooser) read(r *Row) (*decider, []schema.Value, error) {
	f := &c.set.files[r.File]
	d := f.source.decider
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

func (src *Source) byAddress(address uint64) uint8 {
	if src.cuts != nil {
		return src.cuts.Split(order.SplitPoint(address))
	}
	return src.fixed
}

func (c *Chooser) decide(src *Source, vals []schema.Value, address uint64) (split uint8, key uint64, err error) {
	d := src.decider
	if key, err = c.key(d, vals); err != nil {
		return order.NoSplit, 0, err
	}
	if d.split == nil {
		return src.byAddress(address), key, nil
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
		split, err = c.set.Splits.take(text)
	}
	if err != nil {
		err = c.notASplit(err, src, int(vals[d.split.slot].At))
	}
	return split, key, err
}

// key is what a row is sorted by: the hash of order_key, or the rank of its class; 0
// where no column decides.
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

// notASplit is the error of a row that names a split that cannot be, with its
// column, or the fault of a column that names too many.
func (c *Chooser) notASplit(err error, src *Source, at int) error {
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

// tooManySplits is the fault of a column of the source that names them.
func (src *Source) tooManySplits(s *Set) error {
	return s.Config.Problem(src.Config.Split.At+".column", "column %q names more than %d splits", src.decider.split.column, maxSplits)
}

// FewSplits refuses so many splits that rows name, if they are too many.
func FewSplits(s *Set, n int) error {
	for _, src := range s.Sources {
		if n > maxSplits && src.decider != nil && src.decider.named {
			return src.tooManySplits(s)
		}
	}
	return nil
}

// splitHint is how the values of a column get names that splits can have.
func splitHint(column, found string) string {
	return fmt.Sprintf("to map its values: split: {column: %s, map: {%s: train}}", column, found)
}

// text is the column's text in a row.
func (d *deciding) text(vals []schema.Value) ([]byte, error) {
	v := &vals[d.slot]
	if sources.IsMissing(d.nulls, v) {
		return nil, &schema.RowError{Code: "MISSING", At: int(v.At), Column: d.column, Message: "no value, but it decides the row's place"}
	}
	if text, ok := v.AsText(nil); ok {
		return text, nil
	}
	return nil, &schema.RowError{Code: "TYPE", At: int(v.At), Column: d.column, Message: "not a text or a number, but it decides the row's place"}
}
