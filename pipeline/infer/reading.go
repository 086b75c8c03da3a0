package infer

import (
	"fmt"
	"strconv"

	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// A reading is the row that is read, with what its values need. One goroutine must use it.
type reading struct {
	source  int           // its number, from 1
	path    string        // of the file
	record  *input.Record // nil for a row of a stretch
	offset  int64
	raw     []byte
	asBytes bool   // strings are bytes, which may be text
	seen    string // position, in place of the row's

	cells    []*sources.CellScanner // for the values of objects, by depth
	lists    *sources.CellScanner   // for lists in strings
	areLists bool                   // a value may be repeated in other rows: each is a list
}

// where returns the position of the row.
func (t *reading) where() string {
	switch r := t.record; {
	case t.seen != "":
		return t.seen
	case r == nil:
		return fmt.Sprintf("%s, byte %d", base(t.path), t.offset)
	case r.Binary:
		at := r.Position(base(t.path), &schema.RowError{At: -1})
		return at.String()
	case t.areLists || r.Line == 0: // a document
		return base(t.path)
	default:
		return base(t.path) + ":" + strconv.FormatInt(r.Line, 10)
	}
}

// isQuoted reports whether a cell is in quotes.
func (t *reading) isQuoted(v *schema.Value) bool {
	return int(v.At) < len(t.raw) && t.raw[v.At] == '"'
}
