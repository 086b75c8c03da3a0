package rows

import "tfr-build/sources/table"

// A rangeInput input can find the rows of a file range by range, in any order.
type rangeInput interface {
	Stretches(file int) (*table.Stretches, error)
	Cuts(file int) bool
	SetCheck(file int, check uint8)
}

// Stretches opens a file of the source to find its rows range by range. It returns nil if the rows
// can only be found from the beginning.
func (src *Source) Stretches(local int) (*table.Stretches, error) {
	if in, ok := src.Input.(rangeInput); ok {
		return in.Stretches(local)
	}
	return nil, nil
}

// Cuts reports whether the rows in a range of a file can be found without reading the rows before
// it.
func (src *Source) Cuts(local int) bool {
	in, ok := src.Input.(rangeInput)
	return ok && in.Cuts(local)
}

// SetCheck sets what scanners must check in the rows of a file, after all ranges were searched.
func (src *Source) SetCheck(local int, check uint8) {
	if in, ok := src.Input.(rangeInput); ok {
		in.SetCheck(local, check)
	}
}
