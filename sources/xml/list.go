package xml

import "tfr-build/schema"

// deliver adds a column's value to the innermost open list of its path; without one it is the
// document's value.
func (p *parser) deliver(column int, v schema.Value) {
	if p.lists.Depth(column) == 0 {
		p.vals[p.paths.columns[column].Slot] = v
	} else {
		p.lists.Add(column, v)
	}
}
