package dataset

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"

	"github.com/zeebo/xxh3"
)

// A Content is the sum of the XXH3-128 hashes of records, modulo 2^128. It does not depend on the order of the
// records or on their files. No record has the zero Content.
type Content struct{ high, low uint64 }

// AddRecord adds a record, and returns the lower half of its hash.
func (c *Content) AddRecord(payload []byte) uint64 {
	h := xxh3.Hash128(payload)
	c.Add(Content{h.Hi, h.Lo})
	return h.Lo
}

// Add adds the records of another Content.
func (c *Content) Add(others Content) {
	low, carry := bits.Add64(c.low, others.low, 0)
	c.low = low
	c.high, _ = bits.Add64(c.high, others.high, carry)
}

// String returns 32 hex digits.
func (c Content) String() string { return fmt.Sprintf("%016x%016x", c.high, c.low) }

// MarshalText returns 32 hex digits.
func (c Content) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText parses the result of MarshalText.
func (c *Content) UnmarshalText(text []byte) error {
	data, err := hex.DecodeString(string(text))
	if err != nil || len(data) != 16 {
		return fmt.Errorf("content: found %q, expected 32 hex digits", text)
	}
	c.high, c.low = binary.BigEndian.Uint64(data), binary.BigEndian.Uint64(data[8:])
	return nil
}
