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

// SampleRecords is the maximum number of records in the sample of a split.
const SampleRecords = 1024

// Candidates are values of a split that may be its most frequent ones (heavy hitters). Columns
// with too many distinct values for an exact table count only these. A candidate occurs twice or
// more in a sample of the records. Candidates may be used by several goroutines.
type Candidates struct {
	columns map[name]*columnCandidates
}

// columnCandidates are the candidates of one column, either numbers or strings. The tables map
// each candidate to its index plus 1.
type columnCandidates struct {
	filter  [filterWords]uint64 // a Bloom filter with one hash: most values are not candidates
	numbers numberTable
	strings stringTable
}

// filterWords is the size of a filter in words of 64 bits.
// Of these 4,096 bits, 256 candidates set at most 6 %.
const filterWords = 64

// The limits of the candidates.
const (
	maxCandidates    = 256     // per column
	maxAllCandidates = 1 << 16 // of all columns
	maxShown         = 80      // bytes of a displayed string; a longer string is not a candidate
)

// size returns the number of candidates.
func (c *columnCandidates) size() int {
	if c == nil {
		return 0
	}
	return c.numbers.used + len(c.strings.slots)
}

func (c *columnCandidates) mayContain(hash uint64) bool {
	return c.filter[hash>>6%filterWords]>>(hash&63)&1 != 0
}

// indexOfNumber returns the index of a candidate, or -1 if the number is not a candidate.
func (c *columnCandidates) indexOfNumber(hash, key uint64) int {
	if !c.mayContain(hash) {
		return -1
	}
	return int(c.numbers.find(key)) - 1
}

// indexOfString returns the index of a candidate, or -1 if the string is not a candidate.
func (c *columnCandidates) indexOfString(k *stringKey) int {
	if !c.mayContain(k.hash) {
		return -1
	}
	return int(c.strings.find(k)) - 1
}

func (c *columnCandidates) addNumber(key uint64) {
	hash := mix(key)
	c.filter[hash>>6%filterWords] |= 1 << (hash & 63)
	c.numbers.add(key, int64(c.size()+1))
}

func (c *columnCandidates) addString(text []byte) {
	var k stringKey
	k.set(text)
	c.filter[k.hash>>6%filterWords] |= 1 << (k.hash & 63)
	c.strings.add(&k, int64(c.size()+1))
}

// forColumn returns the candidates of a column, or nil.
func (c *Candidates) forColumn(n name) *columnCandidates {
	if c == nil {
		return nil
	}
	return c.columns[n]
}

// A sample counts the values of a few records.
type sample struct {
	layout  *Layout
	numbers map[name]map[uint64]int
	strings map[name]map[string]int
}

// Candidates chooses the candidates of a split from a sample: at most SampleRecords payloads.
// Pass them in the same order each time, because a column counts a limited number of distinct
// values.
func (l *Layout) Candidates(payloads [][]byte) *Candidates {
	s := sample{l, map[name]map[uint64]int{}, map[name]map[string]int{}}
	var m message.Message
	for _, payload := range payloads {
		s.addRecord(&m, payload)
	}
	return s.candidates()
}

func (s *sample) addRecord(m *message.Message, payload []byte) {
	if s.layout.kind == message.None {
		if len(s.layout.fields) > 0 {
			s.addString(s.layout.fieldName(0), payload)
		}
		return
	}
	if m.Read(s.layout.kind, payload) != nil || m.Kind == message.None {
		return
	}
	for _, e := range m.Features {
		s.addFeature(e.Key, false, e.Value)
	}
	for _, e := range m.Lists {
		for step := range e.Value.Steps() {
			s.addFeature(e.Key, true, step)
		}
	}
}

func (s *sample) addFeature(key []byte, steps bool, f message.Feature) {
	n := name{string(key), steps, listOf(f.List)}
	switch n.list {
	case bytesList:
		for text := range f.Bytes() {
			s.addString(n, text)
		}
	case int64List, int32List: // floats with many repeated values are rarely worth it
		for v := range f.Ints() {
			s.addNumber(n, intKey(v))
		}
	}
}

func (s *sample) addNumber(n name, key uint64) {
	if s.numbers[n] == nil {
		s.numbers[n] = map[uint64]int{}
	}
	count(s.numbers[n], key)
}

func (s *sample) addString(n name, text []byte) {
	if len(text) > maxShown || !utf8.Valid(text) {
		return
	}
	if s.strings[n] == nil {
		s.strings[n] = map[string]int{}
	}
	count(s.strings[n], string(text))
}

// maxSampled is the maximum number of distinct values that a sample counts per column. Later ones
// are ignored.
const maxSampled = 1 << 16

func count[K comparable](counts map[K]int, value K) {
	if len(counts) < maxSampled || counts[value] > 0 { // a known value is counted when the map is full, too
		counts[value]++
	}
}

// candidates returns the most frequent values of each column. Ties are broken by value.
func (s *sample) candidates() *Candidates {
	c := &Candidates{map[name]*columnCandidates{}}
	columns := len(s.numbers) + len(s.strings)
	most := min(maxCandidates, max(defaultTop, maxAllCandidates/max(columns, 1))) // columns share the memory
	for n, counts := range s.numbers {
		for _, key := range frequent(counts, most) {
			c.make(n).addNumber(key)
		}
	}
	for n, counts := range s.strings {
		for _, text := range frequent(counts, most) {
			c.make(n).addString([]byte(text))
		}
	}
	return c
}

// make returns the candidates of a column, and creates them if necessary.
func (c *Candidates) make(n name) *columnCandidates {
	candidates := c.columns[n]
	if candidates == nil {
		candidates = new(columnCandidates)
		c.columns[n] = candidates
	}
	return candidates
}

// frequent returns the most frequent values that occur at least twice, at most so many.
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

// CandidatesOf returns the values in [Values.Top] of a document of the same records as
// candidates, for the split with that index.
func (l *Layout) CandidatesOf(d *Document, split int) *Candidates {
	c := &Candidates{map[name]*columnCandidates{}}
	for i := range d.Features {
		f := &d.Features[i]
		if split >= len(f.Splits) {
			continue
		}
		n := name{f.Key, f.Steps, listOf(f.List)}
		for _, top := range f.Splits[split].Top {
			if !top.Cut {
				c.addFormatted(n, top.Value)
			}
		}
	}
	return c
}

// addFormatted adds a value as a Document formats it.
func (c *Candidates) addFormatted(n name, value string) {
	switch n.list {
	case bytesList:
		c.make(n).addString([]byte(value))
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

// names returns the names of the columns that have candidates, sorted.
func (c *Candidates) names() []name {
	var names []name
	for n := range c.columns {
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

// AppendBinary appends the encoded candidates. Equal candidates have equal encodings:
//
//	columns | column …        column: name | values | value …
//	value: 8 bytes, or length | bytes
func (c *Candidates) AppendBinary(dst []byte) []byte {
	names := c.names()
	dst = binary.AppendUvarint(dst, uint64(len(names)))
	for _, n := range names {
		dst = appendName(dst, n)
		candidates := c.columns[n]
		dst = binary.AppendUvarint(dst, uint64(candidates.size()))
		for _, key := range candidates.numbersByIndex() {
			dst = binary.LittleEndian.AppendUint64(dst, key)
		}
		for _, text := range candidates.stringsByIndex() {
			dst = appendBytes(dst, text)
		}
	}
	return dst
}

// numbersByIndex returns the numbers in the order of their indexes.
func (c *columnCandidates) numbersByIndex() []uint64 {
	all := make([]uint64, c.numbers.used)
	for _, slot := range c.numbers.slots {
		if slot.n > 0 {
			all[slot.n-1] = slot.key // n is the index plus 1 here, no count
		}
	}
	return all
}

// stringsByIndex returns the strings in the order of their indexes.
func (c *columnCandidates) stringsByIndex() [][]byte {
	all := make([][]byte, len(c.strings.slots))
	for i := range c.strings.slots {
		if slot := &c.strings.slots[i]; slot.n > 0 {
			all[slot.n-1] = c.strings.text(slot)
		}
	}
	return all
}

// ErrDamaged is the error of data that AppendBinary did not write.
var ErrDamaged = errors.New("statistics: damaged bytes")

// ParseCandidates decodes candidates that AppendBinary encoded. The only error is ErrDamaged.
func ParseCandidates(data []byte) (*Candidates, error) {
	c := &Candidates{map[name]*columnCandidates{}}
	r := newReader(data)
	for range r.Count(3) {
		n := r.name()
		candidates := c.make(n)
		for range r.Count(1) {
			if n.list == bytesList {
				candidates.addString(r.bytes())
			} else {
				candidates.addNumber(r.Fixed64())
			}
		}
	}
	if !r.IsComplete() || !bytes.Equal(c.AppendBinary(nil), data) {
		return nil, ErrDamaged
	}
	return c, nil
}
