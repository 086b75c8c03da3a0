package input

import "tfr-build/internal/order"

// ColumnsOnly returns an input with the columns of in, and without its files and rows.
func ColumnsOnly(in Input) Input {
	listing := *in.Listing()
	listing.Files, listing.Paths, listing.Heads = nil, nil, nil
	return &columnsOnly{in, listing}
}

// columnsOnly embeds an input for its columns. Its methods that take the number of a file are not called.
type columnsOnly struct {
	Input
	listing Listing
}

func (in *columnsOnly) Listing() *Listing        { return &in.listing }
func (in *columnsOnly) Recheck() error           { return nil }
func (in *columnsOnly) Remarks(int64) []Warning  { return in.listing.Skips() }
func (in *columnsOnly) Footprint() Footprint     { return Footprint{} }
func (in *columnsOnly) Find(int) (Search, error) { return noRows{}, nil }

// noRows finds no row.
type noRows struct{ Ready }

func (noRows) Finish(int) Found      { return Found{} }
func (noRows) Chunks() []order.Chunk { return nil }
