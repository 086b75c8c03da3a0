package rows

import (
	"bytes"
	"encoding/binary"
	"slices"

	"tfr-build/internal/order"
	"tfr-build/schema"
)

// Same of a [Grouping] has the values of order_key, split.by, and split.column, as far as the config has
// them, each after its length. The value of stratify and of each column of limit follow. They may be
// missing, so a mark is between length and value; a value that the row does not need is empty.
const (
	markMissing = 0
	markValue   = 1
)

// appendPending appends the values to Same of the current row that decide about its group together with
// all other groups.
func (c *Chooser) appendPending(s *sourceChooser) (string, error) {
	d, to := s.decider, &c.facts.Group
	add := func(of *deciding) error {
		if of == nil {
			to.Same = append(to.Same, 0) // an empty text: no limit of its splits needs the value
			return nil
		}
		missing, text, err := of.optional(c.vals)
		if err != nil {
			return err
		}
		if missing {
			to.Same = append(to.Same, 1, markMissing)
			return nil
		}
		to.Same = append(binary.AppendUvarint(to.Same, uint64(len(text)+1)), markValue)
		to.Same = append(to.Same, text...)
		return nil
	}
	if d.strata != nil {
		if err := add(d.strata); err != nil {
			return "", err
		}
	}
	for i, of := range d.per {
		if !c.needsValue(d, i) {
			of = nil
		}
		if err := add(of); err != nil {
			return "", err
		}
	}
	return "", nil
}

// A sameValue is a value that must be equal in all rows of a group.
type sameValue struct{ column, text string }

// sameValues returns the values of Same of a row.
func (src *Source) sameValues(same []byte) (list []sameValue) {
	d := src.decider
	columns := slices.Clone(d.grouper.same)
	required := len(columns)
	if d.strata != nil {
		columns = append(columns, d.strata)
	}
	columns = append(columns, d.per...)
	eachText(same, func(i int, text []byte) {
		switch {
		case len(text) == 0 && i >= required:
		case i < required:
			list = append(list, sameValue{columns[i].column, schema.Quote(text)})
		case text[0] == markMissing:
			list = append(list, sameValue{columns[i].column, "no value"})
		default:
			list = append(list, sameValue{columns[i].column, schema.Quote(text[1:])})
		}
	})
	return list
}

// A SameRow is what must be equal in all rows of a group.
type SameRow struct {
	At    order.Position
	Split uint8
	Same  []byte // of its Grouping
}

// IsSame reports whether two rows may be in one group.
func (s *Set) IsSame(a, b *SameRow) bool {
	if a.Split != b.Split || !bytes.Equal(a.Same, b.Same) {
		return false
	}
	mine, _ := s.File(a.At.File)
	other, _ := s.File(b.At.File)
	return s.Strata == nil || s.Strata.populationOf(&mine.Config.Split) == s.Strata.populationOf(&other.Config.Split)
}

// Differs returns the cause of a row that may not be in the group of another row.
func (s *Set) Differs(r, other *SameRow) GroupCause {
	cause := GroupCause{Other: other.At}
	src, _ := s.File(r.At.File)
	otherSrc, _ := s.File(other.At.File)
	mine, theirs := src.sameValues(r.Same), otherSrc.sameValues(other.Same)
	for i, of := range mine {
		if i < len(theirs) && of.column == theirs[i].column && of.text != theirs[i].text {
			cause.Column, cause.Text = of.column, "found "+of.text+" and "+theirs[i].text+" in one group, which has "+
				"one value; the other row"
			return cause
		}
	}
	if r.Split != other.Split {
		cause.Text = "found the splits " + s.Splits.Name(r.Split) + " and " + s.Splits.Name(other.Split) +
			" in one group, which is in one split; the other row"
		return cause
	}
	cause.Text = "found rows of sources with different keys of split in one group, which is in one split; the other row"
	return cause
}

// GroupNumbers numbers what decides about groups together with all other groups. One goroutine may use
// it.
type GroupNumbers struct {
	set     *Set
	strata  valueCache
	values  valueCache // of the columns of limit
	pending Pending
}

// NewGroupNumbers returns the numbers of groups.
func (s *Set) NewGroupNumbers() *GroupNumbers {
	n := &GroupNumbers{set: s}
	if s.Limits != nil {
		n.pending.Values = make([]uint32, s.Limits.Columns())
	}
	return n
}

// Pending returns what decides about a group with a hash, from a row of it. It is valid until the next
// group.
func (n *GroupNumbers) Pending(hash uint64, r *SameRow) (*Pending, error) {
	to := &n.pending
	to.Stratum = Stratum{}
	clear(to.Values)
	src, _ := n.set.File(r.At.File)
	d := src.decider
	if d.strata == nil && d.per == nil {
		return to, nil
	}
	to.Stratum.Point = hash
	stratum := len(d.grouper.same)
	first := stratum
	if d.strata != nil {
		first++
	}
	var err error
	eachText(r.Same, func(i int, text []byte) {
		switch {
		case i == d.grouper.isBy:
			to.Stratum.Point = order.HashText(text)
		case i < stratum || len(text) == 0 || err != nil:
		case i < first:
			to.Stratum.Number, err = n.strata.number(&n.set.Strata.valueNumbers, d.population, text[0] == markMissing,
				text[1:])
		default:
			to.Values[i-first], err = n.values.number(&n.set.Limits.valueNumbers, i-first, text[0] == markMissing,
				text[1:])
		}
	})
	return to, err
}
