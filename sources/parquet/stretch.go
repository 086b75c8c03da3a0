package parquet

import (
	"bytes"

	"github.com/parquet-go/parquet-go/format"
)

// This file decodes the values of a page, a stretch after another.

// begin begins a page of n values.
func (d *decoder) begin(e format.Encoding, reps, defs, data []byte, n int) error {
	d.repeats, d.levels = newLevels(reps, d.most.rep), newLevels(defs, d.most.def)
	d.todo, d.begins, d.inBlob = n, true, d.isInBlob(e)
	d.taking = taking{encoding: e, data: data}
	return nil
}

// take decodes the next n levels of the page at hand, and the values that they say are
// there.
func (d *decoder) take(n int) error {
	level, value := len(d.reps), d.values.count()
	there, err := d.takeLevels(n)
	if err != nil {
		return err
	}
	if err := d.taking.take(&d.values, there); err != nil {
		return err
	}
	if d.cuts {
		d.cut(level, value)
	}
	d.trim(value)
	return nil
}

// takeLevels decodes the next n levels, and tells how many values they say are there. All
// values of the page are counted first.
func (d *decoder) takeLevels(n int) (there int, err error) {
	if d.most.rep > 0 {
		if d.reps, err = d.repeats.appendLevels(d.reps, n, d.most.rep); err != nil {
			return 0, err
		}
		if err := d.checkFirst(); err != nil {
			return 0, err
		}
	}
	levels, there := d.levels, n
	if d.most.def > 0 {
		from := len(d.defs)
		if d.defs, err = d.levels.appendLevels(d.defs, n, d.most.def); err != nil {
			return 0, err
		}
		there = bytes.Count(d.defs[from:], []byte{d.most.def})
	}
	all := there
	if d.begins && n < d.todo {
		if all, err = levels.count(d.todo, d.most); err != nil {
			return 0, err
		}
	}
	if d.begins {
		d.taking, err = d.newTaking(d.taking.encoding, d.taking.data, all, d.physical, d.dict)
	}
	d.begins, d.todo = false, d.todo-n
	return there, err
}

// checkFirst refuses levels that begin in a row.
func (d *decoder) checkFirst() error {
	if len(d.reps) > 0 && d.reps[0] != 0 {
		return damaged("the first row begins in the middle of a list")
	}
	return nil
}

// trim forgets the bytes of the blob that belong to no value, unless the page at hand
// stays there. The values from a place on are new.
func (d *decoder) trim(from int) {
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

// cut takes away, of the levels and values from two places on, what follows in a row
// after the level that makes it too long.
func (d *decoder) cut(level, value int) {
	toLevel, toValue := level, value
	for i := level; i < len(d.reps); i++ {
		if d.reps[i] == 0 {
			d.cost = 0
		}
		has, keeps := d.defs[i] == d.most.def, d.cost <= d.limit
		if keeps {
			d.reps[toLevel], d.defs[toLevel] = d.reps[i], d.defs[i]
			toLevel++
		}
		if has {
			if keeps {
				d.cost += max(1, d.values.move(toValue, value))
				toValue++
			}
			value++
		} else if keeps {
			d.cost++
		}
	}
	d.reps, d.defs = d.reps[:toLevel], d.defs[:toLevel]
	d.values.shorten(toValue)
}
