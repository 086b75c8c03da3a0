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

// binaryVersion is the first byte of a Summary as bytes.
const binaryVersion = 2

// AppendBinary appends the summary as bytes. Equal sets of records have equal ones:
//
//	version | digest of the layout and the candidates | records | bytes | broken | 1 if keys were left out
//	fields | (step to its number | column) …
//	others | (name | column) …
//	digest of all of that
//
// All numbers are varints but the digests, which are 8 bytes, and only what is not
// zero is there.
func (s *Summary) AppendBinary(dst []byte) []byte {
	s.cutKeys(mostKeys)
	start := len(dst)
	dst = append(dst, binaryVersion)
	dst = binary.LittleEndian.AppendUint64(dst, s.digest())
	dst = appendInts(dst, s.count.n, s.count.bytes, s.count.broken)
	dst = appendFlag(dst, s.isCut)
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

// digest is that of the layout and of the candidates.
func (s *Summary) digest() uint64 {
	if s.digested == 0 {
		data := []byte{byte(s.layout.kind)}
		for i := range s.layout.fields {
			f := &s.layout.fields[i]
			data = appendName(data, s.layout.fieldName(i))
			data = appendBytes(data, []byte(f.Kind))
			data = binary.AppendVarint(data, f.First)
			data = appendInts(data, int64(len(f.Classes)))
		}
		if s.candidates != nil {
			data = s.candidates.AppendBinary(data)
		}
		s.digested = xxh3.Hash(data) | 1
	}
	return s.digested
}

// ParseSummary reads what AppendBinary appended to a Summary of this layout with
// those candidates. The error is ErrDamaged.
func (l *Layout) ParseSummary(data []byte, candidates *Candidates) (*Summary, error) {
	s := l.NewSummary(candidates)
	if len(data) < 8 || xxh3.Hash(data[:len(data)-8]) != binary.LittleEndian.Uint64(data[len(data)-8:]) {
		return nil, ErrDamaged
	}
	r := &reader{data: data[:len(data)-8]}
	if r.byte() != binaryVersion || r.uint64() != s.digest() {
		return nil, ErrDamaged
	}
	s.count = records{r.int(), r.int(), r.int()}
	s.isCut = r.byte() == 1
	at := 0
	for range r.count(2) {
		at += r.upTo(len(l.fields) - at)
		if r.failed || at >= len(l.fields) {
			return nil, ErrDamaged
		}
		shape := shapeOf(&l.fields[at])
		n := l.fieldName(at)
		s.column(n, at, &shape).read(r, candidates.forColumn(n))
	}
	for range r.count(2) {
		n := r.name()
		shape := unknownShape(n.list)
		s.column(n, -1, &shape).read(r, candidates.forColumn(n))
	}
	if r.failed || len(r.data) > 0 || !bytes.Equal(s.AppendBinary(nil), data) {
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
//	records of one value | others: records, values, least, most
//	classes | (step to its number | count) …
//	0 | values | (value | count) …         or   1 | sketch
func (c *column) appendBinary(dst []byte) []byte {
	dst = appendInts(dst, c.ones, c.records.n, c.records.values, c.records.least, c.records.most)
	dst = c.classes.appendBinary(dst)
	if c.wide != nil {
		return c.wide.appendBinary(append(dst, 1))
	}
	dst = append(dst, 0)
	if c.list == bytesList {
		return c.texts.appendBinary(dst)
	}
	return c.numbers.appendBinary(dst)
}

func (c *column) read(r *reader, of *candidates) {
	c.ones, c.records = r.int(), lengths{r.int(), r.int(), r.int(), r.int()}
	class := 0
	for range r.count(2) {
		class += r.upTo(c.many - class)
		n := r.int()
		if r.failed || class >= c.many || n == 0 {
			r.fail()
			return
		}
		c.classes.add(class, c.many, n)
	}
	switch r.byte() {
	case 0:
		c.readTable(r)
	case 1:
		c.wide = c.newSketch()
		c.wide.read(r, of.size())
	default:
		r.fail()
	}
}

func (c *column) readTable(r *reader) {
	key := uint64(0)
	for range r.count(2) {
		var isNew bool
		n := int64(0)
		if c.list == bytesList {
			text := r.bytes()
			if n = r.int(); n > 0 {
				var k textKey
				k.set(text)
				isNew = c.texts.add(&k, n)
			}
		} else {
			key += r.uvarint()
			if n = r.int(); n > 0 {
				isNew = c.numbers.add(key, n)
			}
		}
		if !isNew {
			r.fail()
		}
	}
}

func (c *classCounts) appendBinary(dst []byte) []byte {
	slices.Sort(c.touched)
	dst = appendInts(dst, int64(len(c.touched)))
	last := int32(0)
	for _, class := range c.touched {
		dst = appendInts(dst, int64(class-last), c.of(class))
		last = class
	}
	return dst
}

// sorted are the numbers of a table in the order of their keys.
func (t *numberTable) sorted() []numberSlot {
	all := make([]numberSlot, 0, t.used)
	for _, slot := range t.slots {
		if slot.n > 0 {
			all = append(all, slot)
		}
	}
	slices.SortFunc(all, func(a, b numberSlot) int { return cmp.Compare(a.key, b.key) })
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

// sorted are the texts of a table in order.
func (t *textTable) sorted() []*textSlot {
	all := make([]*textSlot, 0, len(t.slots))
	for i := range t.slots {
		if t.slots[i].n > 0 {
			all = append(all, &t.slots[i])
		}
	}
	slices.SortFunc(all, func(a, b *textSlot) int { return bytes.Compare(t.text(a), t.text(b)) })
	return all
}

func (t *textTable) appendBinary(dst []byte) []byte {
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
//	moments | registers | candidates | count … | not UTF-8 | of images: facts
func (s *sketch) appendBinary(dst []byte) []byte {
	dst = s.numbers.appendBinary(dst)
	dst = s.distinct.appendBinary(dst)
	occur := s.candidates
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

// read reads a sketch with so many candidates.
func (s *sketch) read(r *reader, candidates int) {
	s.numbers.read(r)
	s.distinct.read(r)
	for range r.upTo(candidates) {
		s.candidates = append(s.candidates, r.int())
	}
	if n := len(s.candidates); n > 0 && n != candidates {
		r.fail()
	}
	s.notUTF8 = r.int()
	if s.images != nil {
		s.images.read(r)
	}
}

// appendBinary appends moments:
//
//	zeros | NaNs | infinities | negative ones | least | largest
//	octaves | (key | sum, 2 words | squares, 3 words | parts | (step to its number | count) …) …
func (m *moments) appendBinary(dst []byte) []byte {
	dst = appendInts(dst, m.zeros, m.nan, m.posInf, m.negInf)
	dst = binary.AppendVarint(dst, m.min)
	dst = binary.AppendVarint(dst, m.max)
	dst = appendInts(dst, int64(len(m.keys)))
	for _, key := range slices.Sorted(slices.Values(m.keys)) {
		o := m.at(uint(key))
		dst = appendInts(dst, int64(key))
		for _, word := range []uint64{o.sum[0], o.sum[1], o.square[0], o.square[1], o.square[2]} {
			dst = binary.AppendUvarint(dst, word)
		}
		dst = o.appendParts(dst)
	}
	return dst
}

func (o *octave) appendParts(dst []byte) []byte {
	used := int64(0)
	for p := range parts {
		used += min(o.count(p), 1)
	}
	dst = appendInts(dst, used)
	last := 0
	for p := range parts {
		if n := o.count(p); n > 0 {
			dst = appendInts(dst, int64(p-last), n)
			last = p
		}
	}
	return dst
}

func (m *moments) read(r *reader) {
	m.zeros, m.nan, m.posInf, m.negInf = r.int(), r.int(), r.int(), r.int()
	m.min, m.max = r.signed(), r.signed()
	for range r.count(8) {
		key := uint(r.uvarint())
		isInfinite := m.float && key&(floatSign-1) == floatSign-1
		if r.failed || key >= 2*floatSign || isInfinite || m.place(key) >= m.keyCount() {
			r.fail()
			return
		}
		o := m.at(key)
		o.sum = [2]uint64{r.uvarint(), r.uvarint()}
		o.square = [3]uint64{r.uvarint(), r.uvarint(), r.uvarint()}
		part := 0
		for range r.count(2) {
			part += r.upTo(parts - 1 - part)
			o.grow(uint64(part), uint64(r.int()))
		}
	}
	if none := len(m.keys) == 0 && m.zeros == 0; none != (m.min > m.max) || m.float && !none && !(isFinite(unordered(m.min)) && isFinite(unordered(m.max))) {
		r.fail()
	}
}

func isFinite(f float64) bool { return math.Abs(f) <= math.MaxFloat64 }

// appendBinary appends registers: how many are used, and each of them as the step
// to its number and its rank; all of them where they are more than half.
func (g *registers) appendBinary(dst []byte) []byte {
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

func (g *registers) read(r *reader) {
	used := r.count(1)
	if used > registerCount/2 {
		copy(g.rank[:], r.take(registerCount))
	} else {
		at := 0
		for range used {
			at += r.upTo(registerCount - 1 - at)
			g.rank[at] = r.byte()
		}
	}
	for _, rank := range &g.rank {
		if rank > mostRank {
			r.fail()
		}
		g.used += int(min(rank, 1))
	}
}

// appendBinary appends the facts of images:
//
//	that begin as one | unreadable | formats | channels | colorspaces | width | height
//	cells | (width | height | count) …
func (m *images) appendBinary(dst []byte) []byte {
	dst = appendInts(dst, m.begun, m.unreadable)
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

// cells are those of the grid that are not empty, in order.
func (m *images) cells() []cell {
	return slices.SortedFunc(maps.Keys(m.grid), func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.width, b.width), cmp.Compare(a.height, b.height))
	})
}

func (m *images) read(r *reader) {
	m.begun, m.unreadable = r.int(), r.int()
	for _, counts := range [][]int64{m.formats[:], m.channels[:], m.colorspaces[:]} {
		for i := range counts {
			counts[i] = r.int()
		}
	}
	m.width.read(r)
	m.height.read(r)
	for range r.count(3) {
		c := cell{r.byte(), r.byte()}
		if c.width >= 64 || c.height >= 64 {
			r.fail()
		}
		m.grid[c] = r.int()
	}
}
