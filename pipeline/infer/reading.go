package infer

import (
	"fmt"

	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// A reading is the row that is read, with what its values need. One goroutine must use it.
type reading struct {
	path   string        // of the file
	record *input.Record // nil for a row of a stretch
	offset int64
	raw    []byte
	inside uint32 // offset of the value in the row
	seen   string // position, in place of the row's

	cells    []*sources.CellScanner // for the values of objects, by depth
	lists    *sources.CellScanner   // for lists in strings
	repeated map[string]bool        // paths of values that become lists; nil for none
	keys     []string               // of the objects around the current value, if there are such paths
}

// where returns the position of the value.
func (t *reading) where() string {
	switch {
	case t.seen != "":
		return t.seen
	case t.record == nil:
		return fmt.Sprintf("%s, byte %d", base(t.path), t.offset)
	}
	at := t.record.Position(base(t.path), &schema.RowError{At: int(t.inside)})
	if !t.record.Binary && t.inside == 0 && t.record.Line <= 1 {
		return at.Path
	}
	return at.String()
}

// isQuoted reports whether a cell is in quotes.
func (t *reading) isQuoted(v *schema.Value) bool {
	return int(v.At) < len(t.raw) && t.raw[v.At] == '"'
}
