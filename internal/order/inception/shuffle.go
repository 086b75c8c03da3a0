package inception

import "math/bits"

// A Python is the version of Python that ran the script.
type Python int

// The versions whose random.shuffle differs. Python3 is Python 3.2 or later. Python 3.0 and 3.1
// shuffle as Python 2 does.
const (
	Python2 Python = 2
	Python3 Python = 3
)

// Seed is the seed of the scripts.
const Seed = 12345

// Shuffle reorders a list of n elements, fewer than 2^32, as random.seed(seed) and
// random.shuffle(list) do. swap exchanges two elements.
func Shuffle(python Python, seed uint64, n int, swap func(i, j int)) {
	t := newTwister(seed)
	below := t.belowByBits
	if python == Python2 {
		below = t.belowByFloat
	}
	for i := n - 1; i > 0; i-- {
		swap(i, below(i+1))
	}
}

// belowByFloat returns Python 2's random number below n.
func (t twister) belowByFloat(n int) int { return int(t.float() * float64(n)) }

// belowByBits returns Python 3's random number below n: it draws as many bits as n has until the
// number is below n.
func (t twister) belowByBits(n int) int {
	size := bits.Len(uint(n))
	for {
		if r := int(t.bits(size)); r < n {
			return r
		}
	}
}
