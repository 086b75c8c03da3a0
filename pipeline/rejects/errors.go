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

// A RowsError says that rows cannot be used: the first of them, or a source
// that has none.
type RowsError struct {
	input.Position
	Text    string
	Hint    string // a config line that helps; may be empty
	Code    string
	Column  string
	Feature string
	Damage  bool  // the file is damaged there
	Rows    int64 // with this fault, of which it is the first; 0 for one, or where nobody counted
}

// ErrDamage is what the error of a row is where its file is damaged.
var ErrDamage = errors.New("the file is damaged")

// Is reports whether target is ErrDamage and the file is damaged.
func (e *RowsError) Is(target error) bool { return e.Damage && target == ErrDamage }

func (e *RowsError) Error() string {
	bad := schema.RowError{Code: e.Code, Column: e.Column, Feature: e.Feature, Message: e.Text}
	return e.Position.String() + ": " + bad.Error()
}

// NewRowsError is the error of a bad row.
func NewRowsError(at input.Position, bad *schema.RowError) *RowsError {
	return &RowsError{
		Position: at,
		Text:     bad.Message, Hint: bad.Hint, Code: bad.Code, Column: bad.Column, Feature: bad.Feature, Damage: bad.Damage,
	}
}

// A FewError says how few rows ended a run, which the config can leave out.
type FewError struct{ Rows, Of int64 }

// Few returns the error of a run that so many rows of all ended; nil if they are more
// than one in a hundred: then the config is wrong rather than the rows.
func Few(rows, all int64) error {
	if rows == 0 || rows > all/100 {
		return nil
	}
	return &FewError{rows, all}
}

func (e *FewError) Error() string {
	return fmt.Sprintf("%d of %s cannot be used", e.Rows, plural.Of(e.Of, "row"))
}

// Hint is what the config can say to build the dataset without them.
func (e *FewError) Hint() string {
	return fmt.Sprintf("on_error: quarantine and max_errors: %d set them aside and build the rest", e.Rows)
}

// A TooManyError says that more rows cannot be used than the config allows.
type TooManyError struct {
	Text   string
	Counts map[string]int64 // of these rows, by code
	File   string           // where the first of them are; empty where they were not kept
	Every  bool             // no other row is left: no budget allows that
}

func (e *TooManyError) Error() string { return e.Text + " [MAX_ERRORS]" }

// TooMany is the error of a run that met more rejects than its budget, which are
// counts. least says that there may be others.
func (l *Log) TooMany(counts map[string]int64, least bool) *TooManyError {
	text, allows := "", "none"
	if least {
		text = "at least "
	}
	if n := l.Budget(); n > 0 {
		allows = strconv.FormatInt(n, 10)
	}
	text += fmt.Sprintf("%s cannot be used, where max_errors allows %s: %s", plural.Of(Total(counts), "row"), allows, ByCode(counts))
	return &TooManyError{Text: text, Counts: counts}
}

// NoneLeft is the error of a run that rejects every row, which are counts: without one the
// dataset is not worth a budget.
func NoneLeft(counts map[string]int64) *TooManyError {
	text := fmt.Sprintf("%s cannot be used, and no other row is left: %s", plural.Of(Total(counts), "row"), ByCode(counts))
	return &TooManyError{Text: text, Counts: counts, Every: true}
}

// ByCode lists counts: `CSV_RAGGED 2, INT_SYNTAX 1`.
func ByCode(counts map[string]int64) string {
	var list []string
	for _, code := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s %d", code, counts[code]))
	}
	return strings.Join(list, ", ")
}

// Rejected is what is told of rows that were left out: the first of them, and
// their number by code.
type Rejected struct {
	First  *RowsError
	Counts map[string]int64
	File   string // where they are; empty where they were not kept
}

// Text says it in a sentence: `3 rows left out: CSV_RAGGED 2, INT_SYNTAX 1`.
func (r *Rejected) Text() string {
	return plural.Of(Total(r.Counts), "row") + " left out: " + ByCode(r.Counts)
}
