package sources

import (
	"tfr-build/expr"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// A Derived is a column that is computed by an expression of other columns.
type Derived struct {
	Name string // of the column
	At   string // its path in the config: `derive.tip_share`

	Expr Expression `yaml:"expr" required:"yes" doc:"Expression that computes the column from other columns." example:"width * height"`
	Type string     `yaml:"type" is:"type" doc:"Type of features that use the column and have no type." example:"int64"`
}

// Derives are derived columns in the order of the config. Each may use those before it.
type Derives []Derived

// An Expression is the source text of an expression of package expr.
type Expression string

// A boundDerive computes a slot from others.
type boundDerive struct {
	name    string
	index   int // of the step
	program *expr.Program
	from    []int      // slots of the program's columns
	nulls   [][]string // strings of these columns that mean missing
	slot    int
	inGroup bool // of column.Column
}

// bindDerive binds slot to a derived column.
func (b *binder) bindDerive(c *column.Column, slot int) error {
	if c.Program == nil {
		return b.addUnknown(b.stepError(c.Lacks, column.Computed, c.Index, !b.unknown.Any()))
	}
	d := boundDerive{name: c.Name, index: c.Index, program: c.Program, slot: slot, inGroup: c.InGroup}
	for _, name := range c.Program.Columns() {
		from, err := b.slotFor(name, column.Computed, c.Index)
		if err != nil {
			return err
		}
		d.from, d.nulls = append(d.from, from), append(d.nulls, b.s.Nulls(name))
	}
	b.l.derives = append(b.l.derives, d)
	return nil
}

// computeDerived computes the derived columns of the row, in their order. Columns that need the record of the row
// are missing until SetStep sets the row's position in it.
func (r *Reader) computeDerived() error {
	r.meter.Reset()
	for i, e := range r.derived {
		d := &r.l.derives[i]
		if d.inGroup && !r.inGroup {
			r.vals[d.slot] = schema.Value{}
			continue
		}
		v, bad := e.Value(r.vals)
		if bad != nil {
			bad.Message = "derive." + d.name + ": " + bad.Message
			return bad
		}
		if v.Kind == schema.List {
			if err := r.addSize(input.ElementSize*countElements(&v), d.name); err != nil {
				return err
			}
		}
		r.vals[d.slot] = v
	}
	return nil
}

// countElements returns the number of elements of a list and of the lists in it.
func countElements(v *schema.Value) int {
	n := len(v.List)
	for i := range v.List {
		n += countElements(&v.List[i])
	}
	return n
}
