package rows

import (
	"cmp"

	"tfr-build/internal/order"
)

// A Turn is the position of a row in the order of its split, as a value to sort by. It does not
// include the reshuffling of Inception's script.
type Turn struct {
	key   uint64
	place order.Position
}

// TurnOf returns the turn of a row of s. key is the key that a Chooser returned.
func TurnOf(s *Set, r *Row, key uint64) Turn {
	if s.Mode() == order.Shuffled {
		key = s.Shuffle.Key(s.Space.Address(r.File, r.Offset))
	}
	return Turn{key, r.Place()}
}

// NewTurn returns the turn of a row with a key.
func NewTurn(key uint64, r *Row) Turn { return Turn{key, r.Place()} }

// Compare returns a negative number if a is before b, and a positive one if it is after b.
func (a Turn) Compare(b Turn) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.place.File, b.place.File), cmp.Compare(a.place.Offset, b.place.Offset))
}
