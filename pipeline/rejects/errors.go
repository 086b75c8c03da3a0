package rejects

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A RowsError says that rows are invalid and names the first of them, or that a source has no
// rows.
type RowsError struct {
	input.Position
	Text    string
	Hint    string // a config line that fixes it; may be empty
	Code    string
	Column  string
	Feature string
	Damage  bool  // the file is damaged at this row
	Rows    int64 // rows with this error; 0 if there is one, or if they were not counted
}

// ErrDamage matches the error of a row whose file is damaged; use errors.Is.
var ErrDamage = errors.New("the file is damaged")

// Is reports whether target is ErrDamage and the file is damaged.
func (e *RowsError) Is(target error) bool { return e.Damage && target == ErrDamage }

func (e *RowsError) Error() string {
	bad := schema.RowError{Code: e.Code, Column: e.Column, Feature: e.Feature, Message: e.Text}
	return e.Position.String() + ": " + bad.Error()
}

// NewRowsError returns the error of an invalid row.
func NewRowsError(at input.Position, bad *schema.RowError) *RowsError {
	return &RowsError{
		Position: at,
		Text:     bad.Message, Hint: bad.Hint, Code: bad.Code, Column: bad.Column, Feature: bad.Feature,
		Damage: bad.Damage,
	}
}

// A FewError says that few rows made the build fail, and that the config can quarantine them.
type FewError struct{ Rows, Of int64 }

// Few returns a FewError if at most one in a hundred of all rows made the build fail; otherwise
// nil: then the config is probably wrong, not the rows.
func Few(rows, all int64) error {
	if rows == 0 || rows > all/100 {
		return nil
	}
	return &FewError{rows, all}
}

func (e *FewError) Error() string {
	return fmt.Sprintf("%d of %s cannot be used", e.Rows, plural.Of(e.Of, "row"))
}

// Hint returns the config keys that build the dataset without these rows.
func (e *FewError) Hint() string {
	return fmt.Sprintf("on_error: quarantine and max_errors: %d set them aside and build the rest", e.Rows)
}

// A TooManyError says that more rows are invalid than max_errors allows.
type TooManyError struct {
	Text   string
	Counts map[string]int64 // number of invalid rows by code
	File   string           // the file with the first of them; empty if it is not written
	Every  bool             // no valid row is left, which no budget allows
}

func (e *TooManyError) Error() string { return e.Text + " [MAX_ERRORS]" }

// TooMany returns the error of a build with more rejects than its budget. counts has the rejects
// by code. least says that there may be more.
func (l *Log) TooMany(counts map[string]int64, least bool) *TooManyError {
	text, allows := "", "none"
	if least {
		text = "at least "
	}
	if n := l.Budget(); n > 0 {
		allows = strconv.FormatInt(n, 10)
	}
	text += fmt.Sprintf("%s cannot be used, where max_errors allows %s: %s", plural.Of(Total(counts), "row"), allows,
		ByCode(counts))
	return &TooManyError{Text: text, Counts: counts}
}

// AllRejectedError returns the error of a build that rejects every row; counts has the rejects by code. No
// budget allows an empty dataset.
func AllRejectedError(counts map[string]int64) *TooManyError {
	text := fmt.Sprintf("%s cannot be used, and no other row is left: %s", plural.Of(Total(counts), "row"),
		ByCode(counts))
	return &TooManyError{Text: text, Counts: counts, Every: true}
}

// ByCode returns counts as text, sorted by code: `CSV_RAGGED 2, INT_SYNTAX 1`.
func ByCode(counts map[string]int64) string {
	var list []string
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s %d", code, counts[code]))
	}
	return strings.Join(list, ", ")
}

// Rejected has the first rejected row, and the number of rejected rows by code.
type Rejected struct {
	First  *RowsError
	Counts map[string]int64
	File   string // the file of rejects; empty if it is not written
}

// Text returns a sentence: `3 rows rejected: CSV_RAGGED 2, INT_SYNTAX 1`.
func (r *Rejected) Text() string {
	return plural.Of(Total(r.Counts), "row") + " rejected: " + ByCode(r.Counts)
}
