package spill

import (
	"bytes"
	"context"
	"slices"

	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/strata"
)

// GroupSome returns the groups of some rows, one row for each window within the limits, in output order.
// It decides their splits as if there were no other rows. It ignores rows that have no group, and rejects
// the rows of groups that are too large. It releases the data of the rows.
func GroupSome(set *rows.Set, log *rejects.Log, list []rows.Row) ([]rows.Row, error) {
	set.ForgetPending()
	w, err := (&Grouper{Set: set, Log: log}).newWorker(nil, pendingWriters{}, false)
	if err != nil {
		return nil, err
	}
	s := someGroups{set: set}
	w.emit = s.add
	reader := &worker{s: &Scan{Set: set}, chooser: set.NewChooser()}
	defer reader.close()
	for i := range list {
		r := list[i]
		r.Split, _, err = reader.chooser.Choose(&r)
		switch {
		case rows.IsInvalid(err), err == nil && r.Split == rows.Skipped:
			continue
		case err != nil:
			return nil, err
		}
		data := reader.groupedData(&r)
		header := r
		header.Data = data
		at := len(w.buf)
		w.buf = w.entries.appendHeader(w.buf, reader.chooser.Grouping().Hash, &header, &rows.Pending{}, 0)
		w.buf = append(w.buf, data...)
		w.add(at)
		list[i].Data = nil // the entry has it
	}
	w.sort()
	if err := w.groupRows(context.Background()); err != nil {
		return nil, err
	}
	if set.Strata != nil {
		if err := set.Strata.Decide(strata.Memories{w.pending.counted}); err != nil {
			return nil, err
		}
	}
	return s.windows(), nil
}

// someGroups are the groups of some rows.
type someGroups struct {
	set  *rows.Set
	list []someGroup
}

type someGroup struct {
	turn    rows.Turn
	row     rows.Row
	pending rows.Pending
}

// add adds a group.
func (s *someGroups) add(key uint64, r *rows.Row, of *rows.Pending) error {
	g := someGroup{rows.NewTurn(key, r), *r, rows.Pending{Stratum: of.Stratum, Values: slices.Clone(of.Values)}}
	g.row.Data = bytes.Clone(r.Data)
	s.list = append(s.list, g)
	return nil
}

// windows returns a row for each window within the limits, in output order.
func (s *someGroups) windows() (list []rows.Row) {
	slices.SortStableFunc(s.list, func(a, b someGroup) int { return a.turn.Compare(b.turn) })
	limits, taken := s.set.NewSplitLimits(), map[rows.Limited]int64{}
	for i := range s.list {
		g := &s.list[i]
		if g.pending.Stratum.Number > 0 {
			g.row.Split = s.set.Strata.Split(g.pending.Stratum)
		}
		limit := limits.Of(g.row.Split, &g.pending)
		for n := 1; n <= rows.Group(g.row.Data).Windows(); n++ {
			if limit.Rows > 0 && taken[limit] == limit.Rows {
				break
			}
			taken[limit]++
			g.row.Window = n
			list = append(list, g.row)
		}
	}
	return list
}
