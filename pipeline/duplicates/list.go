// Package duplicates writes the list of the rows that a rule such as `dedupe` skips: each is a line of JSON, with
// the row that stays.
//
//	decide.Skips, rejects ─Lost─► how many rows stay nowhere ─Write─► the list
package duplicates

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"tfr-build/pipeline/decide"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
)

// An Entry is a line of the list: a skipped row, and the row that stays. Lines are in source order.
type Entry struct {
	Row
	Stays *Row   `json:"stays,omitempty"`
	Base  string `json:"base,omitempty"` // the version that has the row that stays; then Stays is nil
	Lost  bool   `json:"lost,omitempty"` // the row that stays was rejected
}

// A Row is the position of a row.
type Row struct {
	rows.Origin
	Offset int64  `json:"offset"` // in the decompressed file
	ID     string `json:"id"`     // row ID, 16 hex digits
}

// IsFile reports whether head is the beginning of a list of duplicates, judging by as much of the
// first line as head has.
func IsFile(head []byte) bool {
	return rows.BeginsList(head, func(e *Entry) bool {
		return e.File != "" && (e.Base != "" || e.Stays != nil && e.Stays.File != "")
	})
}

// A List has the duplicates of a build whose rejected rows are known.
type List struct {
	set      *rows.Set
	rejected []uint64 // positions of the rejected rows, sorted
}

// New returns the list of a set. rejected are the rejected rows.
func New(set *rows.Set, rejected *rejects.List) *List {
	l := &List{set: set}
	for r := range rejected.All() {
		l.rejected = append(l.rejected, set.Sequence.Position(r.File, r.Offset))
	}
	slices.Sort(l.rejected)
	return l
}

// isLost reports whether the row at a position was rejected.
func (l *List) isLost(stays uint64) bool {
	_, found := slices.BinarySearch(l.rejected, stays)
	return found
}

// Lost returns how many rows each rule skips for an equal row that was rejected.
func (l *List) Lost() ([]int64, error) {
	lost := make([]int64, len(l.set.Rules))
	for i, rule := range l.set.Rules {
		if len(l.rejected) == 0 || !rule.KeepsFirst {
			continue
		}
		err := l.set.Skips().Lists[i].Each(func(_, stays uint64) error {
			if l.isLost(stays) {
				lost[i]++
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return lost, nil
}

// Write writes the list of the rows that a rule skips.
func (l *List) Write(ctx context.Context, w io.Writer, rule int) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	return l.set.Skips().Lists[rule].Each(func(skipped, stays uint64) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if stays == decide.Known {
			return out.Encode(&Entry{Row: l.row(skipped), Base: l.set.KeptVersion()})
		}
		row := l.row(stays)
		return out.Encode(&Entry{Row: l.row(skipped), Stays: &row, Lost: l.isLost(stays)})
	})
}

// row returns the row at a position.
func (l *List) row(position uint64) Row {
	file, offset := l.set.Sequence.Locate(position)
	return Row{Origin: l.set.Origin(file), Offset: offset, ID: fmt.Sprintf("%016x", l.set.Space.Address(file, offset))}
}
