package statistics

import "math"

// A tally is a column of a Counter.
//
// What was wide in the last block is expected to be so in the next, and counted in
// the sketch from the start. Until the sketch shows that it is right, the values
// are held, too, so that nothing depends on what was expected.
type tally struct {
	column
	name   name
	field  int // its number, or -1
	prefix int // what stands before the content of its list in a short entry
	of     *candidates

	pending []uint64 // numbers that are not yet counted
	sizes   []uint32 // how many texts have each size, where the column is wide
	isGuess bool
	held    held
	spare   *sketch
}

// batch is how many numbers are counted together.
const batch = 256

// held are values that are kept as they come.
type held struct {
	numbers []uint64
	texts   []byte
	ends    []int // of the texts
}

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

// addInt counts an integer, which may be a class.
func (t *tally) addInt(v int64) {
	if class := uint64(v - t.first); class < uint64(t.many) {
		t.classes.add(int(class), t.many, 1)
		return
	}
	t.addNumber(uint64(v))
}

// flush counts the numbers that are pending.
func (t *tally) flush() {
	numbers := t.pending
	t.pending = t.pending[:0]
	if t.isFloat() {
		for i, b := range numbers {
			numbers[i] = floatKey(math.Float64frombits(b))
		}
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
	if size := len(k.text); size < len(t.sizes) {
		t.sizes[size]++
	} else {
		t.addSize(size)
	}
	t.wide.addContent(k, 1, &t.shape, t.of)
	if t.isGuess {
		t.hold(k.text)
	}
}

// addSize counts the size of a text that is long, or the first.
func (t *tally) addSize(size int) {
	if t.sizes == nil && size <= mostText {
		t.sizes = make([]uint32, mostText+1)
		t.sizes[size]++
		return
	}
	t.wide.numbers.addInt(int64(size), 1)
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
	t.wide, t.spare = t.takeSketch(), nil
	t.pour(t.wide, t.of)
	t.numbers, t.texts = numberTable{}, textTable{}
}

func (t *tally) takeSketch() *sketch {
	if t.spare != nil {
		return t.spare
	}
	return t.newSketch()
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
	h.texts = append(h.texts, text...)
	h.ends = append(h.ends, len(h.texts))
	if len(h.ends) == mostHeld || len(h.texts) > mostHeldBytes {
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
	switch {
	case t.wide == nil && c.wide != nil:
		t.wide, t.spare = t.takeSketch(), nil
	case t.wide != nil && c.wide == nil:
		t.wide, t.spare = nil, t.wide
	}
	t.isGuess = t.wide != nil
}
