package infer

import (
	"bytes"
	"hash/maphash"

	"tfr-build/internal/plural"
	"tfr-build/schema"
)

// The table of rows that are compared has room for so many, and is at most half full.
const comparedRows = 1 << 19

// equalRows counts the rows that are equal to an earlier one.
type equalRows struct {
	seed  maphash.Seed
	table []uint64 // hashes of different rows; the lowest byte is 1 + the number of the first source that has it
	used  int
	value []byte

	rows   int // rows that were compared
	equal  int
	across int // of those, rows of another source than the first such row
	first  sighting
	other  sighting // the first row of another source
}

// add compares a row of a source. A row without bytes has values.
func (e *equalRows) add(t *reading, vals []schema.Value, source int) {
	if e.table == nil {
		e.seed, e.table = maphash.MakeSeed(), make([]uint64, comparedRows)
	}
	row := t.raw
	if len(row) == 0 {
		e.value = e.value[:0]
		for i := range vals {
			e.value = vals[i].AppendIdentity(e.value)
		}
		row = e.value
	} else if t.record != nil && !t.record.Binary && len(bytes.TrimSpace(row)) == 0 {
		return // a blank line
	}
	const low = 0xff
	hash := maphash.Bytes(e.seed, row)
	at := hash % comparedRows
	for e.table[at] != 0 && e.table[at]|low != hash|low {
		at = (at + 1) % comparedRows
	}
	own := uint64(min(source, low-1) + 1)
	switch was := e.table[at]; {
	case was != 0:
		e.equal++
		e.first.see(t, row)
		if was&low != own {
			e.across++
			e.other.see(t, row)
		}
	case e.used == comparedRows/2:
		return
	default:
		e.table[at] = hash&^low | own
		e.used++
	}
	e.rows++
}

// lines returns commented keys about equal rows: dedupe, and a check if splits share some.
func (e *equalRows) lines() (list []line) {
	if e.equal == 0 {
		return nil
	}
	note := share(e.equal, e.rows, "row") + " are equal to an earlier one, the first: " + e.first.where
	list = []line{{"# dedupe: {}", "keeps one of each: " + note}}
	if e.across > 0 {
		note := plural.Of(e.across, "row") + " in two sources, the first: " + e.other.where
		list = append(list, line{"# checks: {leakage: 0}", note})
	}
	return list
}
