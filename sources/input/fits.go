package input

import (
	"errors"
	"slices"
	"strings"

	"tfr-build/internal/plural"
)

// maxFits is how many errors are reported at once.
const maxFits = 20

// Fits collects schema mismatches so that they are reported together. The zero Fits is empty.
type Fits struct {
	list []*FitError
	more int // number of errors that are not in list
}

// Full reports whether maxFits errors are in the list. In that case it counts another one.
func (f *Fits) Full() bool {
	if len(f.list) < maxFits {
		return false
	}
	f.more++
	return true
}

// Add adds an error of type *FitError, or all errors of a *Fits. It returns errors of other
// types.
func (f *Fits) Add(err error) error {
	switch e := err.(type) {
	case nil:
	case *FitError:
		if !f.hasColumn(e) && !f.Full() {
			f.list = append(f.list, e)
		}
	case *Fits:
		for _, fit := range e.list {
			_ = f.Add(fit) // a *FitError is always added
		}
		f.more += e.more
	default:
		return err
	}
	return nil
}

// hasColumn reports whether the list has an error of the same column. A feature and a split, for
// example, may use it.
func (f *Fits) hasColumn(e *FitError) bool {
	return e.Column != "" && slices.ContainsFunc(f.list, func(was *FitError) bool {
		return was.Column == e.Column && was.Path == e.Path && was.Code == e.Code
	})
}

// Any reports whether an error was added.
func (f *Fits) Any() bool { return len(f.list) > 0 }

// Err returns nil without errors, the only error, or f.
func (f *Fits) Err() error {
	switch len(f.list) {
	case 0:
		return nil
	case 1:
		return f.list[0]
	}
	return f
}

// Each calls visit for each error in the list.
func (f *Fits) Each(visit func(*FitError)) {
	for _, e := range f.list {
		visit(e)
	}
}

// Error returns one line per error.
func (f *Fits) Error() string {
	var lines []string
	for _, err := range f.Unwrap() {
		lines = append(lines, err.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors in the list, and one with the number of further errors.
func (f *Fits) Unwrap() []error {
	var list []error
	for _, e := range f.list {
		list = append(list, e)
	}
	if f.more > 0 {
		list = append(list, errors.New("and "+plural.Of(f.more, "other fault")+" of this kind"))
	}
	return list
}

// ColumnsOf returns the missing columns if err only says that columns of features are missing and that the
// inputs have other columns. Else it returns nil.
func ColumnsOf(err error) []string {
	var fits Fits
	if err == nil || fits.Add(err) != nil || fits.more > 0 {
		return nil
	}
	var columns []string
	for _, e := range fits.list {
		if e.Feature == "" || e.Code != MissingColumn || e.Whole {
			return nil
		}
		columns = append(columns, e.Column)
	}
	return columns
}
