package statistics

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// A shape says how the values of a column are counted.
type shape struct {
	list        list
	isText      bool         // byte strings that are expected to be UTF-8
	imageReader *ImageReader // of byte strings that may be images, else nil
	firstClass  int64        // the number of the first class
	classCount  int          // 0 if the numbers are not classes
}

func (s shape) isFloat() bool { return s.list == floatList || s.list == doubleList }

// A column is the statistics of a key in one type of list. While it has few distinct values, a
// table counts each of them, and all statistics follow from the table. After that the column is
// wide, and a sketch replaces the table.
type column struct {
	shape
	singleValued int64       // records that have one value
	lengths      lengthStats // of all other records that have the key
	classes      classCounts
	numbers      numberTable
	strings      stringTable
	wide         *sketch
}

// lengthStats are the numbers of values of records, except records with one value.
type lengthStats struct {
	n, values   int64 // records, and the values of all of them
	least, most int64 // values of one record; 0 if n is 0
}

func (l *lengthStats) add(values int64) { l.merge(lengthStats{1, values, values, values}) }

func (l *lengthStats) merge(others lengthStats) {
	switch {
	case others.n == 0:
		return
	case l.n == 0:
		*l = others
		return
	}
	l.n += others.n
	l.values += others.values
	l.least, l.most = min(l.least, others.least), max(l.most, others.most)
}

// A sketch counts the values of a column that has too many for a table.
type sketch struct {
	numbers         logHistogram // the values; for byte strings, their sizes
	distinct        hyperLogLog
	candidateCounts []int64 // by the index of the candidate; nil if none occurred
	notUTF8         int64
	images          *images
}

func (s shape) newSketch() *sketch {
	k := &sketch{numbers: newLogHistogram(s.list)}
	if s.imageReader != nil {
		k.images = newImages(s.imageReader)
	}
	return k
}

// Tables store numbers as keys. Equal numbers have equal keys: all NaNs have one key, and both
// zeros.

func intKey(v int64) uint64 { return uint64(v) }

var nanKey = math.Float64bits(math.NaN())

func floatKey(f float64) uint64 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return nanKey
	}
	return math.Float64bits(f)
}

// maxChecked is the number of bytes of a value that the UTF-8 check reads.
const maxChecked = 1 << 12

// isUTF8 reports whether the beginning of a string is UTF-8.
func isUTF8(text []byte) bool {
	if len(text) <= maxChecked {
		return utf8.Valid(text)
	}
	end := maxChecked
	for end > maxChecked-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return utf8.Valid(text[:end])
}

// isASCII reports whether a string of 17 to 127 bytes is ASCII. For other lengths it returns false. It takes
// less time than utf8.Valid.
func isASCII(text []byte) bool {
	n := len(text)
	if n <= maxInline || n > 0x7f {
		return false
	}
	all := words16(text) | words16(text[n-16:])
	if n > 32 {
		all |= words16(text[16:]) | words16(text[n-32:])
		if n > 64 {
			all |= words16(text[32:]) | words16(text[48:]) | words16(text[n-48:]) | words16(text[n-64:])
		}
	}
	return all&ascii == 0
}

// words16 returns the bitwise or of the first two words of 8 bytes.
func words16(text []byte) uint64 {
	text = text[:16]
	return binary.LittleEndian.Uint64(text) | binary.LittleEndian.Uint64(text[8:])
}

// A string of more than maxHashed bytes is identified by its length and its ends.
const (
	maxHashed = 1 << 10
	ends      = maxHashed / 2
)

// hashOf returns the hash of a string.
func hashOf(text []byte) uint64 {
	if len(text) <= maxHashed {
		return xxh3.Hash(text)
	}
	return xxh3.HashSeed(text[:ends], uint64(len(text))) ^ mix(xxh3.Hash(text[len(text)-ends:]))
}

// addNumber counts a number n times.
func (s *sketch) addNumber(key uint64, n int64, candidates *columnCandidates) {
	if s.numbers.float {
		s.numbers.addFloat(math.Float64frombits(key), n)
	} else {
		s.numbers.addInt(int64(key), n)
	}
	hash := mix(key)
	s.distinct.add(hash)
	if candidates != nil {
		s.addCandidate(candidates.indexOfNumber(hash, key), n, candidates)
	}
}

// addNumbers counts each number once.
func (s *sketch) addNumbers(keys []uint64, candidates *columnCandidates) {
	switch m := &s.numbers; {
	case !m.float:
		m.addInts(keys)
	case m.minExponent > 0:
		m.addFloat32s(keys)
	default:
		m.addFloats(keys)
	}
	s.distinct.addNumbers(keys)
	if candidates == nil {
		return
	}
	for _, key := range keys {
		s.addCandidate(candidates.indexOfNumber(mix(key), key), 1, candidates)
	}
}

// addString counts a string n times.
func (s *sketch) addString(k *stringKey, n int64, shape *shape, candidates *columnCandidates) {
	s.numbers.addInt(int64(len(k.text)), n)
	s.addContent(k, n, shape, candidates)
}

// ascii masks the bits that are 0 in eight bytes of ASCII.
const ascii = 0x8080808080808080

// addContent counts everything about a string except its size.
func (s *sketch) addContent(k *stringKey, n int64, shape *shape, candidates *columnCandidates) {
	s.distinct.add(mix(k.hash))
	isShort := len(k.text) <= maxInline
	isPlain := isShort && (k.a|k.b)&ascii == 0
	if shape.isText && !isPlain && (isShort || !isASCII(k.text)) && !isUTF8(k.text) {
		s.notUTF8 += n
	}
	if s.images != nil && (!shape.isText || !isPlain && shape.imageReader.Begins(k.text)) {
		s.images.add(k.text, n)
	}
	if candidates != nil && len(k.text) <= maxShown {
		s.addCandidate(candidates.indexOfString(k), n, candidates)
	}
}

// addCandidate counts the candidate with that index n times. A negative index does nothing.
func (s *sketch) addCandidate(at int, n int64, candidates *columnCandidates) {
	if at < 0 {
		return
	}
	if s.candidateCounts == nil {
		s.candidateCounts = make([]int64, candidates.size())
	}
	s.candidateCounts[at] += n
}

// merge adds the counts of others.
func (s *sketch) merge(others *sketch) {
	s.numbers.merge(&others.numbers)
	s.distinct.merge(&others.distinct)
	s.notUTF8 += others.notUTF8
	if others.images != nil {
		s.images.merge(others.images)
	}
	if s.candidateCounts == nil && others.candidateCounts != nil {
		s.candidateCounts = make([]int64, len(others.candidateCounts))
	}
	for i, n := range others.candidateCounts {
		s.candidateCounts[i] += n
	}
}

// reset sets all counts to 0, and keeps the memory.
func (s *sketch) reset() {
	s.numbers.reset()
	s.distinct = hyperLogLog{}
	s.notUTF8 = 0
	clear(s.candidateCounts)
	if s.images != nil {
		s.images.reset()
	}
}

// addClass counts an integer n times and returns true, if it is a class.
func (c *column) addClass(key uint64, n int64) bool {
	class := key - uint64(c.firstClass) // a number below the first wraps around, and is too large
	if class >= uint64(c.classCount) {
		return false
	}
	c.classes.add(int(class), c.classCount, n)
	return true
}

// addNumber counts a number n times.
func (c *column) addNumber(key uint64, n int64, candidates *columnCandidates) {
	if c.wide == nil {
		if c.numbers.add(key, n) {
			return
		}
		c.widen(candidates)
	}
	c.wide.addNumber(key, n, candidates)
}

// addString counts a string n times.
func (c *column) addString(k *stringKey, n int64, candidates *columnCandidates) {
	if c.wide == nil {
		if c.strings.add(k, n) {
			return
		}
		c.widen(candidates)
	}
	c.wide.addString(k, n, &c.shape, candidates)
}

// widen replaces the table by a sketch.
func (c *column) widen(candidates *columnCandidates) {
	c.wide = c.newSketch()
	c.addTablesTo(c.wide, candidates)
	c.numbers, c.strings = numberTable{}, stringTable{}
}

// addTablesTo adds the values in the tables to a sketch.
func (c *column) addTablesTo(to *sketch, candidates *columnCandidates) {
	for _, slot := range c.numbers.slots {
		if slot.n > 0 {
			to.addNumber(slot.key, slot.n, candidates)
		}
	}
	for i := range c.strings.slots {
		if slot := &c.strings.slots[i]; slot.n > 0 {
			k := c.strings.key(slot)
			to.addString(&k, slot.n, &c.shape, candidates)
		}
	}
}

// merge adds the counts of another column of the same shape.
func (c *column) merge(other *column, candidates *columnCandidates) {
	c.singleValued += other.singleValued
	c.lengths.merge(other.lengths)
	c.classes.merge(&other.classes, c.classCount)
	if other.wide != nil {
		if c.wide == nil {
			c.widen(candidates)
		}
		c.wide.merge(other.wide)
		return
	}
	for _, slot := range other.numbers.slots {
		if slot.n > 0 {
			c.addNumber(slot.key, slot.n, candidates)
		}
	}
	for i := range other.strings.slots {
		if slot := &other.strings.slots[i]; slot.n > 0 {
			k := other.strings.key(slot)
			c.addString(&k, slot.n, candidates)
		}
	}
}

// present returns the number of records that have the key, with or without values.
func (c *column) present() int64 { return c.singleValued + c.lengths.n }
