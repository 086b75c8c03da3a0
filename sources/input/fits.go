package input

import (
	"errors"
	"slices"
	"strings"

	"tfr-build/internal/plural"
)

// maxFits is how many faults are told at once.
const maxFits = 20

// Fits gathers what does not fit, for all of it to be told at once. The zero Fits
// has none.
type Fits struct {
	list []*FitError
	more int // that are not in the list
}

// Full reports whether another fault would only be counted. It counts it.
func (f *Fits) Full() bool {
	if len(f.list) < maxFits {
		return false
	}
	f.more++
	return true
}

// Add takes a fault, or several that were gathered before. It gives back an error
// that is none.
func (f *Fits) Add(err error) error {
	switch e := err.(type) {
	case nil:
	case *FitError:
		if !f.told(e) && !f.Full() {
			f.list = append(f.list, e)
		}
	case *Fits:
		for _, one := range e.list {
			_ = f.Add(one) // which is a fault
		}
		f.more += e.more
	default:
		return err
	}
	return nil
}

// told reports whether the column of a fault is told to be lacking already: a
// feature and a split may ask for the same.
func (f *Fits) told(e *FitError) bool {
	return e.Column != "" && slices.ContainsFunc(f.list, func(was *FitError) bool {
		return was.Column == e.Column && was.Path == e.Path && was.Code == e.Code
	})
}

// Any reports whether there is a fault.
func (f *Fits) Any() bool { return len(f.list) > 0 }

// Err is nil without a fault, the one that there is, or all of them.
func (f *Fits) Err() error {
	switch len(f.list) {
	case 0:
		return nil
	case 1:
		return f.list[0]
	}
	return f
}

// Each calls visit for each fault.
func (f *Fits) Each(visit func(*FitError)) {
	for _, e := range f.list {
		visit(e)
	}
}

// Error has a line for each fault.
func (f *Fits) Error() string {
	var lines []string
	for _, err := range f.Unwrap() {
		lines = append(lines, err.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap lists the faults, and how many more there are.
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

// ColumnsOf returns the columns that features lack if err is made of that alone, and the
// inputs have other columns; else nil.
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
