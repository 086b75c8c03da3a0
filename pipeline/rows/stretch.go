package rows

import "tfr-build/sources/table"

// A stretched input has files whose rows are found stretch by stretch.
type stretched interface {
	Stretches(file int) (*table.Stretches, error)
	Cuts(file int) bool
	SetCheck(file int, check uint8)
}

// Stretches opens a file of the source to find its rows stretch by stretch; it is nil
// where they can only be read one after another.
func (src *Source) Stretches(local int) (*table.Stretches, error) {
	if in, ok := src.Input.(stretched); ok {
		return in.Stretches(local)
	}
	return nil, nil
}

// Cuts reports whether the rows of a piece of a file can be found without those before
// it.
func (src *Source) Cuts(local int) bool {
	in, ok := src.Input.(stretched)
	return ok && in.Cuts(local)
}

// SetCheck says what scanners have to check in the rows of a file, when all are found
// stretch by stretch.
func (src *Source) SetCheck(local int, check uint8) {
	if in, ok := src.Input.(stretched); ok {
		in.SetCheck(local, check)
	}
}
