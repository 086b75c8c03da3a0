package spill

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"slices"
	"sort"

	"tfr-build/pipeline/decide"
	"tfr-build/pipeline/rows"
)

// An eachRange calls visit with ranges of the entries of a bucket, one after another.
type eachRange func(r *reader, b int, visit func(data []byte) error) error

// A matcher applies a rule to ranges of hashes. One goroutine may use it at a time.
type matcher struct {
	rule    *decide.Rule
	entries entries
	each    eachRange
	to      *gatherer      // of positions
	before  *decide.Cursor // rows that an earlier rule skips; may be nil
	most    int            // rows that are sorted at once
	reader  reader
	table   matchTable
	ordered []orderedRow
	fact    decide.Fact
	first   []byte
	known   []byte                  // see Comparison.Known
	kept    [][decide.KeptSize]byte // digests of the different rows that are not known
}

// tableRow is about the number of bytes of a different row in a matchTable, or of a row that is sorted.
const tableRow = 128

// matchRange finds the equal rows of a range, and adds those that are skipped to their ranges of
// positions. It reads the range twice for each of the parts. The different rows of a part are in
// memory at once.
func (m *matcher) matchRange(ctx context.Context, b int, parts int64) error {
	for part := range uint64(parts) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		m.table.reset()
		skips := !m.rule.KeepsFirst
		visit := func(e *compared) error {
			skips = m.table.add(e) || skips
			return nil
		}
		err := m.eachRow(b, part, uint64(parts), visit)
		if m.rule.Keeps && err == nil {
			skips = m.keep() || skips
		}
		switch {
		case err != nil || !skips:
		case m.rule.InOrder:
			err = m.eachInOrder(b, part, uint64(parts), m.skip)
		default:
			err = m.eachRow(b, part, uint64(parts), m.skip)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keep finds the known rows of the table, and adds the digests of the others. It reports whether a row is known.
func (m *matcher) keep() (known bool) {
	var digest [decide.KeptSize]byte
	for i := range m.table.rows {
		r := &m.table.rows[i]
		binary.BigEndian.PutUint64(digest[:], r.hash)
		copy(digest[8:], m.table.digests[r.from:][:r.size])
		n := len(m.known) / len(digest)
		at := sort.Search(n, func(k int) bool {
			return bytes.Compare(m.known[k*len(digest):][:len(digest)], digest[:]) >= 0
		})
		r.known = at < n && bytes.Equal(m.known[at*len(digest):][:len(digest)], digest[:])
		if known = known || r.known; !r.known {
			m.kept = append(m.kept, digest)
		}
	}
	return known
}

// sortedDigests returns the digests that matchers keep.
func sortedDigests(matchers []*matcher) []byte {
	n := 0
	for _, m := range matchers {
		if m != nil {
			n += len(m.kept)
		}
	}
	all := make([][decide.KeptSize]byte, 0, n)
	for _, m := range matchers {
		if m != nil {
			all, m.kept = append(all, m.kept...), nil
		}
	}
	slices.SortFunc(all, func(a, b [decide.KeptSize]byte) int { return bytes.Compare(a[:], b[:]) })
	data := make([]byte, 0, len(all)*decide.KeptSize)
	for i := range all {
		data = append(data, all[i][:]...)
	}
	return data
}

// skip adds a row to its range of positions if the rule skips it.
func (m *matcher) skip(e *compared) error {
	of := m.table.find(e)
	m.fact = decide.Fact{IsFirst: of.place == e.place, Known: of.known, Rows: int64(of.rows), Before: int64(of.before)}
	of.before++
	if !m.rule.Skips(&m.fact) {
		return nil
	}
	first := of.place
	if of.known {
		first = decide.Known
	}
	m.first = binary.LittleEndian.AppendUint64(m.first[:0], first)
	r := rows.Row{Data: m.first}
	r.File, r.Offset = m.entries.set.Sequence.Locate(e.place)
	return m.to.put(e.place, &r, &rows.Pending{}, 0)
}

// A compared is the entry of a compared row.
type compared struct {
	hash, place uint64
	digest      []byte
	rank, short byte
}

// eachRow calls visit for the rows in a part of a range.
func (m *matcher) eachRow(b int, part, parts uint64, visit func(*compared) error) error {
	var e compared
	return m.each(&m.reader, b, func(data []byte) error {
		for len(data) > 0 {
			n := m.entries.size(data)
			e.hash = m.entries.key(data)
			if parts == 1 || e.hash%parts == part {
				e.place, e.digest = binary.LittleEndian.Uint64(data[8:]), data[m.entries.header:n]
				marks := m.entries.marks(data)
				e.rank, e.short = marks[0], marks[1]
				skipped, err := false, error(nil)
				if m.before != nil {
					skipped, err = m.isSkipped(e.place)
				}
				if err == nil && !skipped {
					err = visit(&e)
				}
				if err != nil {
					return err
				}
			}
			data = data[n:]
		}
		return nil
	})
}

// isSkipped reports whether an earlier rule skips a row.
func (m *matcher) isSkipped(place uint64) (bool, error) {
	rule, err := m.before.Rule(place)
	return rule >= 0, err
}

// An orderedRow is a compared row that is sorted.
type orderedRow struct {
	compared
	size int
	data [sha256.Size]byte // of its digest
}

// eachInOrder is eachRow in source order.
func (m *matcher) eachInOrder(b int, part, parts uint64, visit func(*compared) error) (err error) {
	byPlace := func(a, b orderedRow) int { return cmp.Compare(a.place, b.place) }
	m.ordered, err = visitInOrder(m.ordered, m.most, byPlace, func(add func(orderedRow)) error {
		return m.eachRow(b, part, parts, func(e *compared) error {
			row := orderedRow{compared: *e}
			row.size, row.digest = copy(row.data[:], e.digest), nil
			add(row)
			return nil
		})
	}, func(row *orderedRow) error {
		row.digest = row.data[:row.size]
		return visit(&row.compared)
	})
	return err
}

// A matchTable has the different rows of a range, each with the first one that equals it.
type matchTable struct {
	slots   []uint32 // index of a row plus 1; 0 for none
	rows    []matchRow
	digests []byte
}

// A matchRow is the first of equal rows.
type matchRow struct {
	hash, place       uint64
	rows, before      uint32 // number of equal rows, and of those that were visited
	from              uint32 // of its digest
	size, rank, short byte
	known             bool // see decide.Fact
}

func (t *matchTable) reset() {
	clear(t.slots)
	t.rows, t.digests = t.rows[:0], t.digests[:0]
}

// slot returns the first slot for a hash. The lowest bits choose the part of a range, and the
// highest the range itself.
func (t *matchTable) slot(hash uint64) int {
	// The product with 2^64 divided by the golden ratio mixes the bits between them into the highest ones.
	return int(hash * 0x9e3779b97f4a7c15 >> (65 - bits.Len(uint(len(t.slots)))))
}

// lookUp returns the slot of the row that equals e, or the empty slot for it.
func (t *matchTable) lookUp(e *compared) int {
	for i := t.slot(e.hash); ; i = (i + 1) & (len(t.slots) - 1) {
		n := t.slots[i]
		if n == 0 {
			return i
		}
		if r := &t.rows[n-1]; r.hash == e.hash && r.short == e.short &&
			bytes.Equal(t.digests[r.from:][:r.size], e.digest) {
			return i
		}
	}
}

// find returns the first of the rows that equal e. One was added.
func (t *matchTable) find(e *compared) *matchRow { return &t.rows[t.slots[t.lookUp(e)]-1] }

// add adds a row. It reports whether an equal row was there.
func (t *matchTable) add(e *compared) (equal bool) {
	if 2*(len(t.rows)+1) > len(t.slots) {
		t.grow()
	}
	i := t.lookUp(e)
	if t.slots[i] == 0 {
		from := uint32(len(t.digests))
		t.digests = append(t.digests, e.digest...)
		t.rows = append(t.rows, matchRow{
			hash: e.hash, place: e.place, rows: 1, from: from, size: byte(len(e.digest)), rank: e.rank, short: e.short,
		})
		t.slots[i] = uint32(len(t.rows))
		return false
	}
	r := &t.rows[t.slots[i]-1]
	r.rows++
	if e.rank < r.rank || e.rank == r.rank && e.place < r.place {
		r.rank, r.place = e.rank, e.place
	}
	return true
}

// grow doubles the number of slots.
func (t *matchTable) grow() {
	t.slots = make([]uint32, max(1024, 2*len(t.slots)))
	for n := range t.rows {
		i := t.slot(t.rows[n].hash)
		for t.slots[i] != 0 {
			i = (i + 1) & (len(t.slots) - 1)
		}
		t.slots[i] = uint32(n + 1)
	}
}
