package rejects

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
)

// A packer encodes rejects in source order as a run. Each is encoded by its difference from the one before:
//
//	head    uvarint: kind × 4, 2 if it has a cause, 1 if it is in another file
//	kind    if it is new: code, and column, feature, and hint of the cause
//	file    if it is another one: uvarint, the difference
//	offset  uvarint: the difference, or in another file the offset
//	cause   the other row: varint, differences of file and offset from the row; the text: uvarints, bytes
//	        that are as at the beginning and as at the end of the last text of the kind; those between;
//	        and if the text is empty: uvarints, the position in a record and its number of rows
//
// The zero value is empty.
type packer struct {
	data  []byte
	n     int64
	kinds map[kind]*packedKind
	last  order.Position
}

// A packedKind is the number of a kind, and the text of its last cause.
type packedKind struct {
	number uint64
	text   string
}

// A kind is what many rejects have in common.
type kind struct{ code, column, feature, hint string }

// packed returns a run of rejects, which it sorts.
func packed(list []Reject) []byte {
	slices.SortFunc(list, func(a, b Reject) int { return comparePositions(a.Position, b.Position) })
	var p packer
	for i := range list {
		p.add(&list[i])
	}
	return slices.Clip(p.data)
}

// list returns a list of the added rejects.
func (p *packer) list() *List {
	if p.n == 0 {
		return &List{}
	}
	return &List{runs: [][]byte{slices.Clip(p.data)}, n: p.n}
}

// add adds a reject that is not before the last one.
func (p *packer) add(r *Reject) {
	k := kind{code: r.Code}
	if c := r.Cause; c != nil {
		k.column, k.feature, k.hint = c.Column, c.Feature, c.Hint
	}
	of, known := p.kinds[k]
	if !known {
		if p.kinds == nil {
			p.kinds = map[kind]*packedKind{}
		}
		of = &packedKind{number: uint64(len(p.kinds))}
		p.kinds[k] = of
	}
	head, from := of.number*4, p.last.Offset
	if r.Cause != nil {
		head |= 2
	}
	if r.File != p.last.File {
		head |= 1
		from = 0
	}
	p.data = binary.AppendUvarint(p.data, head)
	if !known {
		for _, text := range []string{k.code, k.column, k.feature, k.hint} {
			p.data = append(binary.AppendUvarint(p.data, uint64(len(text))), text...)
		}
	}
	if r.File != p.last.File {
		p.data = binary.AppendUvarint(p.data, uint64(r.File-p.last.File))
	}
	p.data = binary.AppendUvarint(p.data, uint64(r.Offset-from))
	if r.Cause != nil {
		p.addCause(r, &of.text)
	}
	p.n, p.last = p.n+1, r.Position
}

// addCause adds the cause of a reject. last is the text of the last cause of its kind.
func (p *packer) addCause(r *Reject, last *string) {
	other, text := r.Cause.Other, r.Cause.Text
	p.data = binary.AppendVarint(p.data, int64(other.File-r.File))
	p.data = binary.AppendVarint(p.data, other.Offset-r.Offset)
	most, begin, end := min(len(text), len(*last)), 0, 0
	for begin < most && text[begin] == (*last)[begin] {
		begin++
	}
	for end < most-begin && text[len(text)-1-end] == (*last)[len(*last)-1-end] {
		end++
	}
	p.data = binary.AppendUvarint(p.data, uint64(begin))
	p.data = binary.AppendUvarint(p.data, uint64(end))
	p.data = binary.AppendUvarint(p.data, uint64(len(text)-begin-end))
	p.data = append(p.data, text[begin:len(text)-end]...)
	if *last = text; text == "" {
		p.data = binary.AppendUvarint(p.data, uint64(r.Cause.Step))
		p.data = binary.AppendUvarint(p.data, uint64(r.Cause.Steps))
	}
}

// A cursor decodes a run.
type cursor struct {
	data   []byte
	kinds  []unpackedKind
	reject Reject
	cause  rows.GroupCause
}

// An unpackedKind is a kind, and the text of its last cause.
type unpackedKind struct {
	kind
	text string
}

var errPacked = errors.New("the list of rejects is damaged")

// next decodes the next reject; ok is false at the end.
func (c *cursor) next() (ok bool, err error) {
	if len(c.data) == 0 {
		return false, nil
	}
	head := c.uvarint()
	switch n := uint64(len(c.kinds)); {
	case head/4 == n:
		c.kinds = append(c.kinds, unpackedKind{kind: kind{c.string(), c.string(), c.string(), c.string()}})
	case head/4 > n:
		return false, errPacked
	}
	k := &c.kinds[head/4]
	r := &c.reject
	if head&1 != 0 {
		r.File, r.Offset = r.File+int(c.uvarint()), 0
	}
	r.Offset += int64(c.uvarint())
	r.Code, r.Cause = k.code, nil
	if head&2 != 0 {
		c.cause.Column, c.cause.Feature, c.cause.Hint = k.column, k.feature, k.hint
		c.cause.Other.File = r.File + int(c.varint())
		c.cause.Other.Offset = r.Offset + c.varint()
		c.readText(&k.text)
		c.cause.Text, r.Cause = k.text, &c.cause
		if c.cause.Step, c.cause.Steps = 0, 0; k.text == "" {
			c.cause.Step, c.cause.Steps = int(c.uvarint()), int(c.uvarint())
		}
	}
	if c.data == nil {
		return false, errPacked
	}
	return true, nil
}

// readText decodes the text of a cause. text is the last one of its kind.
func (c *cursor) readText(text *string) {
	begin, end, middle := c.uvarint(), c.uvarint(), c.string()
	switch n := uint64(len(*text)); {
	case begin > n || end > n-begin:
		c.data = nil
	case begin+end < n || middle != "":
		*text = (*text)[:begin] + middle + (*text)[n-end:]
	}
}

// uvarint, varint, and string decode the next value. After damage data is nil.
func (c *cursor) uvarint() uint64 {
	n, size := binary.Uvarint(c.data)
	c.skip(size)
	return n
}

func (c *cursor) varint() int64 {
	n, size := binary.Varint(c.data)
	c.skip(size)
	return n
}

func (c *cursor) skip(size int) {
	if size <= 0 {
		c.data = nil
		return
	}
	c.data = c.data[size:]
}

func (c *cursor) string() string {
	n := c.uvarint()
	if n > uint64(len(c.data)) {
		c.data = nil
		return ""
	}
	text := string(c.data[:n])
	c.data = c.data[n:]
	return text
}

// A merge returns the rejects of runs in source order. The cursors are a heap.
type merge []*cursor

func newMerge(runs [][]byte) *merge {
	m := &merge{}
	for _, run := range runs {
		if c := (&cursor{data: run}); c.advance() {
			*m = append(*m, c)
		}
	}
	for i := len(*m)/2 - 1; i >= 0; i-- {
		m.sink(i)
	}
	return m
}

// advance is next for a run of this process, or one that Decode has checked.
func (c *cursor) advance() bool {
	ok, err := c.next()
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return ok
}

// first returns the first reject; nil without rejects.
func (m *merge) first() *Reject {
	if len(*m) == 0 {
		return nil
	}
	return &(*m)[0].reject
}

// next returns the reject after the last one; nil at the end.
func (m *merge) next() *Reject {
	h := *m
	if !h[0].advance() {
		h[0] = h[len(h)-1]
		*m = h[:len(h)-1]
	}
	m.sink(0)
	return m.first()
}

// sink moves a cursor down until none below has an earlier reject.
func (m *merge) sink(i int) {
	h := *m
	for {
		least := i
		for _, k := range []int{2*i + 1, 2*i + 2} {
			if k < len(h) && before(h[k].reject.Position, h[least].reject.Position) {
				least = k
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

func comparePositions(a, b order.Position) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset))
}

// before reports whether a is before b in source order.
func before(a, b order.Position) bool { return comparePositions(a, b) < 0 }
