package schema

import "strconv"

// IsRagged says whether f holds lists of lists of their own lengths: more than one
// dimension of its shape is -1.
func (f *Feature) IsRagged() bool { return f.levels() > 1 }

// levels is how many dimensions of f's shape are -1.
func (f *Feature) levels() (n int) {
	for _, length := range f.Shape {
		if length < 0 {
			n++
		}
	}
	return n
}

// Keys are the keys that a message has of f: its own, or those of the values and of
// the lengths of a ragged one, the outermost first.
func (f *Feature) Keys() []string {
	if !f.IsRagged() {
		return []string{f.Key}
	}
	keys := []string{f.Key + "/ragged_flat_values"}
	for i := range f.levels() - 1 {
		keys = append(keys, f.Key+"/ragged_row_lengths_"+strconv.Itoa(i))
	}
	return keys
}
