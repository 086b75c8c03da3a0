package task

import (
	"errors"

	"tfr-build/pipeline/rows"
)

// rejectRecord rejects a record with an invalid row. It decides what becomes of the rows that are in
// this record first: they are written if a later record of the group has them and is valid. Each row
// is counted here and nowhere else, also if another worker writes the later record.
func (w *Worker) rejectRecord(b *Block, r *rows.Row, rank int, err error) error {
	bad, ok := errors.AsType[*rows.RecordError](err)
	if !ok {
		return err
	}
	set, log := w.work.Set, w.work.Log
	win := set.Window(r)
	culprit := set.GroupRow(win.Group, bad.Row, win.Split)
	b.Shard.countInvalid(bad.Code())
	last := win.Number + w.work.Plan.Splits[b.Shard.split].Rows - 1 - rank // the last window that is written
	later, err := w.laterRows(&win, last)
	if err != nil {
		return err
	}
	from, to := set.Own(&win)
	for i := from; i < to; i++ {
		row := set.GroupRow(win.Group, i, win.Split)
		isValid, err := w.encoder.IsValidRow(&win, i)
		switch {
		case err != nil:
			return err
		case !isValid:
			err = log.Add(row.Place(), w.encoder.CheckRow(&win, i), w.encoder.EachError, b.Shard.reject)
		case later.from <= i && i < later.to:
			src, _ := set.File(row.File)
			w.written[src.Number]++
		case log.Tolerant():
			err = log.AddOne(row.Place(), rows.NewGroupRowError(culprit.Place()), b.Shard.reject)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A rowRange is a range of rows of a group.
type rowRange struct{ from, to int }

// laterRows returns the rows of a window that are in valid windows after it, up to the window last.
// The last of these windows has the rows at the end of the window, so they are a range.
func (w *Worker) laterRows(win *rows.Window, last int) (rowRange, error) {
	var found rowRange
	checked, valid := win.From, win.From // the rows from valid up to checked are valid
	for number := win.Number + 1; number < min(win.Windows(), last+1); number++ {
		from, to := w.work.Set.WindowRows(number, win.Rows())
		if from >= win.To {
			break
		}
		for ; checked < to; checked++ {
			ok, err := w.encoder.IsValidRow(win, checked)
			if err != nil {
				return found, err
			}
			if !ok {
				valid = checked + 1
			}
		}
		if valid <= from && found.to == 0 {
			found = rowRange{from, min(to, win.To)}
		}
	}
	return found, nil
}
