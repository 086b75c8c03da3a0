package csv

import (
	"fmt"
	"strconv"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A header finds cells by column name. A cell whose name is empty or duplicate is found by its
// position: "@0" is the first cell. A column name takes precedence over a position.
type header struct {
	names  []string
	first  map[string]int // name → its first cell
	second map[string]int // duplicate name → its second cell
}

func newHeader(names []string) *header {
	h := &header{names, make(map[string]int, len(names)), map[string]int{}}
	for i, n := range names {
		if _, there := h.first[n]; !there {
			h.first[n] = i
		} else if h.second[n] == 0 {
			h.second[n] = i
		}
	}
	return h
}

// isNamed reports whether the name of a cell identifies it.
func (h *header) isNamed(cell int) bool {
	n := h.names[cell]
	return n != "" && h.second[n] == 0
}

// cellName returns the name that identifies a cell: its column name, or else its position.
func (h *header) cellName(cell int) string {
	if h.isNamed(cell) {
		return h.names[cell]
	}
	return positionName(cell)
}

func positionName(cell int) string { return "@" + strconv.Itoa(cell) }

// positionNames returns the names of the cells that are found by position.
func (h *header) positionNames() (list []string) {
	for i := range h.names {
		if name := h.cellName(i); !h.isNamed(i) && h.lacks(name) {
			list = append(list, name)
		}
	}
	return list
}

func (h *header) lacks(name string) bool {
	_, there := h.first[name]
	return !there
}

// findCell returns the cell of a column. The error does not have a path and position yet.
func (h *header) findCell(name string) (cell int, mismatch *input.MismatchError) {
	quoted := schema.Quote(name)
	if h.lacks(name) {
		if cell, ok := h.cellAtPosition(name); ok {
			return cell, nil
		}
		return 0, &input.MismatchError{Code: input.MissingColumn, Column: name, Text: "no column " + quoted}
	}
	cell = h.first[name]
	again := h.second[name]
	if again == 0 {
		return cell, nil
	}
	mismatch = &input.MismatchError{
		Code: "CSV_DUP_HEADER", Text: fmt.Sprintf("duplicate column %s in the header, as cell %d and %d",
			quoted, cell+1, again+1),
	}
	if one, two := positionName(cell), positionName(again); h.lacks(one) && h.lacks(two) {
		mismatch.Hint = fmt.Sprintf("from: %q takes cell %d, %q cell %d", one, cell+1, two, again+1)
	}
	return 0, mismatch
}

// cellAtPosition returns the cell whose position name is the given name.
func (h *header) cellAtPosition(name string) (cell int, ok bool) {
	if len(name) < 2 || name[0] != '@' {
		return 0, false
	}
	cell, err := strconv.Atoi(name[1:])
	ok = err == nil && cell >= 0 && cell < len(h.names) && name == positionName(cell) && !h.isNamed(cell)
	return cell, ok
}

// listNames returns all names that a column may have, position names last.
func (h *header) listNames() (list []string) {
	for i, n := range h.names {
		if n != "" && h.first[n] == i {
			list = append(list, n)
		}
	}
	return append(list, h.positionNames()...)
}
