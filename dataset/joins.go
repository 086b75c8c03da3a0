package dataset

import (
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/plural"
)

// A Join says which rows of a source, and of a lookup table, have no match. Rows that rules of the config
// skip, or that are invalid before the join, are not looked up.
type Join struct {
	Source   int    `json:"source"`             // index of the source
	Join     int    `json:"join"`               // index of the join in the source
	At       string `json:"at"`                 // its key in the config
	Table    string `json:"table"`              // file or pattern, without directories
	Elements bool   `json:"elements,omitempty"` // the rows below are elements of lists, which are joined separately

	NotJoined        int64  `json:"not_joined,omitempty"` // rows of the source that are not looked up
	Rows             int64  `json:"rows"`
	Unmatched        int64  `json:"unmatched"`                   // rows without a match
	UnmatchedExample string `json:"unmatched_example,omitempty"` // the columns and values of the first of them

	TableRows int64 `json:"table_rows"`
	// rows of the table that the where of the join skips; TableRows has the others
	TableSkipped  int64  `json:"table_skipped,omitempty"`
	Unused        int64  `json:"unused"`                   // rows of the table that match no row
	UnusedExample string `json:"unused_example,omitempty"` // the columns and values of one of them
}

// Text says how many rows have no match. It is empty if all have one. all says that each row of the sources is looked
// up.
// Otherwise nothing is known of the rows of the table.
func (j *Join) Text(all bool) string {
	unit := "row"
	if j.Elements {
		unit = "element"
	}
	var texts []string
	if j.Unmatched > 0 {
		texts = append(texts, fmt.Sprintf("%d of %s without a match%s", j.Unmatched, plural.Of(j.Rows, unit),
			suchAs(j.UnmatchedExample)))
	}
	if j.TableSkipped > 0 {
		texts = append(texts, fmt.Sprintf("%d of %s of the table skipped by its where", j.TableSkipped,
			plural.Of(j.TableSkipped+j.TableRows, "row")))
	}
	if j.Unused > 0 && all {
		texts = append(texts, fmt.Sprintf("%d of %s of the table without a match%s", j.Unused,
			plural.Of(j.TableRows, "row"), suchAs(j.UnusedExample)))
	}
	if texts == nil {
		return ""
	}
	if j.NotJoined > 0 {
		texts = append(texts, j.NotJoinedText())
	}
	return fmt.Sprintf("%s (%s): %s", j.At, j.Table, strings.Join(texts, "; "))
}

// NotJoinedText says how many rows of the source are not looked up.
func (j *Join) NotJoinedText() string { return plural.Of(j.NotJoined, "row") + " not looked up" }

// AllJoined reports whether each row of the sources is looked up, unless a rule of the config skips it.
func AllJoined(joins []Join) bool {
	return !slices.ContainsFunc(joins, func(j Join) bool { return j.NotJoined > 0 })
}

// suchAs returns the end of a sentence with an example.
func suchAs(text string) string {
	if text == "" {
		return ""
	}
	return ", such as " + text
}
