package rows

import (
	"errors"
	"fmt"

	"tfr-build/expr"
	"tfr-build/internal/order"
	"tfr-build/pipeline/config"
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

// A deciding is a column that determines the split or the sort key of a row, or that is compared.
type deciding struct {
	column string
	slot   int
	nulls  []string // strings that mean a missing value
}

// newDecider returns the decider of a source, of splits and of keys if required. It returns nil if
// the row ID alone determines them. It also sets src.cuts or src.fixed.
func (src *Source) newDecider(splits, keys bool) (*decider, error) {
	set, split := src.set, &src.Config.Split
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
			d.mapped = newSplitMap(set.Splits, split.Map)
		}
	case split.IsCut():
		if src.cuts, err = set.Splits.newCuts(split); err != nil {
			return nil, err
		}
		if split.By != "" && splits {
			d.split = decides(split.By)
		}
		if split.Stratify != "" && keys { // the comparison needs no stratum
			d.strata, d.population = decides(split.Stratify), set.Strata.populationOf(split)
			d.first = set.Splits.Number(split.Names()[0])
		}
	default:
		src.fixed = set.Splits.Number(split.Name)
	}
	if set.Limits != nil && keys {
		d.per = src.limitColumns(decides)
	}
	if set.Config.OrderKey != "" && keys {
		d.key = decides(set.Config.OrderKey)
	}
	if set.Ranks != nil && keys {
		d.class = decides(config.ClassColumn)
	}
	if keys {
		d.grouper = src.newGrouper(decides)
	}
	if d.where, err = newWhere(src, string(set.Config.Where), &columns); err != nil {
		return nil, err
	}
	if len(columns.Columns()) == 0 && set.Config.Where == "" {
		return nil, nil
	}
	if d.layout, err = src.Bind(columns.Columns()); err == nil && d.where != nil {
		err = d.where.bindAlone(src, string(set.Config.Where), len(columns.Columns()))
	}
	if err == nil && (d.class != nil || d.where != nil || d.per != nil || d.grouper != nil) {
		// An image that cannot be decoded still gets its split and key, and no image is read twice.
		d.layout.NamesOnly()
	}
	return d, err
}

// newCuts returns the ranges of points of the splits by fractions or folds.
func (s *Splits) newCuts(split *config.Split) (*order.Cuts, error) {
	if split.Folds != nil {
		var folds []uint8
		for _, name := range split.Names() {
			folds = append(folds, s.Number(name))
		}
		return order.NewFolds(folds), nil
	}
	shares := make([]order.Share, len(split.Fractions))
	for i, f := range split.Fractions {
		shares[i] = order.Share{Split: s.Number(f.Split), Part: f.Share}
	}
	return order.NewCuts(shares)
}

// splitError completes the error of a row whose split name is invalid: it adds the column, the
// position, and a hint. If a column names too many splits, it returns a config error instead.
func (src *Source) splitError(err error, at int) error {
	var bad *schema.RowError
	switch {
	case errors.Is(err, errSplits):
		return src.tooManySplits()
	case errors.As(err, &bad):
		bad.Column, bad.At = src.decider.split.column, at
		if src.decider.mapped == nil {
			bad.Hint = splitHint(bad.Column, bad.Found)
		}
	}
	return err
}

// tooManySplits returns the config error of a split column with too many split names.
func (src *Source) tooManySplits() error {
	return src.set.Config.Problem(src.Config.Split.At+".column", "column %q names more than %d splits",
		src.decider.split.column, maxSplits)
}

// FewSplits returns an error if rows name splits and the dataset has n > maxSplits of them.
func FewSplits(s *Set, n int) error {
	for _, src := range s.Sources {
		if n > maxSplits && src.decider != nil && src.decider.named {
			return src.tooManySplits()
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
	missing, text, err := d.optional(vals)
	if missing {
		err = d.error(vals, "MISSING", "no value")
	}
	return text, err
}

// optional returns the string of the deciding column in a row, or that the value is missing. Other values
// are a *schema.RowError.
func (d *deciding) optional(vals []schema.Value) (missing bool, text []byte, err error) {
	v := &vals[d.slot]
	if sources.IsMissing(d.nulls, v) {
		return true, nil, nil
	}
	text, ok := v.AsText(nil)
	if !ok {
		err = d.error(vals, "TYPE", "not a string or a number")
	}
	return false, text, err
}

// error returns the error of a row without a string in the deciding column.
func (d *deciding) error(vals []schema.Value, code, found string) error {
	return &schema.RowError{Code: code, At: int(vals[d.slot].At), Column: d.column,
		Message: found + ", but it decides the row's position"}
}
