package inception

// The parameters of MT19937, from its authors.
const (
	words         = 624 // words of state
	renewalOffset = 397 // distance of the second word that renews a word
	twist         = 0x9908b0df
	highBit       = 1 << 31
)

// A twister is the Mersenne Twister MT19937.
type twister struct {
	state [words]uint32
	next  int // index of the next word of state to return
}

// newTwister returns the generator after random.seed(seed). The 32-bit words of the seed, the
// lowest first and at least one, are the key of the authors' init_by_array.
func newTwister(seed uint64) *twister {
	key := []uint32{uint32(seed)}
	if high := uint32(seed >> 32); high > 0 {
		key = append(key, high)
	}
	t := &twister{next: words}
	t.fill(19650218)
	t.mixIn(key)
	return t
}

// fill is the authors' init_genrand.
func (t *twister) fill(seed uint32) {
	t.state[0] = seed
	for i := 1; i < words; i++ {
		before := t.state[i-1]
		t.state[i] = 1812433253*(before^before>>30) + uint32(i)
	}
}

// mixIn is the rest of the authors' init_by_array for a key that is shorter than the state. It
// mixes in the key for one round, and then the positions for one round less one.
func (t *twister) mixIn(key []uint32) {
	i := 1
	mix := func(factor, add uint32) {
		before := t.state[i-1]
		t.state[i] = (t.state[i] ^ (before^before>>30)*factor) + add
		if i++; i == words {
			t.state[0] = t.state[words-1]
			i = 1
		}
	}
	for n := range words {
		k := n % len(key)
		mix(1664525, key[k]+uint32(k))
	}
	for range words - 1 {
		mix(1566083941, -uint32(i))
	}
	t.state[0] = highBit // the state is not all zeros
}

// renew computes the next words of state.
func (t *twister) renew() {
	for i := range words {
		y := t.state[i]&highBit | t.state[(i+1)%words]&(highBit-1)
		t.state[i] = t.state[(i+renewalOffset)%words] ^ y>>1 ^ y&1*twist
	}
	t.next = 0
}

// word returns the next tempered word of 32 bits.
func (t *twister) word() uint32 {
	if t.next == words {
		t.renew()
	}
	y := t.state[t.next]
	t.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// bits returns random.getrandbits(n), for n from 1 to 32.
func (t *twister) bits(n int) uint32 { return t.word() >> (32 - n) }

// float returns random.random(): 53 bits from two words, below 1.
func (t *twister) float() float64 {
	high, low := uint64(t.word()>>5), uint64(t.word()>>6)
	return float64(high<<26|low) / (1 << 53)
}
