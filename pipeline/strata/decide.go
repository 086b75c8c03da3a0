package strata

import (
	"cmp"
	"slices"
)

// Ranges are the rows of a dataset, by ranges of points: all points of a range are below all
// points of the next one.
type Ranges interface {
	// Len returns the number of ranges.
	Len() int
	// Each calls visit for the rows of a range, in any order. Rows of a group may come together.
	Each(i int, visit func(point uint64, stratum uint32, rows int) error) error
}

// Decide divides the rows among the splits. It reads each range twice. kept are the strata of a dataset that gets these
// rows, the first of values: they keep their cuts, and count their new rows.
func Decide(populations []Population, values []Value, kept []Stratum, rows Ranges) (*Decision, error) {
	d := &decider{
		Decision:    &Decision{Strata: make([]Stratum, len(values)), Groups: make([][]Begin, len(populations))},
		populations: populations, rows: rows, states: make([]state, len(values)),
	}
	for i, v := range values {
		s := &d.Strata[i]
		if i < len(kept) {
			*s, d.states[i].kept = kept[i], true
			s.Splits = slices.Clone(s.Splits)
			continue
		}
		s.Value, s.Begins, s.Splits = v, []Begin{{}}, make([]int, len(populations[v.Population].Splits))
	}
	for i := range populations {
		d.grouped = d.grouped || populations[i].By
	}
	if d.grouped {
		d.ranks = ranksOf(values)
	}
	if err := d.eachRange(d.count); err != nil {
		return nil, err
	}
	return d.Decision, d.eachRange(d.divide)
}

// ranksOf returns the position of each value in the order of all values.
func ranksOf(values []Value) []uint32 {
	order, ranks := make([]int, len(values)), make([]uint32, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return values[a].Compare(&values[b]) })
	for rank, i := range order {
		ranks[i] = uint32(rank)
	}
	return ranks
}

// An item is a row, or the rows of a group.
type item struct {
	point   uint64
	rows    int
	stratum uint32
	mixed   bool // rows of several strata
}

// A state is how far a stratum is divided.
type state struct {
	at    int // rows of the items before
	split int // the split of the next item is this one or a later one
	here  int // rows in the current range
	walk  bool
	kept  bool // the stratum has its cuts
}

// A decider divides rows.
type decider struct {
	*Decision
	populations []Population
	grouped     bool     // a population has groups
	ranks       []uint32 // by stratum: its position in the order of the values, if there are groups
	rows        Ranges
	states      []state // by stratum

	items, walked []item   // of the current range
	touched       []uint32 // strata with items in the current range
}

// eachRange calls do for the items of each range.
func (d *decider) eachRange(do func()) error {
	for i := range d.rows.Len() {
		if err := d.load(i); err != nil {
			return err
		}
		do()
	}
	return nil
}

// compactFrom is the number of rows from which on rows of the same group and stratum are combined
// while they are read: one group may have nearly all rows.
const compactFrom = 1 << 16

// load reads a range into items.
func (d *decider) load(i int) error {
	d.items = d.items[:0]
	limit := compactFrom
	err := d.rows.Each(i, func(point uint64, stratum uint32, rows int) error {
		d.items = append(d.items, item{point: point, stratum: stratum, rows: rows})
		if d.grouped && len(d.items) >= limit {
			d.compact()
			limit = max(compactFrom, 2*len(d.items))
		}
		return nil
	})
	if d.grouped && err == nil {
		d.compact()
		d.gather()
	}
	return err
}

// compact sorts the items by point and population, and combines those with the same stratum.
func (d *decider) compact() {
	slices.SortFunc(d.items, func(a, b item) int {
		if a.point == b.point {
			return cmp.Compare(d.ranks[a.stratum], d.ranks[b.stratum])
		}
		if a.point < b.point {
			return -1
		}
		return 1
	})
	kept := d.items[:0]
	for _, of := range d.items {
		if n := len(kept) - 1; n >= 0 && kept[n].point == of.point && kept[n].stratum == of.stratum {
			kept[n].rows += of.rows
		} else {
			kept = append(kept, of)
		}
	}
	d.items = kept
}

// gather combines the items of each group, which are next to each other. The group is in the
// stratum with the most rows, or in the first of them.
func (d *decider) gather() {
	kept := d.items[:0]
	largest := 0 // rows of the stratum of the last item
	for _, of := range d.items {
		n := len(kept) - 1
		if n < 0 || kept[n].point != of.point || !d.sharesGroup(kept[n].stratum, of.stratum) {
			kept, largest = append(kept, of), of.rows
			continue
		}
		if kept[n].rows += of.rows; of.rows > largest {
			kept[n].stratum, largest = of.stratum, of.rows
		}
		kept[n].mixed = true
	}
	d.items = kept
}

// sharesGroup reports whether rows of two strata with the same point are one group.
func (d *decider) sharesGroup(a, b uint32) bool {
	of := d.Strata[a].Population
	return of == d.Strata[b].Population && d.populations[of].By
}

// count counts the rows of each stratum.
func (d *decider) count() {
	for i := range d.items {
		of := &d.items[i]
		d.Strata[of.stratum].Rows += of.rows
		if i > 0 && d.items[i-1].point == of.point && d.isGrouped(i-1) && d.isGrouped(i) {
			d.Shared++
		}
	}
}

func (d *decider) isGrouped(i int) bool {
	return d.populations[d.Strata[d.items[i].stratum].Population].By
}

// divide assigns the items of a range to splits. Only the items of strata with a cut in the range
// need to be sorted.
func (d *decider) divide() {
	for i := range d.items {
		of := &d.items[i]
		st := &d.states[of.stratum]
		if st.kept {
			s := &d.Strata[of.stratum]
			s.Splits[s.at(of.point)] += of.rows
			continue
		}
		if st.here == 0 {
			d.touched = append(d.touched, of.stratum)
		}
		st.here += of.rows
	}
	walk := false
	for _, n := range d.touched {
		s, st := &d.Strata[n], &d.states[n]
		cuts := d.populations[s.Population].Cuts
		st.walk = st.split < len(cuts) && cuts[st.split].isBefore(s.Rows, st.at+st.here)
		walk = walk || st.walk
	}
	if walk {
		d.walk()
	}
	for _, n := range d.touched {
		s, st := &d.Strata[n], &d.states[n]
		if !st.walk {
			s.Splits[st.split] += st.here
			st.at += st.here
		}
		st.here, st.walk = 0, false
	}
	d.touched = d.touched[:0]
	if d.grouped {
		d.keepMixed()
	}
}

// walk assigns the items of strata with a cut in the range, one after another.
func (d *decider) walk() {
	d.walked = d.walked[:0]
	for _, of := range d.items {
		if d.states[of.stratum].walk {
			d.walked = append(d.walked, of)
		}
	}
	slices.SortFunc(d.walked, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.stratum, b.stratum), cmp.Compare(a.point, b.point))
	})
	for i := range d.walked {
		of := &d.walked[i]
		s, st := &d.Strata[of.stratum], &d.states[of.stratum]
		cuts, before, u := d.populations[s.Population].Cuts, st.split, uint64(0)
		if st.split < len(cuts) {
			u = s.point()
		}
		for st.split < len(cuts) && cuts[st.split].isReached(s.Rows, st.at, of.rows, u) {
			st.split++
		}
		if st.split > before {
			s.Begins = append(s.Begins, Begin{of.point, st.split})
		}
		s.Splits[st.split] += of.rows
		st.at += of.rows
	}
}

// keepMixed stores the splits of the groups with rows of several strata.
func (d *decider) keepMixed() {
	for i := range d.items {
		if of := &d.items[i]; of.mixed {
			s := &d.Strata[of.stratum]
			d.Groups[s.Population] = append(d.Groups[s.Population], Begin{of.point, s.at(of.point)})
		}
	}
}
