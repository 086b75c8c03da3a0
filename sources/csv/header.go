package csv

import (
	"fmt"
	"strconv"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A header finds the cells of a file by their columns' names. One whose name is
// empty or doubled is found by its place: "@0" is the first cell. A name that a
// header has goes before a place.
type header struct {
	names []string
	first map[string]int // the first cell of each name
	again map[string]int // the second, of doubled ones
}

func newHeader(names []string) *header {
	h := &header{names, make(map[string]int, len(names)), map[string]int{}}
	for i, n := range names {
		if _, there := h.first[n]; !there {
			h.first[n] = i
		} else if h.again[n] == 0 {
			h.again[n] = i
		}
	}
	return h
}

// isNamed reports whether a cell can be told by its name.
func (h *header) isNamed(cell int) bool {
	n := h.names[cell]
	return n != "" && h.again[n] == 0
}

// name is what a cell can be found by.
func (h *header) name(cell int) string {
	if h.isNamed(cell) {
		return h.names[cell]
	}
	return placeOf(cell)
}

func placeOf(cell int) string { return "@" + strconv.Itoa(cell) }

// places are the names of the cells that are found by their place.
func (h *header) places() (list []string) {
	for i := range h.names {
		if name := h.name(i); !h.isNamed(i) && h.lacks(name) {
			list = append(list, name)
		}
	}
	return list
}

func (h *header) lacks(name string) bool {
	_, there := h.first[name]
	return !there
}

// find is the cell of a column. The fault has no place yet.
func (h *header) find(name string) (cell int, fault *input.FitError) {
	quoted := schema.Quote(name)
	if h.lacks(name) {
		if cell, ok := h.atPlace(name); ok {
			return cell, nil
		}
		return 0, &input.FitError{Code: input.MissingColumn, Column: name, Text: "no column " + quoted}
	}
	cell = h.first[name]
	again := h.again[name]
	if again == 0 {
		return cell, nil
	}
	fault = &input.FitError{
		Code: "CSV_DUP_HEADER", Text: fmt.Sprintf("duplicate column %s in the header, as cell %d and %d", quoted, cell+1, again+1),
	}
	if one, two := placeOf(cell), placeOf(again); h.lacks(one) && h.lacks(two) {
		fault.Hint = fmt.Sprintf("from: %q takes cell %d, %q cell %d", one, cell+1, two, again+1)
	}
	return 0, fault
}

// atPlace is the cell whose place is the name.
func (h *header) atPlace(name string) (cell int, ok bool) {
	if len(name) < 2 || name[0] != '@' {
		return 0, false
	}
	cell, err := strconv.Atoi(name[1:])
	ok = err == nil && cell >= 0 && cell < len(h.names) && name == placeOf(cell) && !h.isNamed(cell)
	return cell, ok
}

// listed are all names that a column may have, those of places last.
func (h *header) listed() (list []string) {
	for i, n := range h.names {
		if n != "" && h.first[n] == i {
			list = append(list, n)
		}
	}
	return append(list, h.places()...)
}
