package plan

import (
	"fmt"
	"strings"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/sources/input"
)

// A Stratified is what `stratify` did to the rows of the sources with one `split`.
type Stratified struct {
	Path               string `json:"path"` // of `split` in the config
	dataset.Stratified        // with at most MaxShown values

	Shared   int      `json:"shared"`              // values of `by` that other sources divide on their own
	FewNames []string `json:"few_names,omitempty"` // the first of the values with few rows
}

// MaxShown is the largest number of values of a column whose rows the manifest has.
const MaxShown = 1000

// Warnings returns warnings about values with too few rows, and about groups in several sources. unit is
// what is counted.
func (s *Stratified) Warnings(unit string) (list []input.Warning) {
	if s.Few > 0 {
		text := fmt.Sprintf("%s.stratify: %s of column %q: fewer %ss than splits", s.Path, plural.Of(s.Few, "value"),
			s.Column, unit)
		if len(s.FewNames) > 0 {
			text += ": " + strings.Join(s.FewNames, ", ")
		}
		if n := s.Few - len(s.FewNames); n > 0 && len(s.FewNames) > 0 {
			text += fmt.Sprintf(" and %d more", n)
		}
		list = append(list, input.Warning{Column: s.Column, Text: text})
	}
	if s.Shared > 0 {
		text := fmt.Sprintf("%s.by: %s also in sources with another split, which can put them into other splits",
			s.Path, plural.Of(s.Shared, "value"))
		list = append(list, input.Warning{Column: s.By, Text: text})
	}
	return list
}
