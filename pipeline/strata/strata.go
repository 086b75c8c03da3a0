// Package strata divides rows among splits so that each value of a column, a stratum, keeps its
// share in every split.
//
//	rows ─► (point, stratum), by ranges of points ─Decide─► Decision: (point, stratum) ─► split
//
// An item is a row or, with `by`, all rows with the same value of `by`. Its point is the hash that
// `fractions` uses: of the row ID, or of the value of `by`. Values with equal hashes are one item. The
// stratum of an item is the stratum of most of its rows; if two have as many, the first one in the
// order of their bytes.
//
// The items of a stratum are lined up by their points. An item of s rows, of which a rows are
// before it among the N rows of the stratum's items, belongs to the split with
//
//	lower ≤ (a + u·s)/N < upper
//
// in cumulative shares. u is the hash of the stratum's value as a fraction of 2^64, so that small
// strata do not all give their odd row to the same split. All numbers are exact integers.
//
// The splits of a stratum are consecutive ranges of points. So a [Decision] has only the points
// where splits begin, and the splits of the groups that have rows of several strata. A dataset that gets
// more rows stores these points: then old rows keep their splits.
package strata

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"
	"strings"

	"tfr-build/internal/order"
)

// Max is the largest number of strata of a dataset, and MaxText the largest size of their values
// in bytes.
const (
	Max     = 65_536
	MaxText = 64 << 20
)

// A Cut is the sum of the shares before a split: Part/Of of all.
type Cut struct{ Part, Of uint64 }

// A Population is the rows of all sources with the same `split`. They are divided together.
type Population struct {
	Path   string  // of `split` in the config
	Column string  // whose values are the strata
	By     bool    // rows with the same point are one item
	Splits []uint8 // in the order of their shares
	Cuts   []Cut   // between the splits, ascending
}

// Values are the strata of some rows, by number.
type Values []Value

// A Value is a stratum.
type Value struct {
	Population int
	Missing    bool
	Text       string // empty if missing
}

// missingPoint is u of a missing value: the first 64 bits of the fraction of the square root of 2.
const missingPoint = 0x6a09e667f3bcc908

// point returns u as a fraction of 2^64.
func (v *Value) point() uint64 {
	if v.Missing {
		return missingPoint
	}
	return order.HashText([]byte(v.Text))
}

// Compare compares values by population, then by bytes. A missing value is the first.
func (v *Value) Compare(w *Value) int {
	missing := func(v *Value) int {
		if v.Missing {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(v.Population, w.Population), cmp.Compare(missing(v), missing(w)),
		strings.Compare(v.Text, w.Text))
}

// A Stratum is a value and its rows.
type Stratum struct {
	Value
	Rows   int   // of its items
	Splits []int // the same, by the position of the split in its population

	Begins []Begin
}

// A Begin is the first point of a split in a stratum, or the point of a group: an item with rows of several strata.
type Begin struct {
	Point uint64
	Split int // position in the population
}

// A Decision has the split of each row. Goroutines may share it.
type Decision struct {
	Strata []Stratum // by number
	Shared int       // number of points that are in two populations with `by`

	Groups [][]Begin // by population, sorted by point
}

// SplitOf returns the position of the split of a row, in its population.
func (d *Decision) SplitOf(stratum uint32, point uint64) int {
	s := &d.Strata[stratum]
	if groups := d.Groups[s.Population]; len(groups) > 0 {
		if i, found := slices.BinarySearchFunc(groups, point,
			func(g Begin, p uint64) int { return cmp.Compare(g.Point, p) }); found {
			return groups[i].Split
		}
	}
	return s.at(point)
}

// at returns the position of the split that has a point.
func (s *Stratum) at(point uint64) int {
	for i := len(s.Begins) - 1; i >= 0; i-- {
		if b := &s.Begins[i]; b.Point <= point {
			return b.Split
		}
	}
	return 0
}

// Check returns an error if a decision cannot be about the rows of these populations.
func (d *Decision) Check(populations []Population) error {
	if len(d.Groups) != len(populations) {
		return errDamaged
	}
	fits := func(population, split int) bool {
		return 0 <= population && population < len(populations) && 0 <= split &&
			split < len(populations[population].Splits)
	}
	for i := range d.Strata {
		s := &d.Strata[i]
		if !fits(s.Population, 0) || len(s.Splits) != len(populations[s.Population].Splits) {
			return errDamaged
		}
		for _, of := range s.Begins {
			if !fits(s.Population, of.Split) {
				return errDamaged
			}
		}
	}
	for i, groups := range d.Groups {
		for _, of := range groups {
			if !fits(i, of.Split) {
				return errDamaged
			}
		}
	}
	return nil
}

var errDamaged = errors.New("the strata are damaged")

// isReached reports whether an item of rows rows, after at other rows of total, is at or after the
// cut: (at + u·rows)/total ≥ Part/Of.
func (c *Cut) isReached(total, at, rows int, u uint64) bool {
	wantHigh, want := bits.Mul64(uint64(total), c.Part)
	haveHigh, have := bits.Mul64(uint64(at), c.Of)
	lack, borrow := bits.Sub64(want, have, 0)
	lackHigh, borrow := bits.Sub64(wantHigh, haveHigh, borrow)
	if borrow > 0 || lackHigh|lack == 0 {
		return true
	}
	// u·rows·Of / 2^64 rounded down, compared with an integer.
	high, low := bits.Mul64(uint64(rows), c.Of)
	carry, _ := bits.Mul64(low, u)
	moreHigh, more := bits.Mul64(high, u)
	more, carry = bits.Add64(more, carry, 0)
	return moreHigh+carry > lackHigh || moreHigh+carry == lackHigh && more >= lack
}

// isBefore reports whether a cut is before the end of so many of a stratum's rows.
func (c *Cut) isBefore(total, end int) bool {
	cutHigh, cut := bits.Mul64(uint64(total), c.Part)
	endHigh, at := bits.Mul64(uint64(end), c.Of)
	return cutHigh < endHigh || cutHigh == endHigh && cut < at
}
