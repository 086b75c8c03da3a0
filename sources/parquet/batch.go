package parquet

import (
	"bytes"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/sources/input"
)

// This file decodes the values of a page, one batch at a time.

// beginPage begins a page of n values.
func (d *decoder) beginPage(e format.Encoding, reps, defs, data []byte, n int) error {
	d.repeats, d.levels = newLevels(reps, d.max.rep), newLevels(defs, d.max.def)
	d.todo, d.atPageStart, d.inBlob = n, true, d.isInBlob(e) || e == format.DeltaByteArray
	d.pageValues = valueDecoder{encoding: e, data: data}
	return nil
}

// decodeBatch decodes the next n levels of the current page, and the values that are not null.
func (d *decoder) decodeBatch(n int) error {
	level, value := len(d.reps), d.values.count()
	present, err := d.decodeLevels(n)
	if err != nil {
		return err
	}
	if err := d.pageValues.decode(&d.values, present); err != nil {
		return err
	}
	if d.truncates {
		d.truncateRows(level, value)
	}
	d.trimBlob(value)
	return nil
}

// decodeLevels decodes the next n levels, and returns the number of values that are not null. The
// first batch of a page also counts all values of the page.
func (d *decoder) decodeLevels(n int) (present int, err error) {
	if d.max.rep > 0 {
		if d.reps, err = d.repeats.appendLevels(d.reps, n, d.max.rep); err != nil {
			return 0, err
		}
		if err := d.checkFirst(); err != nil {
			return 0, err
		}
	}
	// A copy of the reader, from which all levels of the page can be counted below.
	levels, present := d.levels, n
	if d.max.def > 0 {
		from := len(d.defs)
		if d.defs, err = d.levels.appendLevels(d.defs, n, d.max.def); err != nil {
			return 0, err
		}
		present = bytes.Count(d.defs[from:], []byte{d.max.def})
	}
	all := present
	if d.atPageStart && n < d.todo {
		if all, err = levels.countLevels(d.todo, d.max.def); err != nil {
			return 0, err
		}
	}
	if d.atPageStart {
		d.pageValues, err = d.newValueDecoder(d.pageValues.encoding, d.pageValues.data, all, d.physical, d.dict)
	}
	d.atPageStart, d.todo = false, d.todo-n
	return present, err
}

// checkFirst rejects levels that begin in the middle of a row.
func (d *decoder) checkFirst() error {
	if len(d.reps) > 0 && d.reps[0] != 0 {
		return damaged("the first row begins in the middle of a list")
	}
	return nil
}

// trimBlob removes bytes at the end of the blob that belong to no value, unless the current page
// is decoded from there. The values from index from on are new.
func (d *decoder) trimBlob(from int) {
	if d.width > 0 {
		return
	}
	if n := d.values.count(); n > from {
		if last := d.views[n-1]; last.at != unread && int64(last.at) >= int64(d.kept) {
			d.used = int(last.at) + int(last.size)
		}
	}
	if !d.inBlob {
		d.blob = d.blob[:max(d.kept, d.used)]
	}
}

// truncateRows shortens rows that exceed the limit. In the levels and values from the given
// indexes on, it removes those that follow the level that makes a row too long.
func (d *decoder) truncateRows(level, value int) {
	toLevel, toValue := level, value
	for i := level; i < len(d.reps); i++ {
		if d.reps[i] == 0 {
			d.cost = 0
		}
		has, keeps := d.defs[i] == d.max.def, d.cost <= d.limit
		if keeps {
			d.reps[toLevel], d.defs[toLevel] = d.reps[i], d.defs[i]
			toLevel++
		}
		if has {
			if keeps {
				d.cost += d.values.move(toValue, value)
				if d.elem == 0 {
					d.cost += input.ElementSize
				}
				toValue++
			}
			value++
		} else if keeps {
			d.cost += input.ElementSize
		}
	}
	d.reps, d.defs = d.reps[:toLevel], d.defs[:toLevel]
	d.values.truncate(toValue)
}
