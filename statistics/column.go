package statistics

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// A shape says how the values of a column are counted.
type shape struct {
	list    list
	isText  bool  // bytes that are to be UTF-8
	isImage bool  // bytes that may be images
	first   int64 // the number of the first class
	many    int   // how many classes there are; 0 where numbers are no classes
}

func (s shape) isFloat() bool { return s.list == floatList || s.list == doubleList }

// A column is what is counted of the values of a key in one kind of list. As long
// as few values differ they are counted one by one in a table, from which all else
// follows. From then on it is wide, and has a sketch in the place of the table.
type column struct {
	shape
	ones    int64 // records that have one value
	records lengths
	classes classCounts
	numbers numberTable
	texts   textTable
	wide    *sketch
}

// lengths are the records that have a key with any other number of values.
type lengths struct {
	n, values   int64
	least, most int64 // of a record; 0 where n is
}

func (l *lengths) add(values int64) { l.merge(lengths{1, values, values, values}) }

func (l *lengths) merge(others lengths) {
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

// A sketch is what is counted of many values.
type sketch struct {
	numbers    moments // the values; of bytes their sizes
	distinct   registers
	candidates []int64 // how often each occurs
	notUTF8    int64
	images     *images
}

func (s shape) newSketch() *sketch {
	k := &sketch{numbers: newMoments(s.list)}
	if s.isImage {
		k.images = newImages()
	}
	return k
}

// The keys of numbers: equal numbers have one key. All NaNs are one, and so are
// both zeros.

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

// checked is how many bytes of a value are looked at: whether it is UTF-8.
const checked = 1 << 12

// isUTF8 reports whether the beginning of a text is UTF-8.
func isUTF8(text []byte) bool {
	if len(text) <= checked {
		return utf8.Valid(text)
	}
	end := checked
	for end > checked-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return utf8.Valid(text[:end])
}

// isASCII reports whether a text of 17 to 127 bytes is ASCII; of another it may report
// that it is not. Texts whose hash takes the same steps take the same ones here.
func isASCII(text []byte) bool {
	n := len(text)
	if n <= longest || n > 0x7f {
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

// words16 are the bits of the first 16 bytes.
func words16(text []byte) uint64 {
	text = text[:16]
	return binary.LittleEndian.Uint64(text) | binary.LittleEndian.Uint64(text[8:])
}

// A text of more than hashed bytes is known by its length and its ends.
const (
	hashed = 1 << 10
	ends   = hashed / 2
)

// hashOf is equal for equal texts.
func hashOf(text []byte) uint64 {
	if len(text) <= hashed {
		return xxh3.Hash(text)
	}
	return xxh3.HashSeed(text[:ends], uint64(len(text))) ^ mix(xxh3.Hash(text[len(text)-ends:]))
}

// addNumber counts a number by its key n times in the sketch.
func (s *sketch) addNumber(key uint64, n int64, of *candidates) {
	if s.numbers.float {
		s.numbers.addFloat(math.Float64frombits(key), n)
	} else {
		s.numbers.addInt(int64(key), n)
	}
	hash := mix(key)
	s.distinct.add(hash)
	if of != nil {
		s.candidate(of.number(hash, key), n, of)
	}
}

// addNumbers counts each of some numbers once in the sketch.
func (s *sketch) addNumbers(keys []uint64, of *candidates) {
	switch m := &s.numbers; {
	case !m.float:
		m.addInts(keys)
	case m.least > 0:
		m.addSingles(keys)
	default:
		m.addFloats(keys)
	}
	s.distinct.addNumbers(keys)
	if of == nil {
		return
	}
	for _, key := range keys {
		s.candidate(of.number(mix(key), key), 1, of)
	}
}

// addText counts a text n times in the sketch.
func (s *sketch) addText(k *textKey, n int64, shape *shape, of *candidates) {
	s.numbers.addInt(int64(len(k.text)), n)
	s.addContent(k, n, shape, of)
}

// ascii are the bits that the bytes of ASCII lack.
const ascii = 0x8080808080808080

// addContent counts all but the size of a text.
func (s *sketch) addContent(k *textKey, n int64, shape *shape, of *candidates) {
	s.distinct.add(mix(k.hash))
	isShort := len(k.text) <= longest
	isPlain := isShort && (k.a|k.b)&ascii == 0
	if shape.isText && !isPlain && (isShort || !isASCII(k.text)) && !isUTF8(k.text) {
		s.notUTF8 += n
	}
	if s.images != nil && (!shape.isText || !isPlain && beginsImage(k.text)) {
		s.images.add(k.text, n)
	}
	if of != nil && len(k.text) <= shown {
		s.candidate(of.text(k), n, of)
	}
}

// candidate counts a candidate by its place, which is negative for none.
func (s *sketch) candidate(at int, n int64, of *candidates) {
	if at < 0 {
		return
	}
	if s.candidates == nil {
		s.candidates = make([]int64, of.size())
	}
	s.candidates[at] += n
}

// merge adds what others have.
func (s *sketch) merge(others *sketch) {
	s.numbers.merge(&others.numbers)
	s.distinct.merge(&others.distinct)
	s.notUTF8 += others.notUTF8
	if others.images != nil {
		s.images.merge(others.images)
	}
	if s.candidates == nil && others.candidates != nil {
		s.candidates = make([]int64, len(others.candidates))
	}
	for i, n := range others.candidates {
		s.candidates[i] += n
	}
}

// reset forgets all, and keeps the memory.
func (s *sketch) reset() {
	s.numbers.reset()
	s.distinct = registers{}
	s.notUTF8 = 0
	clear(s.candidates)
	if s.images != nil {
		s.images.reset()
	}
}

// addClass counts an integer n times, if it is a class.
func (c *column) addClass(key uint64, n int64) bool {
	class := key - uint64(c.first)
	if class >= uint64(c.many) {
		return false
	}
	c.classes.add(int(class), c.many, n)
	return true
}

// addNumber counts a number by its key n times.
func (c *column) addNumber(key uint64, n int64, of *candidates) {
	if c.wide == nil {
		if c.numbers.add(key, n) {
			return
		}
		c.widen(of)
	}
	c.wide.addNumber(key, n, of)
}

// addText counts a text n times.
func (c *column) addText(k *textKey, n int64, of *candidates) {
	if c.wide == nil {
		if c.texts.add(k, n) {
			return
		}
		c.widen(of)
	}
	c.wide.addText(k, n, &c.shape, of)
}

// widen puts a sketch in the place of the table.
func (c *column) widen(of *candidates) {
	c.wide = c.newSketch()
	c.pour(c.wide, of)
	c.numbers, c.texts = numberTable{}, textTable{}
}

// pour adds what the tables hold to a sketch.
func (c *column) pour(to *sketch, of *candidates) {
	for _, slot := range c.numbers.slots {
		if slot.n > 0 {
			to.addNumber(slot.key, slot.n, of)
		}
	}
	for i := range c.texts.slots {
		if slot := &c.texts.slots[i]; slot.n > 0 {
			k := c.texts.key(slot)
			to.addText(&k, slot.n, &c.shape, of)
		}
	}
}

// merge adds what another column has counted of the same kind of values.
func (c *column) merge(other *column, of *candidates) {
	c.ones += other.ones
	c.records.merge(other.records)
	c.classes.merge(&other.classes, c.many)
	if other.wide != nil {
		if c.wide == nil {
			c.widen(of)
		}
		c.wide.merge(other.wide)
		return
	}
	for _, slot := range other.numbers.slots {
		if slot.n > 0 {
			c.addNumber(slot.key, slot.n, of)
		}
	}
	for i := range other.texts.slots {
		if slot := &other.texts.slots[i]; slot.n > 0 {
			k := other.texts.key(slot)
			c.addText(&k, slot.n, of)
		}
	}
}

// present is how many records have the key, with or without values.
func (c *column) present() int64 { return c.ones + c.records.n }
