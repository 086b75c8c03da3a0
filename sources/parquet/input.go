package parquet

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/internal/bug"
	"tfr-build/internal/order"
	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

// A parquetInput is the input of a list of Parquet files.
type parquetInput struct {
	table.Files
	options *Options
	limits  input.Limits
	files   []file   // in the order of the listing; nil before ReadHeads
	shapes  []*shape // the distinct shapes, in order of their first file

	mu        sync.Mutex
	bound     bool            // Bind was called
	requested map[string]bool // paths of the bound columns
	decoded   []decodedFile   // by file; set by Find
	found     [][]int         // by shape: the leaves that Find decodes
	findError error           // error of the first failed step of Find, in step order
}

// A file is the metadata of one file, from its footer.
type file struct {
	shape  *shape
	groups []group
	rows   int64
}

// ReadHeads reads the footers of all files.
func (in *parquetInput) ReadHeads(ctx context.Context) error {
	list := in.Listing()
	footers := make([]*footer, len(list.Files))
	err := files.Each(ctx, len(footers), func(i int) (err error) {
		footers[i], err = in.readFooter(i)
		return err
	})
	if err != nil {
		return err
	}
	read := make([]file, len(footers))
	var last []format.SchemaElement
	for i, f := range footers {
		if i > 0 && reflect.DeepEqual(f.schema, last) {
			read[i].shape = read[i-1].shape
		} else if read[i].shape, err = in.shapeOf(f); err != nil {
			return in.fileError(i, err)
		}
		last = f.schema
		read[i].groups, read[i].rows = f.groups, f.rows
		if err := read[i].checkGroups(); err != nil {
			return in.fileError(i, err)
		}
		footers[i] = nil
	}
	in.files = read
	return nil
}

// readFooter reads the footer of the i-th file.
func (in *parquetInput) readFooter(i int) (*footer, error) {
	h, err := in.Handle(i)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	var f *footer
	err = guard(func() (err error) {
		f, err = readFooter(h, in.Listing().Files[i].Size)
		return err
	})
	return f, in.fileError(i, err)
}

// shapeOf returns the shape of a file. Files with equal columns share one shape.
func (in *parquetInput) shapeOf(f *footer) (*shape, error) {
	s, err := newShape(f.schema)
	if err != nil {
		return nil, err
	}
	for _, have := range in.shapes {
		if reflect.DeepEqual(have, s) {
			return have, nil
		}
	}
	s.number = len(in.shapes)
	in.shapes = append(in.shapes, s)
	return s, nil
}

// checkGroups compares the row groups with the schema: their columns, types, and row counts.
func (f *file) checkGroups() error {
	for i := range f.groups {
		g := &f.groups[i]
		if len(g.chunks) != len(f.shape.leaves) {
			return damaged("row group %d has %d columns, and the schema %d", i, len(g.chunks), len(f.shape.leaves))
		}
		for k := range g.chunks {
			l, c := &f.shape.leaves[k], &g.chunks[k]
			switch {
			case l.physical != c.physical:
				return inGroup(damaged("is of the type %s, and the schema says %s", c.physical, l.physical), i,
					schema.Quote(l.name))
			case len(l.lists) == 0 && c.values != g.rows, c.values < g.rows:
				return inGroup(input.Damaged("PARQUET_ROWS", "claims %d values for %d rows", c.values, g.rows), i,
					schema.Quote(l.name))
			}
		}
	}
	return nil
}

// guard calls do, and returns a panic as an error. A panic is never damage of the file.
func guard(do func() error) (err error) {
	defer bug.Recover(&err)
	return do()
}

// fileError adds the path of the i-th file to err.
func (in *parquetInput) fileError(i int, err error) error { return input.InFile(in.Path(i), "", err) }

// Address returns the name of the i-th file and its number of rows.
func (in *parquetInput) Address(i int) order.File {
	return order.File{Name: in.Listing().Files[i].Name, Size: in.files[i].rows}
}

// request adds a column to the bound columns. The caller has locked in.mu.
func (in *parquetInput) request(name string) {
	if in.requested == nil {
		in.requested = map[string]bool{}
	}
	in.requested[name] = true
}

// requestedLeaves returns the leaves to read in files of a shape, in ascending order. Before Bind
// these are all leaves. If no bound column exists in the shape, it is the first leaf, whose rows
// are counted.
func (in *parquetInput) requestedLeaves(s *shape) []int {
	in.mu.Lock()
	defer in.mu.Unlock()
	var list []int
	for name := range in.requested {
		if k, ok := s.byName[name]; ok {
			list = append(list, k)
		}
	}
	if !in.bound {
		for k := range s.leaves {
			list = append(list, k)
		}
	}
	if len(list) == 0 && len(s.leaves) > 0 {
		list = append(list, 0)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
