package statistics

// A tally is a column of a Counter.
//
// What was wide in the last block is expected to be so in the next, and counted in the
// sketch from the start. Unless the Summary shows that it is right, the values are held,
// too, until the sketch shows it: so nothing depends on what was expected.
type tally struct {
	column
	name  name
	field int // its number, or -1
	of    *candidates

	pending []uint64          // numbers that are not yet counted
	few     *[leastInts]int64 // how often each of the least integers occurs, and of floats 0
	sizes   []uint32          // how many texts have each size, where the column is wide
	isGuess bool
	held    held
	spare   *sketch
}

// leastInts is how many of the least integers are counted by themselves: those of
// one byte.
const leastInts = 0x80

// batch is how many numbers are counted together.
const batch = 256

// held are values that are kept as they come.
type held struct {
	numbers []uint64
	texts   []byte
	ends    []int // of the texts
}

// add holds a text.
func (h *held) add(text []byte) {
	h.texts = append(h.texts, text...)
	h.ends = append(h.ends, len(h.texts))
}

// isFull reports whether no more texts are to be held.
func (h *held) isFull() bool { return len(h.ends) >= mostHeld || len(h.texts) > mostHeldBytes }

func (h *held) drop() { h.numbers, h.texts, h.ends = h.numbers[:0], h.texts[:0], h.ends[:0] }

// mostHeld and mostHeldBytes bound what is held.
const (
	mostHeld      = 1 << 13
	mostHeldBytes = 1 << 18
)

// use sets the candidates of the next block, whose places are others.
func (t *tally) use(c *Candidates) {
	t.of = c.forColumn(t.name)
	for _, s := range []*sketch{t.wide, t.spare} {
		if s != nil {
			s.candidates = nil
		}
	}
}

// addNumber counts a number: an integer, or the bits of a float64.
func (t *tally) addNumber(bits uint64) {
	t.pending = append(t.pending, bits)
	if len(t.pending) == batch {
		t.flush()
	}
}

// addFew counts one of the least integers, or the float 0, n times.
func (t *tally) addFew(v byte, n int64) {
	if t.few == nil {
		t.few = new([leastInts]int64)
	}
	t.few[v&(leastInts-1)] += n
}

// pourFew counts the least integers.
func (t *tally) pourFew() {
	if t.few == nil {
		return
	}
	for v, n := range t.few {
		if n > 0 && !t.addClass(uint64(v), n) {
			t.addTimes(uint64(v), n)
		}
	}
	clear(t.few[:])
}

// addClasses counts those of some integers that are classes, and leaves them out.
func (t *tally) addClasses(numbers []uint64) []uint64 {
	others := numbers[:0]
	for _, key := range numbers {
		if !t.addClass(key, 1) {
			others = append(others, key)
		}
	}
	return others
}

// addTimes counts a number by its key n times.
func (t *tally) addTimes(key uint64, n int64) {
	if t.wide == nil {
		if t.numbers.add(key, n) {
			return
		}
		t.widen()
	}
	t.wide.addNumber(key, n, t.of)
}

// keys makes the keys of floats of their bits, and leaves out those that are 0.
func (t *tally) keys(numbers []uint64) []uint64 {
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
		t.addFew(0, int64(len(numbers)-n))
	}
	return numbers[:n]
}

// infinity are the bits of the infinite float64.
const infinity = 0x7ff << 52

// flush counts the numbers that are pending.
func (t *tally) flush() {
	numbers := t.pending
	t.pending = t.pending[:0]
	switch {
	case t.isFloat():
		numbers = t.keys(numbers)
	case t.many > 0:
		numbers = t.addClasses(numbers)
	}
	if t.wide == nil {
		if numbers = t.numbers.addAll(numbers); len(numbers) == 0 {
			return
		}
		t.widen()
	}
	t.wide.addNumbers(numbers, t.of)
	if t.isGuess && !t.isProven() {
		if t.held.numbers = append(t.held.numbers, numbers...); len(t.held.numbers) >= mostHeld {
			t.settle()
		}
	}
}

// addText counts a text.
func (t *tally) addText(k *textKey) {
	if t.wide == nil {
		if t.texts.add(k, 1) {
			return
		}
		t.widen()
	}
	t.addWide(k)
}

// addWide counts a text in the sketch.
func (t *tally) addWide(k *textKey) {
	switch size := len(k.text); {
	case size < len(t.sizes):
		t.sizes[size]++
	case t.sizes == nil && size <= mostText:
		t.sizes = make([]uint32, mostText+1)
		t.sizes[size]++
	default:
		t.wide.numbers.addInt(int64(size), 1)
	}
	t.wide.addContent(k, 1, &t.shape, t.of)
	if t.isGuess {
		t.hold(k.text)
	}
}

// pourSizes adds the sizes of texts to the sketch.
func (t *tally) pourSizes() {
	for size, n := range t.sizes {
		if n > 0 {
			t.wide.numbers.addInt(int64(size), int64(n))
			t.sizes[size] = 0
		}
	}
}

// widen puts a sketch in the place of the table.
func (t *tally) widen() {
	t.wide, t.spare = t.spare, nil
	if t.wide == nil {
		t.wide = t.newSketch()
	}
	t.pour(t.wide, t.of)
	t.numbers, t.texts = numberTable{}, textTable{}
}

// isProven reports whether the sketch shows that the column is wide.
func (t *tally) isProven() bool {
	if t.wide.distinct.used > mostValues {
		t.isGuess = false
		t.held.drop()
	}
	return !t.isGuess
}

// hold holds a text.
func (t *tally) hold(text []byte) {
	h := &t.held
	switch {
	case len(text) > mostText:
		t.isGuess = false
		h.drop()
		return
	case t.isProven():
		return
	}
	if h.add(text); h.isFull() {
		t.settle()
	}
}

// settle counts what is held in the table, in the place of the sketch.
func (t *tally) settle() {
	t.wide.reset()
	clear(t.sizes)
	t.isGuess, t.spare, t.wide = false, t.wide, nil
	t.pending = append(t.pending, t.held.numbers...)
	t.flush()
	begin := 0
	for _, end := range t.held.ends {
		var k textKey
		k.set(t.held.texts[begin:end])
		t.addText(&k)
		begin = end
	}
	t.held.drop()
}

// moveTo adds what was counted to a column, and forgets it.
func (t *tally) moveTo(c *column) {
	t.flush()
	if t.isGuess && c.wide == nil {
		t.settle()
	}
	t.pourFew()
	if t.wide != nil {
		t.pourSizes()
	}
	c.merge(&t.column, t.of)
	t.ones, t.records = 0, lengths{}
	t.classes.reset()
	t.numbers.reset()
	t.texts.reset()
	t.held.drop()
	if t.wide != nil {
		t.wide.reset()
	}
	if t.wide != nil && c.wide == nil {
		t.wide, t.spare = nil, t.wide
	}
	t.expect(c)
}

// expect says which column the next values belong to: nil where there is none yet.
func (t *tally) expect(c *column) {
	isWide := c != nil && c.wide != nil
	if isWide && t.wide == nil {
		t.widen()
	}
	t.isGuess = t.wide != nil && !isWide
}
