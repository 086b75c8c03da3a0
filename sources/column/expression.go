package column

import (
	"slices"

	"tfr-build/expr"
)

// Derived is a column that is computed from other columns.
type Derived struct {
	Name string
	Expr string
	Type string // type of features that do not set one; may be empty
}

// Compile compiles an expression over the columns of the set.
func (s *Set) Compile(text string) (*expr.Program, *expr.Error) {
	return expr.Compile(text, s.typeOf)
}

// Named returns the columns that an expression names, whether or not they exist.
func Named(text string) []string {
	p, err := expr.Compile(text, func(string) (expr.Type, bool) { return expr.Dynamic, true })
	if err != nil {
		return nil // Compile reports the error
	}
	return p.Columns()
}

// typeOf returns the type of a column for the compiler, and whether the column exists.
func (s *Set) typeOf(name string) (expr.Type, bool) {
	c, ok := s.Find(name)
	switch {
	case c.Program != nil:
		return c.Program.Type(), ok
	case c.List:
		return expr.List, ok
	}
	return expr.Dynamic, ok
}

// Late returns the column that makes the named column unknown when rows are filtered and split.
// That is a loaded column, one that follows an image, @split, @step, or @steps, possibly one that a derived
// column depends on. Late returns an empty string for columns that are known in time.
func (s *Set) Late(name string) string {
	c, ok := s.Find(name)
	switch {
	case !ok:
		return ""
	case c.Step == Load, c.Step == Split, c.Step == RecordStep, c.Step == RecordSteps, c.Follows:
		return name
	}
	return c.Late
}

// derive adds a computed column.
func (d *deriver) derive(i int, of *Derived) {
	c := Column{Step: Computed, Index: i, Name: of.Name, From: "derive", Type: of.Type}
	p, err := d.set.Compile(of.Expr)
	switch {
	case err != nil:
		f := Problem{Kind: Unusable, Step: Computed, Index: i, Column: err.Column, Text: err.Text, Hint: err.Hint,
			At: err.At}
		if c.Lacks = err.Column; c.Lacks != "" {
			f.Kind, f.Names = NotFound, d.set.Names()
		}
		d.report(f)
	case slices.Contains(p.Columns(), of.Name):
		c.Lacks = of.Name
		d.report(Problem{Kind: Conflict, Step: Computed, Index: i, Column: of.Name,
			Text: "it is made of itself; expected another name"})
	default:
		c.Program, c.Origin = p, len(p.Columns()) > 0
		c.List = p.Type() == expr.List
		c.MayList = p.MayBeList() && slices.ContainsFunc(p.Columns(), d.set.MayList)
		for _, name := range p.Columns() {
			if late := d.set.Late(name); late != "" {
				c.Late = late
			}
			of, _ := d.set.Find(name)
			c.Origin, c.InGroup = c.Origin && of.Origin, c.InGroup || of.InGroup
		}
	}
	d.add(of.Name, c)
}
