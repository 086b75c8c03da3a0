package column

import (
	"slices"

	"tfr-build/expr"
)

// Derived is a column that is made of others.
type Derived struct {
	Name string
	Expr string
	Type string // of features that say none; may be empty
}

// Compile compiles an expression over the columns of the set.
func (s *Set) Compile(text string) (*expr.Program, *expr.Error) {
	return expr.Compile(text, s.typeOf)
}

// Named are the columns that an expression names, whatever there is.
func Named(text string) []string {
	p, err := expr.Compile(text, func(string) (expr.Type, bool) { return expr.Dynamic, true })
	if err != nil {
		return nil // which is told where it is compiled
	}
	return p.Columns()
}

// typeOf is what an expression is told of a column.
func (s *Set) typeOf(name string) (expr.Type, bool) {
	c, ok := s.Find(name)
	if !ok || c.Program == nil {
		return expr.Dynamic, ok
	}
	return c.Program.Type(), true
}

// Late is the column that makes one known too late to tell where a row goes: a loaded one,
// or @split, or a derived one that is made of such. It is empty of others.
func (s *Set) Late(name string) string {
	c, ok := s.Find(name)
	switch {
	case !ok:
		return ""
	case c.Step == Load, c.Step == Split:
		return name
	}
	return c.Late
}

// derive adds a column that is made of others.
func (d *deriver) derive(i int, of *Derived) {
	c := Column{Step: Computed, Index: i, Name: of.Name, From: "derive", Type: of.Type}
	p, err := d.set.Compile(of.Expr)
	switch {
	case err != nil:
		f := Fault{Kind: Unfit, Step: Computed, Index: i, Column: err.Column, Text: err.Text, Hint: err.Hint, At: err.At}
		if c.Lacks = err.Column; c.Lacks != "" {
			f.Kind, f.Names = Lacking, d.set.Names()
		}
		d.fault(f)
	case slices.Contains(p.Columns(), of.Name):
		c.Lacks = of.Name
		d.fault(Fault{Kind: Clash, Step: Computed, Index: i, Column: of.Name, Text: "it is made of itself; expected another name"})
	default:
		c.Program, c.Origin = p, len(p.Columns()) > 0
		for _, name := range p.Columns() {
			if late := d.set.Late(name); late != "" {
				c.Late = late
			}
			of, _ := d.set.Find(name)
			c.Origin = c.Origin && of.Origin
		}
	}
	d.add(of.Name, c)
}
