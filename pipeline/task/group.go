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
	culprit := win.Row(bad.Row)
	b.Shard.countInvalid(bad.Code())
	last := win.Number + w.work.Plan.Splits[b.Shard.split].Rows - 1 - rank // the last window that is written
	later, err := w.laterRow(&win, last)
	if err != nil {
		return err
	}
	reject := func(i int) error {
		row := win.Row(i)
		return log.Add(row.Locator(), w.encoder.CheckRow(&win, i), w.encoder.EachError, b.Shard.reject)
	}
	from, to := win.Own()
	if bad.Row < from && set.ReadsStep() && !log.Tolerant() { // the row may be valid in its first record
		return reject(bad.Row)
	}
	for i := from; i < to; i++ {
		isValid, err := w.encoder.IsValidRow(&win, i)
		switch {
		case err != nil:
			return err
		case later <= i && (isValid || log.Tolerant()):
			row := win.Row(i)
			src, _ := set.File(row.File)
			w.written[src.Number]++
		case !isValid:
			err = reject(i)
		case log.Tolerant():
			row := win.Row(i)
			err = log.AddOne(row.Locator(), rows.NewGroupRowError(culprit.Locator()), b.Shard.reject)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// laterRow returns the first row of a window that is in a valid window after it, up to the window last. All rows
// after that row are, too, since later windows end later. Without such a row, it returns the end of the window.
func (w *Worker) laterRow(win *rows.Window, last int) (int, error) {
	for number := win.Number + 1; number < min(win.Windows(), last+1); number++ {
		later := win.Later(number)
		if later.From >= win.To {
			break
		}
		if ok, err := w.encoder.IsValidWindow(&later); ok || err != nil {
			return later.From, err
		}
	}
	return win.To, nil
}
