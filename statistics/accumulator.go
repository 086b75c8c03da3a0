package statistics

// An accumulator is a column of a Counter. If the column of the Summary is wide, so is it, from the start
// of a block.
type accumulator struct {
	column
	name       name
	field      int // the index in the layout, or -1
	candidates *columnCandidates

	pending   []uint64              // numbers that are not yet counted
	smallInts *[smallIntCount]int64 // the counts of the integers of one byte; for floats, of 0
	sizes     []uint32              // the number of strings of each size, in a wide column
	spare     *sketch               // an empty sketch for later
}

// smallIntCount is the number of integers whose varint has one byte. They have their own counts.
const smallIntCount = 0x80

// numberBatch is the number of numbers that are counted together.
const numberBatch = 256

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
		if b<<1 > infinity<<1 { // a NaN of either sign
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

// flushTo adds all counts to a column, and resets the accumulator.
func (t *accumulator) flushTo(c *column) {
	t.flush()
	t.flushSmallInts()
	if t.wide != nil {
		t.flushSizes()
	}
	if c.present() == 0 { // the first block: no copy
		c.wide, c.numbers, c.strings = t.wide, t.numbers, t.strings
		t.wide, t.numbers, t.strings = nil, numberTable{}, stringTable{}
	}
	c.merge(&t.column, t.candidates)
	t.singleValued, t.lengths = 0, lengthStats{}
	t.classes.reset()
	t.numbers.reset()
	t.strings.reset()
	if t.wide != nil {
		t.wide.reset()
	}
	t.beginColumn(c, false)
}

// beginColumn sets the column that the next values belong to; nil for a new column. It counts in a sketch if the
// column has one, or needs one.
func (t *accumulator) beginColumn(c *column, isWide bool) {
	switch isWide = isWide || c != nil && c.wide != nil; {
	case isWide && t.wide == nil:
		t.widen()
	case !isWide && t.wide != nil:
		t.wide, t.spare = nil, t.wide
	}
}
