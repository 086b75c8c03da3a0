package rows

import (
	"cmp"

	"tfr-build/order"
)

// A Turn is when a row comes in its split: what rows are sorted by. It knows nothing of
// the dealing of Inception's script.
type Turn struct {
	key   uint64
	place order.Place
}

// TurnOf is the turn of a row of s with the key that a chooser found.
func TurnOf(s *Set, r *Row, key uint64) Turn {
	if s.Mode() == order.Shuffled {
		key = s.Shuffle.Key(s.Space.Address(r.File, r.Offset))
	}
	return Turn{key, r.Place()}
}

// Compare is negative where a comes before b.
func (a Turn) Compare(b Turn) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.place.File, b.place.File), cmp.Compare(a.place.Offset, b.place.Offset))
}
