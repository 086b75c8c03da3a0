package inception

import "gonum.org/v1/gonum/mathext/prng"

// A twister is the Mersenne Twister MT19937.
type twister struct{ *prng.MT19937 }

// newTwister returns the generator after random.seed(seed). The 32-bit words of the seed, the
// lowest first and at least one, are the key.
func newTwister(seed uint64) twister {
	key := []uint32{uint32(seed)}
	if high := uint32(seed >> 32); high > 0 {
		key = append(key, high)
	}
	t := twister{prng.NewMT19937()}
	t.SeedFromKeys(key)
	return t
}

// bits returns random.getrandbits(n), for n from 1 to 32.
func (t twister) bits(n int) uint32 { return t.Uint32() >> (32 - n) }

// float returns random.random(): 53 bits from two words, below 1.
func (t twister) float() float64 {
	high, low := uint64(t.Uint32()>>5), uint64(t.Uint32()>>6)
	return float64(high<<26|low) / (1 << 53)
}
