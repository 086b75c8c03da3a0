package expr

import (
	"strconv"

	"tfr-build/schema"
)

// maxMade is the largest size of the strings that an expression builds per row, in bytes.
const maxMade = 16 << 20

// maxSteps is the largest number of elements that the expressions of a row visit and make.
const maxSteps = 1_000_000

// stepSize is how many bytes of a string count as a step if a comprehension reads it again for each
// element.
const stepSize = 256

// A Meter counts the steps of the expressions that share it. A step is an element that a
// comprehension visits, or an element of a new list. A comprehension in another one takes its steps
// each time, so the count bounds the time and the memory that a row takes.
type Meter struct{ steps int }

// Reset begins the count for the next row.
func (m *Meter) Reset() { m.steps = 0 }

// room reports whether n may build a string of this size, and otherwise records an error.
func (e *eval) room(n *node, size int) bool {
	if len(e.made)+size <= maxMade {
		return true
	}
	e.fail(n, codeLimit, "the strings made of one row have more than "+strconv.Itoa(maxMade)+" bytes", "")
	return false
}

// step counts steps of n, and records an error if the row has taken too many.
func (e *eval) step(n *node, steps int) bool {
	if steps <= maxSteps-e.meter.steps {
		e.meter.steps += steps
		return true
	}
	e.fail(n, codeLimit, "more than "+strconv.Itoa(maxSteps)+" elements and steps for one row", "")
	return false
}

// readAgain counts the steps of reading v in a comprehension, which takes time for long strings.
func (e *eval) readAgain(n *node, v *schema.Value) {
	if v.Kind < schema.Bytes && len(v.Text) >= stepSize {
		e.step(n, len(v.Text)/stepSize)
	}
}

// take counts n elements as steps, and returns memory for them; nil after an error. The memory does not
// move, as lists refer to it.
func (e *eval) take(n *node, count int) []schema.Value {
	if !e.step(n, count) || e.err != nil {
		return nil
	}
	return e.values.Take(count)
}
