package infer

import (
	"bytes"
	"hash/maphash"
	"slices"

	"tfr-build/internal/plural"
)

// comparedRows is the number of different rows that are kept.
const comparedRows = 1 << 18

// equalRows counts the rows that are equal to an earlier one.
type equalRows struct {
	seed    maphash.Seed
	sources map[uint64]int // the number of the first source of each row, by its hash

	rows   int    // rows that were compared
	apart  string // column that no feature has, which dedupe does not compare by itself; empty for none
	equal  tally
	across tally // of those, rows of another source than the first such row
}

// add compares a row.
func (e *equalRows) add(t *reading) {
	if e.sources == nil {
		e.seed, e.sources = maphash.MakeSeed(), map[uint64]int{}
	}
	if t.record != nil && !t.record.Binary && len(bytes.TrimSpace(t.raw)) == 0 {
		return // a blank line
	}
	hash := maphash.Bytes(e.seed, bytes.TrimRight(t.raw, "\r\n")) // the last line may have no end
	switch source, isEqual := e.sources[hash]; {
	case isEqual:
		e.equal.add(t, t.raw, 1)
		if source != t.source {
			e.across.add(t, t.raw, 1)
		}
	case len(e.sources) == comparedRows:
		return
	default:
		e.sources[hash] = t.source
	}
	e.rows++
}

// lines returns commented keys about equal rows: dedupe, and a check if splits share some.
func (e *equalRows) lines(features []feature) (list []line) {
	if e.equal.count == 0 {
		return nil
	}
	note := share(e.equal.count, e.rows, "row") + " are equal to an earlier one, the first: " + e.equal.first.where
	isCompared := func(f feature) bool { return f.from == e.apart && !f.skipped }
	if e.apart != "" && !slices.ContainsFunc(features, isCompared) {
		note += "; it does not compare " + shown(e.apart) + ", unless by names all columns"
	}
	list = []line{entry("# dedupe: {}", "keeps one of each: "+note)}
	if e.across.count > 0 {
		note := plural.Of(e.across.count, "row") + " in two sources, the first: " + e.across.first.where
		list = append(list, entry("# checks: {leakage: 0}", note))
	}
	return list
}
