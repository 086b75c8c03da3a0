package statistics

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"

	"tfr-build/message"
)

// SampleRecords is how many records of a split a sample has at most.
const SampleRecords = 1024

// Candidates are the values of a split that may be its most frequent ones, where
// so many differ that not all of them are counted one by one: those that a sample
// of the records has twice or more. They may be used by several goroutines.
type Candidates struct {
	of map[name]*candidates
}

// candidates are those of one column: numbers, or texts.
type candidates struct {
	filter  [filterWords]uint64 // bits of hashes: most values are none
	numbers numberTable         // the places plus 1
	texts   textTable
}

// filterWords is how many words a filter has.
const filterWords = 64

// The bounds of the candidates of a column.
const (
	mostCandidates = 256
	mostOfAll      = 1 << 16 // candidates, where there are many columns
	shown          = 80      // bytes of a text that is shown; a longer one is no candidate
)

// size is how many there are.
func (c *candidates) size() int {
	if c == nil {
		return 0
	}
	return c.numbers.used + len(c.texts.slots)
}

func (c *candidates) mayHave(hash uint64) bool {
	return c.filter[hash>>6%filterWords]>>(hash&63)&1 != 0
}

// number is the place of a number, and -1 where it is none.
func (c *candidates) number(hash, key uint64) int {
	if !c.mayHave(hash) {
		return -1
	}
	return int(c.numbers.find(key)) - 1
}

// text is the place of a text, and -1 where it is none.
func (c *candidates) text(k *textKey) int {
	if !c.mayHave(k.hash) {
		return -1
	}
	return int(c.texts.find(k)) - 1
}

func (c *candidates) addNumber(key uint64) {
	hash := mix(key)
	c.filter[hash>>6%filterWords] |= 1 << (hash & 63)
	c.numbers.add(key, int64(c.size()+1))
}

func (c *candidates) addText(text []byte) {
	var k textKey
	k.set(text)
	c.filter[k.hash>>6%filterWords] |= 1 << (k.hash & 63)
	c.texts.add(&k, int64(c.size()+1))
}

// forColumn are the candidates of a column; nil for none.
func (c *Candidates) forColumn(n name) *candidates {
	if c == nil {
		return nil
	}
	return c.of[n]
}

// A sample counts the values of a few records.
type sample struct {
	layout  *Layout
	numbers map[name]map[uint64]int
	texts   map[name]map[string]int
}

// Candidates takes them from a sample of the records of a split: at most SampleRecords
// payloads, in an order that is always the same.
func (l *Layout) Candidates(payloads [][]byte) *Candidates {
	s := sample{l, map[name]map[uint64]int{}, map[name]map[string]int{}}
	var m message.Message
	for _, payload := range payloads {
		s.record(&m, payload)
	}
	return s.candidates()
}

func (s *sample) record(m *message.Message, payload []byte) {
	if s.layout.kind == message.None {
		if len(s.layout.fields) > 0 {
			s.text(s.layout.fieldName(0), payload)
		}
		return
	}
	if m.Read(s.layout.kind, payload) != nil || m.Kind == message.None {
		return
	}
	for _, e := range m.Features {
		s.feature(e.Key, false, e.Value)
	}
	for _, e := range m.Lists {
		for step := range e.Value.Steps() {
			s.feature(e.Key, true, step)
		}
	}
}

func (s *sample) feature(key []byte, steps bool, f message.Feature) {
	n := name{string(key), steps, listOf(f.List)}
	switch n.list {
	case bytesList:
		for text := range f.Bytes() {
			s.text(n, text)
		}
	case int64List, int32List: // floats that repeat and are many are rarely worth a look
		eachNumber(f, n.list, func(key uint64) { s.number(n, key) })
	}
}

// eachNumber tells of the keys of the numbers of a feature.
func eachNumber(f message.Feature, l list, tell func(key uint64)) {
	switch l {
	case floatList:
		for v := range f.Floats() {
			tell(floatKey(float64(v)))
		}
	case doubleList:
		for v := range f.Doubles() {
			tell(floatKey(v))
		}
	case int64List, int32List:
		for v := range f.Ints() {
			tell(intKey(v))
		}
	}
}

func (s *sample) number(n name, key uint64) {
	if s.numbers[n] == nil {
		s.numbers[n] = map[uint64]int{}
	}
	count(s.numbers[n], key)
}

func (s *sample) text(n name, text []byte) {
	if len(text) > shown || !utf8.Valid(text) {
		return
	}
	if s.texts[n] == nil {
		s.texts[n] = map[string]int{}
	}
	count(s.texts[n], string(text))
}

// mostSampled is how many values of a column are told apart: the first ones.
const mostSampled = 1 << 16

func count[K comparable](counts map[K]int, value K) {
	if len(counts) < mostSampled || counts[value] > 0 {
		counts[value]++
	}
}

// candidates are the most frequent values, equally frequent ones in order.
func (s *sample) candidates() *Candidates {
	c := &Candidates{map[name]*candidates{}}
	columns := len(s.numbers) + len(s.texts)
	most := min(mostCandidates, max(usualTop, mostOfAll/max(columns, 1)))
	for n, counts := range s.numbers {
		for _, key := range frequent(counts, most) {
			c.make(n).addNumber(key)
		}
	}
	for n, counts := range s.texts {
		for _, text := range frequent(counts, most) {
			c.make(n).addText([]byte(text))
		}
	}
	return c
}

// make returns the candidates of a column, to add some.
func (c *Candidates) make(n name) *candidates {
	of := c.of[n]
	if of == nil {
		of = new(candidates)
		c.of[n] = of
	}
	return of
}

// frequent are the most frequent ones of those that are there twice.
func frequent[K cmp.Ordered](counts map[K]int, most int) []K {
	var all []K
	for k, n := range counts {
		if n > 1 {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b K) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	return all[:min(len(all), most)]
}

// CandidatesOf takes them from a Document of the same records: its most frequent
// values in the split of that number.
func (l *Layout) CandidatesOf(d *Document, split int) *Candidates {
	c := &Candidates{map[name]*candidates{}}
	for i := range d.Features {
		f := &d.Features[i]
		if split >= len(f.Splits) {
			continue
		}
		n := name{f.Key, f.Steps, listOf(f.List)}
		for _, top := range f.Splits[split].Top {
			if !top.Cut {
				c.addShown(n, top.Value)
			}
		}
	}
	return c
}

// addShown adds a value as a Document shows it.
func (c *Candidates) addShown(n name, value string) {
	switch n.list {
	case bytesList:
		c.make(n).addText([]byte(value))
	case int64List, int32List:
		if v, err := strconv.ParseInt(value, 10, 64); err == nil {
			c.make(n).addNumber(intKey(v))
		}
	case floatList:
		if v, err := strconv.ParseFloat(value, 32); err == nil {
			c.make(n).addNumber(floatKey(float64(float32(v))))
		}
	case doubleList:
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			c.make(n).addNumber(floatKey(v))
		}
	}
}

// names are those of the columns that have candidates, in order.
func (c *Candidates) names() []name {
	var names []name
	for n := range c.of {
		names = append(names, n)
	}
	slices.SortFunc(names, compareNames)
	return names
}

func compareNames(a, b name) int {
	steps := func(n name) int {
		if n.steps {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(steps(a), steps(b)), cmp.Compare(a.key, b.key), cmp.Compare(a.list, b.list))
}

// AppendBinary appends the candidates as bytes, which are equal for equal ones:
//
//	columns | column …        column: name | values | value …
//	value: 8 bytes, or length | bytes
func (c *Candidates) AppendBinary(dst []byte) []byte {
	names := c.names()
	dst = binary.AppendUvarint(dst, uint64(len(names)))
	for _, n := range names {
		dst = appendName(dst, n)
		of := c.of[n]
		dst = binary.AppendUvarint(dst, uint64(of.size()))
		for _, key := range of.numberList() {
			dst = binary.LittleEndian.AppendUint64(dst, key)
		}
		for _, text := range of.textList() {
			dst = appendBytes(dst, text)
		}
	}
	return dst
}

// numberList are the numbers by their places.
func (c *candidates) numberList() []uint64 {
	all := make([]uint64, c.numbers.used)
	for _, slot := range c.numbers.slots {
		if slot.n > 0 {
			all[slot.n-1] = slot.key
		}
	}
	return all
}

// textList are the texts by their places.
func (c *candidates) textList() [][]byte {
	all := make([][]byte, len(c.texts.slots))
	for i := range c.texts.slots {
		if slot := &c.texts.slots[i]; slot.n > 0 {
			all[slot.n-1] = c.texts.text(slot)
		}
	}
	return all
}

// ErrDamaged says that bytes are not those that AppendBinary made.
var ErrDamaged = errors.New("statistics: damaged bytes")

// ParseCandidates reads what AppendBinary appended.
func ParseCandidates(data []byte) (*Candidates, error) {
	c := &Candidates{map[name]*candidates{}}
	r := reader{data: data}
	for range r.count(3) {
		n := r.name()
		of := c.make(n)
		for range r.count(1) {
			if n.list == bytesList {
				of.addText(r.bytes())
			} else {
				of.addNumber(r.uint64())
			}
		}
	}
	if r.failed || len(r.data) > 0 || !bytes.Equal(c.AppendBinary(nil), data) {
		return nil, ErrDamaged
	}
	return c, nil
}
