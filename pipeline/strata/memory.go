package strata

// Memory has the rows of a dataset in memory, 16 bytes each, or only their numbers. One goroutine may
// add rows at a time.
type Memory struct {
	ranges [1 << rangeBits][]row
	counts []int // by stratum: rows without a point
}

// rangeBits is the binary logarithm of the number of ranges. A range of a million rows fits in the
// cache.
const rangeBits = 6

// A row is a row, or rows of a group.
type row struct {
	point         uint64
	stratum, rows uint32
}

// NewMemory returns an empty Memory with room for about so many rows.
func NewMemory(rows int) *Memory {
	m := new(Memory)
	for i := range m.ranges {
		m.ranges[i] = make([]row, 0, rows>>rangeBits)
	}
	return m
}

// Add adds a row, or so many rows of a group.
func (m *Memory) Add(point uint64, stratum, rows uint32) {
	r := &m.ranges[point>>(64-rangeBits)]
	*r = append(*r, row{point, stratum, rows})
}

// Count adds a row without its point. That is enough to know how many rows each split has, if rows
// are not grouped.
func (m *Memory) Count(stratum uint32) {
	for len(m.counts) <= int(stratum) {
		m.counts = append(m.counts, 0)
	}
	m.counts[stratum]++
}

// Memories are the rows that several goroutines added.
type Memories []*Memory

// Len implements [Ranges].
func (Memories) Len() int { return 1 << rangeBits }

// Each implements [Ranges]. It spreads the rows without a point evenly over the ranges.
func (list Memories) Each(i int, visit func(point uint64, stratum uint32, rows int) error) error {
	for _, m := range list {
		for _, r := range m.ranges[i] {
			if err := visit(r.point, r.stratum, int(r.rows)); err != nil {
				return err
			}
		}
	}
	for stratum, rows := range list.counts() {
		for k := range (i+1)*rows>>rangeBits - i*rows>>rangeBits {
			if err := visit(uint64(i)<<(64-rangeBits)+uint64(k), uint32(stratum), 1); err != nil {
				return err
			}
		}
	}
	return nil
}

// counts returns the number of rows without a point of each stratum.
func (list Memories) counts() (sum []int) {
	for _, m := range list {
		for len(sum) < len(m.counts) {
			sum = append(sum, 0)
		}
		for stratum, rows := range m.counts {
			sum[stratum] += rows
		}
	}
	return sum
}
