package statistics

// An accumulator is a column of a Counter.
//
// A column that needed a sketch in the last block is expected to need one in the next. So the
// next block goes to a sketch from the start. Until the Summary or the sketch itself proves that
// the column is wide, the values are also buffered. If the proof fails, they are counted again in
// a table. So the result does not depend on the expectation.
type accumulator struct {
	column
	name       name
	field      int // the index in the layout, or -1
	candidates *columnCandidates

	pending       []uint64              // numbers that are not yet counted
	smallInts     *[smallIntCount]int64 // the counts of the integers of one byte; for floats, of 0
	sizes         []uint32              // the number of strings of each size, in a wide column
	isSpeculative bool                  // the column has a sketch without proof that it is wide
	buffered      valueBuffer           // the values in the sketch while isSpeculative
	spare         *sketch               // an empty sketch for later
}

// smallIntCount is the number of integers whose varint has one byte. They have their own counts.
const smallIntCount = 0x80

// numberBatch is the number of numbers that are counted together.
const numberBatch = 256

// A valueBuffer stores values in the order in which they come.
type valueBuffer struct {
	numbers []uint64
	strings []byte
	ends    []int // offsets in strings
}

// add stores a string.
func (h *valueBuffer) add(text []byte) {
	h.strings = append(h.strings, text...)
	h.ends = append(h.ends, len(h.strings))
}

// isFull reports whether the buffer takes no more strings.
func (h *valueBuffer) isFull() bool {
	return len(h.ends) >= maxBuffered || len(h.strings) > maxBufferedBytes
}

func (h *valueBuffer) reset() {
	h.numbers, h.strings, h.ends = h.numbers[:0], h.strings[:0], h.ends[:0]
}

// The limits of a valueBuffer, in values and in bytes of strings.
const (
	maxBuffered      = 1 << 13
	maxBufferedBytes = 1 << 18
)

// setCandidates sets the candidates of the next block. Their indexes differ from those before.
func (t *accumulator) setCandidates(c *Candidates) {
	t.candidates = c.forColumn(t.name)
	for _, s := range []*sketch{t.wide, t.spare} {
		if s != nil {
			s.candidateCounts = nil
		}
	}
}

// addNumber counts a number: an integer, or the bits of a float64.
func (t *accumulator) addNumber(bits uint64) {
	t.pending = append(t.pending, bits)
	if len(t.pending) == numberBatch {
		t.flush()
	}
}

// addSmallInt counts an integer of one byte, or the float 0, n times.
func (t *accumulator) addSmallInt(v byte, n int64) {
	if t.smallInts == nil {
		t.smallInts = new([smallIntCount]int64)
	}
	t.smallInts[v&(smallIntCount-1)] += n
}

// flushSmallInts counts the small integers in the table or the sketch.
func (t *accumulator) flushSmallInts() {
	if t.smallInts == nil {
		return
	}
	for v, n := range t.smallInts {
		if n > 0 && !t.addClass(uint64(v), n) {
			t.addTimes(uint64(v), n)
		}
	}
	clear(t.smallInts[:])
}

// addClasses counts the integers that are classes, and returns the others.
func (t *accumulator) addClasses(numbers []uint64) []uint64 {
	others := numbers[:0]
	for _, key := range numbers {
		if !t.addClass(key, 1) {
			others = append(others, key)
		}
	}
	return others
}

// addTimes counts a number n times.
func (t *accumulator) addTimes(key uint64, n int64) {
	if t.wide == nil {
		if t.numbers.add(key, n) {
			return
		}
		t.widen()
	}
	t.wide.addNumber(key, n, t.candidates)
}

// keys converts the bits of floats to keys, and counts and removes zeros.
func (t *accumulator) keys(numbers []uint64) []uint64 {
	n := 0
	for _, b := range numbers {
		if b<<1 > infinity<<1 {
			b = nanKey
		}
		numbers[n] = b
		if b<<1 != 0 {
			n++
		}
	}
	if n < len(numbers) {
		t.addSmallInt(0, int64(len(numbers)-n))
	}
	return numbers[:n]
}

// infinity is the bits of the float64 +Inf.
const infinity = 0x7ff << 52

// flush counts the pending numbers.
func (t *accumulator) flush() {
	numbers := t.pending
	t.pending = t.pending[:0]
	switch {
	case t.isFloat():
		numbers = t.keys(numbers)
	case t.classCount > 0:
		numbers = t.addClasses(numbers)
	}
	if t.wide == nil {
		if numbers = t.numbers.addAll(numbers); len(numbers) == 0 {
			return
		}
		t.widen()
	}
	t.wide.addNumbers(numbers, t.candidates)
	if t.isSpeculative && !t.confirmWide() {
		if t.buffered.numbers = append(t.buffered.numbers, numbers...); len(t.buffered.numbers) >= maxBuffered {
			t.replayBuffered()
		}
	}
}

// addString counts a string.
func (t *accumulator) addString(k *stringKey) {
	if t.wide == nil {
		if t.strings.add(k, 1) {
			return
		}
		t.widen()
	}
	t.addWide(k)
}

// addWide counts a string in the sketch.
func (t *accumulator) addWide(k *stringKey) {
	switch size := len(k.text); {
	case size < len(t.sizes):
		t.sizes[size]++
	case t.sizes == nil && size <= maxTableString:
		t.sizes = make([]uint32, maxTableString+1)
		t.sizes[size]++
	default:
		t.wide.numbers.addInt(int64(size), 1)
	}
	t.wide.addContent(k, 1, &t.shape, t.candidates)
	if t.isSpeculative {
		t.bufferString(k.text)
	}
}

// flushSizes adds the sizes of strings to the sketch.
func (t *accumulator) flushSizes() {
	for size, n := range t.sizes {
		if n > 0 {
			t.wide.numbers.addInt(int64(size), int64(n))
			t.sizes[size] = 0
		}
	}
}

// widen replaces the table by a sketch.
func (t *accumulator) widen() {
	t.wide, t.spare = t.spare, nil
	if t.wide == nil {
		t.wide = t.newSketch()
	}
	t.addTablesTo(t.wide, t.candidates)
	t.numbers, t.strings = numberTable{}, stringTable{}
}

// confirmWide reports whether the column is known to be wide. If the sketch proves it, the
// buffered values are discarded.
func (t *accumulator) confirmWide() bool {
	if t.wide.distinct.used > maxTableValues {
		t.isSpeculative = false
		t.buffered.reset()
	}
	return !t.isSpeculative
}

// bufferString buffers a string, unless the column is known to be wide.
func (t *accumulator) bufferString(text []byte) {
	h := &t.buffered
	switch {
	case len(text) > maxTableString:
		t.isSpeculative = false
		h.reset()
		return
	case t.confirmWide():
		return
	}
	if h.add(text); h.isFull() {
		t.replayBuffered()
	}
}

// replayBuffered replaces the sketch by a table, and counts the buffered values in it.
func (t *accumulator) replayBuffered() {
	t.wide.reset()
	clear(t.sizes)
	t.isSpeculative, t.spare, t.wide = false, t.wide, nil
	t.pending = append(t.pending, t.buffered.numbers...)
	t.flush()
	begin := 0
	for _, end := range t.buffered.ends {
		var k stringKey
		k.set(t.buffered.strings[begin:end])
		t.addString(&k)
		begin = end
	}
	t.buffered.reset()
}

// flushTo adds all counts to a column, and resets the accumulator.
func (t *accumulator) flushTo(c *column) {
	t.flush()
	if t.isSpeculative && c.wide == nil {
		t.replayBuffered()
	}
	t.flushSmallInts()
	if t.wide != nil {
		t.flushSizes()
	}
	c.merge(&t.column, t.candidates)
	t.singleValued, t.lengths = 0, lengthStats{}
	t.classes.reset()
	t.numbers.reset()
	t.strings.reset()
	t.buffered.reset()
	if t.wide != nil {
		t.wide.reset()
	}
	if t.wide != nil && c.wide == nil {
		t.wide, t.spare = nil, t.wide
	}
	t.beginColumn(c)
}

// beginColumn sets the column that the next values belong to; nil for a new column.
func (t *accumulator) beginColumn(c *column) {
	isWide := c != nil && c.wide != nil
	if isWide && t.wide == nil {
		t.widen()
	}
	t.isSpeculative = t.wide != nil && !isWide
}
