package statistics

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/zeebo/xxh3"
)

// binaryVersion is the first byte of an encoded Summary.
const binaryVersion = 3

// AppendBinary appends the encoded summary. Equal sets of records have equal encodings, except in parts, whose
// columns may have a sketch early:
//
//	version | digest of the layout and the candidates
//	records | bytes | broken | 1 if there are more keys
//	fields | (delta of its index | column) …
//	others | (name | column) …
//	digest of all of that
//
// All numbers are varints, except the digests of 8 bytes. Only values that are not zero are
// encoded.
func (s *Summary) AppendBinary(dst []byte) []byte {
	s.trimKeys(maxKeys)
	start := len(dst)
	dst = append(dst, binaryVersion)
	dst = binary.LittleEndian.AppendUint64(dst, s.digest)
	dst = appendInts(dst, s.count.n, s.count.bytes, s.count.broken)
	dst = appendFlag(dst, s.hasMoreKeys)
	used := 0
	for _, c := range s.fields {
		if c != nil {
			used++
		}
	}
	dst = appendInts(dst, int64(used))
	last := 0
	for i, c := range s.fields {
		if c != nil {
			dst = appendInts(dst, int64(i-last))
			dst = c.appendBinary(dst)
			last = i
		}
	}
	dst = appendInts(dst, int64(len(s.others)))
	for _, n := range slices.SortedFunc(maps.Keys(s.others), compareNames) {
		dst = appendName(dst, n)
		dst = s.others[n].appendBinary(dst)
	}
	return binary.LittleEndian.AppendUint64(dst, xxh3.Hash(dst[start:]))
}

// digest returns a digest of the layout and the candidates.
func (l *Layout) digest(candidates *Candidates) uint64 {
	data := []byte{byte(l.kind)}
	for i := range l.fields {
		f := &l.fields[i]
		data = appendName(data, l.fieldName(i))
		data = appendBytes(data, []byte(f.Kind))
		data = binary.AppendVarint(data, f.First)
		data = appendInts(data, int64(len(f.Classes)))
	}
	if candidates != nil {
		data = candidates.AppendBinary(data)
	}
	return xxh3.Hash(data) | 1
}

// ParseSummary decodes a summary that AppendBinary encoded. The Summary has to be of the same
// layout and candidates. The only error is ErrDamaged.
func (l *Layout) ParseSummary(data []byte, candidates *Candidates) (*Summary, error) {
	s := l.NewSummary(candidates)
	if len(data) < 8 || xxh3.Hash(data[:len(data)-8]) != binary.LittleEndian.Uint64(data[len(data)-8:]) {
		return nil, ErrDamaged
	}
	r := newReader(data[:len(data)-8])
	if r.Byte() != binaryVersion || r.Fixed64() != s.digest {
		return nil, ErrDamaged
	}
	s.count = records{r.int(), r.int(), r.int()}
	s.hasMoreKeys = r.Byte() == 1
	at := 0
	for range r.Count(2) { // at least 2 bytes each, so that a damaged count ends the loop before it takes memory
		at += r.upTo(len(l.fields) - at)
		if r.IsDamaged() || at >= len(l.fields) {
			return nil, ErrDamaged
		}
		shape := l.shapeOf(&l.fields[at])
		n := l.fieldName(at)
		s.column(n, at, &shape).read(r, candidates.forColumn(n))
	}
	for range r.Count(2) {
		n := r.name()
		shape := l.unknownShape(n.list)
		s.column(n, -1, &shape).read(r, candidates.forColumn(n))
	}
	// Equal summaries have equal encodings. So another order, or a field twice, is damage that the digest does not
	// show.
	if !r.IsComplete() || !bytes.Equal(s.AppendBinary(nil), data) {
		return nil, ErrDamaged
	}
	return s, nil
}

func appendFlag(dst []byte, flag bool) []byte {
	if flag {
		return append(dst, 1)
	}
	return append(dst, 0)
}

// appendInts appends numbers that are not negative.
func appendInts(dst []byte, numbers ...int64) []byte {
	for _, n := range numbers {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	return dst
}

// appendBinary appends a column:
//
//	records of one value | other records: records, values, least, most
//	classes | (delta of its index | count) …
//	0 | values | (value | count) …         or   1 | sketch
func (c *column) appendBinary(dst []byte) []byte {
	dst = appendInts(dst, c.singleValued, c.lengths.n, c.lengths.values, c.lengths.least, c.lengths.most)
	dst = c.classes.appendBinary(dst)
	if c.wide != nil {
		return c.wide.appendBinary(append(dst, 1))
	}
	dst = append(dst, 0)
	if c.list == bytesList {
		return c.strings.appendBinary(dst)
	}
	return c.numbers.appendBinary(dst)
}

func (c *column) read(r *reader, candidates *columnCandidates) {
	c.singleValued, c.lengths = r.int(), lengthStats{r.int(), r.int(), r.int(), r.int()}
	class := 0
	for range r.Count(2) {
		class += r.upTo(c.classCount - class)
		n := r.int()
		if r.IsDamaged() || class >= c.classCount || n == 0 {
			r.Fail()
			return
		}
		c.classes.add(class, c.classCount, n)
	}
	switch r.Byte() {
	case 0:
		c.readTable(r)
	case 1:
		c.wide = c.newSketch()
		c.wide.read(r, candidates.size())
	default:
		r.Fail()
	}
}

func (c *column) readTable(r *reader) {
	key := uint64(0)
	for range r.Count(2) {
		var added bool
		n := int64(0)
		if c.list == bytesList {
			text := r.bytes()
			if n = r.int(); n > 0 { // otherwise the value would not be here
				var k stringKey
				k.set(text)
				added = c.strings.add(&k, n)
			}
		} else {
			key += r.Unsigned()
			if n = r.int(); n > 0 {
				added = c.numbers.add(key, n)
			}
		}
		if !added {
			r.Fail()
		}
	}
}

func (c *classCounts) appendBinary(dst []byte) []byte {
	slices.Sort(c.nonZero)
	dst = appendInts(dst, int64(len(c.nonZero)))
	last := int32(0)
	for _, class := range c.nonZero {
		dst = appendInts(dst, int64(class-last), c.of(class))
		last = class
	}
	return dst
}

// sorted returns the numbers of a table in ascending order of their keys. Sorting the keys alone takes half the time
// of sorting the slots.
func (t *numberTable) sorted() []numberSlot {
	keys := make([]uint64, 0, t.used)
	for _, slot := range t.slots {
		if slot.n > 0 {
			keys = append(keys, slot.key)
		}
	}
	slices.Sort(keys)
	all := make([]numberSlot, len(keys))
	for i, key := range keys {
		all[i] = numberSlot{key, t.find(key)}
	}
	return all
}

func (t *numberTable) appendBinary(dst []byte) []byte {
	dst = appendInts(dst, int64(t.used))
	last := uint64(0)
	for _, slot := range t.sorted() {
		dst = binary.AppendUvarint(dst, slot.key-last)
		dst = appendInts(dst, slot.n)
		last = slot.key
	}
	return dst
}

// sorted returns the strings of a table in byte order.
func (t *stringTable) sorted() []*stringSlot {
	all := make([]*stringSlot, 0, len(t.slots))
	for i := range t.slots {
		if t.slots[i].n > 0 {
			all = append(all, &t.slots[i])
		}
	}
	slices.SortFunc(all, func(a, b *stringSlot) int { return bytes.Compare(t.text(a), t.text(b)) })
	return all
}

func (t *stringTable) appendBinary(dst []byte) []byte {
	all := t.sorted()
	dst = appendInts(dst, int64(len(all)))
	for _, slot := range all {
		dst = appendBytes(dst, t.text(slot))
		dst = appendInts(dst, slot.n)
	}
	return dst
}

// appendBinary appends a sketch:
//
//	numbers | HyperLogLog | candidates | count … | not UTF-8 | image metadata, if any
func (s *sketch) appendBinary(dst []byte) []byte {
	dst = s.numbers.appendBinary(dst)
	dst = s.distinct.appendBinary(dst)
	occur := s.candidateCounts
	if !slices.ContainsFunc(occur, func(n int64) bool { return n > 0 }) {
		occur = nil
	}
	dst = appendInts(dst, int64(len(occur)))
	dst = appendInts(dst, occur...)
	dst = appendInts(dst, s.notUTF8)
	if s.images != nil {
		dst = s.images.appendBinary(dst)
	}
	return dst
}

// read decodes a sketch of a column that has so many candidates.
func (s *sketch) read(r *reader, candidates int) {
	s.numbers.read(r)
	s.distinct.read(r)
	for range r.upTo(candidates) {
		s.candidateCounts = append(s.candidateCounts, r.int())
	}
	if n := len(s.candidateCounts); n > 0 && n != candidates {
		r.Fail()
	}
	s.notUTF8 = r.int()
	if s.images != nil {
		s.images.read(r)
	}
}

// appendBinary appends a histogram and its sums:
//
//	zeros | NaNs | +Inf | -Inf | least | largest | buckets | bucket …
//	bucket: key | sum, 2 words | squares, 3 words | sub-buckets | (delta of its index | count) …
func (m *logHistogram) appendBinary(dst []byte) []byte {
	dst = appendInts(dst, m.zeros, m.nan, m.posInf, m.negInf)
	dst = binary.AppendVarint(dst, m.min)
	dst = binary.AppendVarint(dst, m.max)
	dst = appendInts(dst, int64(len(m.keys)))
	for _, key := range slices.Sorted(slices.Values(m.keys)) {
		o := m.bucket(uint(key))
		dst = appendInts(dst, int64(key))
		for _, word := range []uint64{o.sum[0], o.sum[1], o.square[0], o.square[1], o.square[2]} {
			dst = binary.AppendUvarint(dst, word)
		}
		dst = o.appendCounts(dst)
	}
	return dst
}

func (o *bucket) appendCounts(dst []byte) []byte {
	used := int64(0)
	for p := range subBuckets {
		used += min(o.count(p), 1)
	}
	dst = appendInts(dst, used)
	last := 0
	for p := range subBuckets {
		if n := o.count(p); n > 0 {
			dst = appendInts(dst, int64(p-last), n)
			last = p
		}
	}
	return dst
}

func (m *logHistogram) read(r *reader) {
	m.zeros, m.nan, m.posInf, m.negInf = r.int(), r.int(), r.int(), r.int()
	m.min, m.max = r.Signed(), r.Signed()
	for range r.Count(8) {
		key := uint(r.Unsigned())
		isInfinite := m.float && key&(floatSign-1) == floatSign-1 // or NaN: neither has a bucket
		if r.IsDamaged() || key >= 2*floatSign || isInfinite || m.indexOf(key) >= m.keyCount() {
			r.Fail()
			return
		}
		o := m.bucket(key)
		o.sum = [2]uint64{r.Unsigned(), r.Unsigned()}
		o.square = [3]uint64{r.Unsigned(), r.Unsigned(), r.Unsigned()}
		sub := 0
		for range r.Count(2) {
			sub += r.upTo(subBuckets - 1 - sub)
			o.addCount(uint64(sub), uint64(r.int()))
		}
	}
	// Without a finite number, min and max keep the bounds that they begin with, of which min is larger.
	if none := len(m.keys) == 0 && m.zeros == 0; none != (m.min > m.max) || m.float && !none &&
		!(isFinite(fromOrdered(m.min)) && isFinite(fromOrdered(m.max))) {
		r.Fail()
	}
}

func isFinite(f float64) bool { return math.Abs(f) <= math.MaxFloat64 }

// appendBinary appends the number of registers that are not 0, then each of them: the delta of
// its index, and its rank. If they are more than half, all registers follow without indexes.
func (g *hyperLogLog) appendBinary(dst []byte) []byte {
	dst = appendInts(dst, int64(g.used))
	if g.used > registerCount/2 {
		return append(dst, g.rank[:]...)
	}
	last := 0
	for i, rank := range &g.rank {
		if rank > 0 {
			dst = append(appendInts(dst, int64(i-last)), rank)
			last = i
		}
	}
	return dst
}

func (g *hyperLogLog) read(r *reader) {
	used := r.Count(1) // g.used is counted below, from the registers
	if used > registerCount/2 {
		copy(g.rank[:], r.Take(registerCount))
	} else {
		at := 0
		for range used {
			at += r.upTo(registerCount - 1 - at)
			g.rank[at] = r.Byte()
		}
	}
	for _, rank := range &g.rank {
		if rank > maxRank {
			r.Fail()
		}
		g.used += int(min(rank, 1))
	}
}

// appendBinary appends the metadata of images:
//
//	values with a signature | unreadable | formats | channels | colorspaces | width | height
//	cells | (width | height | count) …
func (m *images) appendBinary(dst []byte) []byte {
	dst = appendInts(dst, m.withSignature, m.unreadable)
	dst = appendInts(dst, m.formats[:]...)
	dst = appendInts(dst, m.channels[:]...)
	dst = appendInts(dst, m.colorspaces[:]...)
	dst = m.width.appendBinary(dst)
	dst = m.height.appendBinary(dst)
	dst = appendInts(dst, int64(len(m.grid)))
	for _, c := range m.cells() {
		dst = appendInts(append(dst, c.width, c.height), m.grid[c])
	}
	return dst
}

// cells returns the cells of the grid, sorted by width and height.
func (m *images) cells() []cell {
	return slices.SortedFunc(maps.Keys(m.grid), func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.width, b.width), cmp.Compare(a.height, b.height))
	})
}

func (m *images) read(r *reader) {
	m.withSignature, m.unreadable = r.int(), r.int()
	for _, counts := range [][]int64{m.formats[:], m.channels[:], m.colorspaces[:]} {
		for i := range counts {
			counts[i] = r.int()
		}
	}
	m.width.read(r)
	m.height.read(r)
	for range r.Count(3) {
		c := cell{r.Byte(), r.Byte()}
		if c.width >= 64 || c.height >= 64 { // sizes are 32-bit, with two steps for each power of two
			r.Fail()
		}
		m.grid[c] = r.int()
	}
}
