package input

import (
	"errors"
	"slices"
	"strings"

	"tfr-build/internal/plural"
)

// maxFits is how many errors are reported at once.
const maxFits = 20

// Mismatches collects schema mismatches so that they are reported together. The zero Fits is empty.
type Mismatches struct {
	list []*MismatchError
	more int // number of errors that are not in list
}

// Full reports whether maxFits errors are in the list. In that case it counts another one.
func (f *Mismatches) Full() bool {
	if len(f.list) < maxFits {
		return false
	}
	f.more++
	return true
}

// Add adds an error of type *MismatchError, or all errors of a *Fits. It returns errors of other
// types.
func (f *Mismatches) Add(err error) error {
	switch e := err.(type) {
	case nil:
	case *MismatchError:
		if !f.hasColumn(e) && !f.Full() {
			f.list = append(f.list, e)
		}
	case *Mismatches:
		for _, fit := range e.list {
			_ = f.Add(fit) // a *MismatchError is always added
		}
		f.more += e.more
	default:
		return err
	}
	return nil
}

// hasColumn reports whether the list has an error of the same column. A feature and a split, for
// example, may use it.
func (f *Mismatches) hasColumn(e *MismatchError) bool {
	return e.Column != "" && slices.ContainsFunc(f.list, func(was *MismatchError) bool {
		return was.Column == e.Column && was.Path == e.Path && was.Code == e.Code
	})
}

// Any reports whether an error was added.
func (f *Mismatches) Any() bool { return len(f.list) > 0 }

// Err returns nil without errors, the only error, or f.
func (f *Mismatches) Err() error {
	switch len(f.list) {
	case 0:
		return nil
	case 1:
		return f.list[0]
	}
	return f
}

// Each calls visit for each error in the list.
func (f *Mismatches) Each(visit func(*MismatchError)) {
	for _, e := range f.list {
		visit(e)
	}
}

// Error returns one line per error.
func (f *Mismatches) Error() string {
	var lines []string
	for _, err := range f.Unwrap() {
		lines = append(lines, err.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors in the list, and one with the number of further errors.
func (f *Mismatches) Unwrap() []error {
	var list []error
	for _, e := range f.list {
		list = append(list, e)
	}
	if f.more > 0 {
		list = append(list, errors.New("and "+plural.Of(f.more, "other error")+" of this kind"))
	}
	return list
}

// ColumnsOf returns the missing columns if err only says that columns of features are missing and that the
// inputs have other columns. Else it returns nil.
func ColumnsOf(err error) []string {
	var fits Mismatches
	if err == nil || fits.Add(err) != nil || fits.more > 0 {
		return nil
	}
	var columns []string
	for _, e := range fits.list {
		if e.Feature == "" || e.Code != MissingColumn || e.All {
			return nil
		}
		columns = append(columns, e.Column)
	}
	return columns
}
