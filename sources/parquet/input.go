package parquet

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/order"
	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

// A parquetInput is the opened files.
type parquetInput struct {
	*table.Files
	sys     *files.System
	options *Options
	limits  input.Limits
	files   []file   // beside the listing; nil before ReadHeads
	shapes  []*shape // of all files, each once, in their order

	mu     sync.Mutex
	bound  bool            // columns were bound
	wanted map[string]bool // the paths of these
	held   []heldFile      // by file, after Find
	found  [][]int         // by shape: the leaves that rows were found with
	fault  error           // the first, in the order of the files, that Find met
}

// A file is what the footer of one told.
type file struct {
	shape  *shape
	groups []group
	rows   int64
}

// ReadHeads reads the footers.
func (in *parquetInput) ReadHeads(ctx context.Context) error {
	if in.files != nil {
		return nil
	}
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
			return in.faultOf(i, err)
		}
		last = f.schema
		read[i].groups, read[i].rows = f.groups, f.rows
		if err := read[i].fits(); err != nil {
			return in.faultOf(i, err)
		}
		footers[i] = nil
	}
	in.files = read
	return nil
}

// readFooter reads the footer of a file.
func (in *parquetInput) readFooter(i int) (*footer, error) {
	listed := &in.Listing().Files[i]
	h, err := in.sys.Open(in.Path(i), listed)
	if err != nil {
		return nil, in.faultOf(i, err)
	}
	defer h.Close()
	var f *footer
	err = guard(func() (err error) {
		f, err = readFooter(h, listed.Size)
		return err
	})
	return f, in.faultOf(i, err)
}

// shapeOf is the shape of a file, one that another has where it is the same.
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

// fits holds the row groups against the schema.
func (f *file) fits() error {
	for i := range f.groups {
		g := &f.groups[i]
		if len(g.chunks) != len(f.shape.leaves) {
			return damaged("row group %d has %d columns, and the schema %d", i, len(g.chunks), len(f.shape.leaves))
		}
		for k := range g.chunks {
			l, c := &f.shape.leaves[k], &g.chunks[k]
			switch {
			case l.physical != c.physical:
				return inGroup(damaged("is of the type %s, and the schema says %s", c.physical, l.physical), i, schema.Quote(l.name))
			case len(l.lists) == 0 && c.values != g.rows, c.values < g.rows:
				return inGroup(&damage{"PARQUET_ROWS", fmt.Sprintf("claims %d values for %d rows", c.values, g.rows)}, i, schema.Quote(l.name))
			}
		}
	}
	return nil
}

// guard calls do. What it panics with is an error: of bytes that nobody thought of.
func guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = damaged("the file cannot be read: %v", p)
		}
	}()
	return do()
}

// faultOf is err as that of a file.
func (in *parquetInput) faultOf(i int, err error) error {
	if err == nil {
		return nil
	}
	if bad, ok := errors.AsType[*misfit](err); ok {
		return &input.FitError{Path: in.Path(i), Text: bad.text, Code: bad.code}
	}
	if _, known := errors.AsType[*input.Error](err); known {
		return err
	}
	return &input.Error{Path: in.Path(i), Err: err}
}

// Address is the file's name, and how many rows it has.
func (in *parquetInput) Address(i int) order.File {
	return order.File{Name: in.Listing().Files[i].Name, Size: in.files[i].rows}
}

// want notes a column that is bound.
func (in *parquetInput) want(name string) {
	if in.wanted == nil {
		in.wanted = map[string]bool{}
	}
	in.wanted[name] = true
}

// leavesOf are the leaves of files of a shape that are wanted, in their order: all before columns
// are bound, and one where none is, for its rows to be counted.
func (in *parquetInput) leavesOf(s *shape) []int {
	in.mu.Lock()
	defer in.mu.Unlock()
	var list []int
	for name := range in.wanted {
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
