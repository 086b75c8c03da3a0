package inception

import "math/bits"

// A Python is a version of Python that the script was run with.
type Python int

// The versions whose random.shuffle differ. Python3 is Python 3.2 and later: 3.0 and
// 3.1 shuffle as Python 2 does.
const (
	Python2 Python = 2
	Python3 Python = 3
)

// Seed is the seed of the scripts, and Threads how many threads
// build_imagenet_data.py has unless it is told otherwise.
const (
	Seed    = 12345
	Threads = 8
)

// Shuffle brings a list of n elements, of which there are fewer than 2^32, into the
// order that random.seed(seed) and random.shuffle(list) give it. swap exchanges two
// elements.
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

// belowByFloat is what Python 2 takes for a random number below n.
func (t *twister) belowByFloat(n int) int { return int(t.float() * float64(n)) }

// belowByBits is Python 3's: as many bits as n has, again until they are below n.
func (t *twister) belowByBits(n int) int {
	size := bits.Len(uint(n))
	for {
		if r := int(t.bits(size)); r < n {
			return r
		}
	}
}
