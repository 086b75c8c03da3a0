package sources

import (
	"tfr-build/expr"
	"tfr-build/sources/column"
)

// A Derived is a column that an expression makes of others.
type Derived struct {
	Name string // of the column
	At   string // its path in the config: `derive.tip_share`

	Expr Expression `yaml:"expr" required:"yes" doc:"Expression that computes the column from other columns." example:"width * height"`
	Type string     `yaml:"type" is:"type" doc:"Type of features that use the column and have no type." example:"int64"`
}

// Derives are derived columns, in the order of the config: each may be made of those
// before it.
type Derives []Derived

// An Expression is the text of one, see package expr.
type Expression string

// A boundDerive fills a slot from others.
type boundDerive struct {
	name    string
	index   int // of the step
	program *expr.Program
	from    []int      // slots of the program's columns
	nulls   [][]string // of those columns
	slot    int
}

// derive notes that slot takes its value from an expression.
func (b *binder) derive(c *column.Column, slot int) error {
	if c.Program == nil {
		return b.lacks(c.Lacks)
	}
	d := boundDerive{name: c.Name, index: c.Index, program: c.Program, slot: slot}
	for _, name := range c.Program.Columns() {
		from, err := b.needed(name, column.Computed, c.Index)
		if err != nil {
			return err
		}
		d.from, d.nulls = append(d.from, from), append(d.nulls, b.s.Nulls(name))
	}
	b.l.derives = append(b.l.derives, d)
	return nil
}

// values makes the derived columns of the last row, from the first to the last.
func (r *Reader) values() error {
	for i, e := range r.derived {
		v, bad := e.Value(r.vals)
		if bad != nil {
			bad.Message = "derive." + r.l.derives[i].name + ": " + bad.Message
			return bad
		}
		r.vals[r.l.derives[i].slot] = v
	}
	return nil
}
