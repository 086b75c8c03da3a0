package infer

import (
	"bytes"
	"hash/maphash"
	"math"

	"tfr-build/internal/plural"
)

// comparedRows is the number of different rows that are kept.
const comparedRows = 1 << 18

// equalRows counts the rows that are equal to an earlier one.
type equalRows struct {
	seed    maphash.Seed
	hashes  []uint64 // of different rows; 0 for a free place
	sources []uint16 // the number of the first source of each
	kept    int

	rows   int // rows that were compared
	equal  int
	across int // of those, rows of another source than the first such row
	first  sighting
	other  sighting // the first row of another source
}

// add compares a row.
func (e *equalRows) add(t *reading) {
	const places = 2 * comparedRows
	if e.hashes == nil {
		e.seed, e.hashes, e.sources = maphash.MakeSeed(), make([]uint64, places), make([]uint16, places)
	}
	row := t.raw
	if t.record != nil && !t.record.Binary && len(bytes.TrimSpace(row)) == 0 {
		return // a blank line
	}
	hash := maphash.Bytes(e.seed, row) | 1
	at := hash / 2 % places
	for e.hashes[at] != hash && e.hashes[at] != 0 {
		at = (at + 1) % places
	}
	switch own := uint16(min(t.source, math.MaxUint16)); {
	case e.hashes[at] == hash:
		e.equal++
		e.first.see(t, row)
		if e.sources[at] != own {
			e.across++
			e.other.see(t, row)
		}
	case e.kept == comparedRows:
		return
	default:
		e.hashes[at], e.sources[at] = hash, own
		e.kept++
	}
	e.rows++
}

// lines returns commented keys about equal rows: dedupe, and a check if splits share some.
func (e *equalRows) lines() (list []line) {
	if e.equal == 0 {
		return nil
	}
	note := share(e.equal, e.rows, "row") + " are equal to an earlier one, the first: " + e.first.where
	list = []line{entry("# dedupe: {}", "keeps one of each: "+note)}
	if e.across > 0 {
		note := plural.Of(e.across, "row") + " in two sources, the first: " + e.other.where
		list = append(list, entry("# checks: {leakage: 0}", note))
	}
	return list
}
