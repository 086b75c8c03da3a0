package parquet

import "tfr-build/internal/prefetch"

// Prefetch asks for the values of a row, which stand far from one another.
func (s *scanner) Prefetch(file int, offset int64) {
	row, err := s.find(&s.ahead, file, offset)
	if err != nil {
		return // which Scan says
	}
	for _, b := range s.ahead.list {
		b.prefetch(row)
	}
}

// prefetch asks for the values of a row.
func (b *block) prefetch(row int) {
	first := row
	if len(b.lists) > 0 {
		prefetch.Lines(b.reps[b.firsts[row]:], 1)
		prefetch.Lines(b.defs[b.firsts[row]:], 1)
		first = int(b.starts[row])
	}
	switch {
	case b.width > 0:
		prefetch.Lines(b.fixed[first*b.width:], 1)
	case first < len(b.views):
		prefetch.Lines(b.blob[b.views[first].at:], 1)
	}
}
