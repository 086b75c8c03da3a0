package parquet

import (
	"math"
	"slices"

	"tfr-build/sources/input"
)

// Memory per value in addition to its bytes.
const (
	levelBytes = 2
	rowBytes   = 8 // per row of lists
)

// groupsAtOnce is the number of row groups that are decoded at a time. Each column of a row group
// is a step, and so is each batch of its rows.
const groupsAtOnce = 2

// Footprint returns the memory that decoding the requested columns takes. It is what stays in
// memory, plus the decoded columns of the largest row groups until they are copied to rows.
func (in *parquetInput) Footprint() (p input.Footprint) {
	var temporary []int64 // by row group: memory until its columns are copied to rows
	for i := range in.files {
		f := &in.files[i]
		p.Fetched = p.Fetched || in.Fetches(i)
		leaves := in.requestedLeaves(f.shape)
		for k := range f.groups {
			g := &f.groups[k]
			var inRows int64
			for _, n := range leaves {
				p.Maps = 1
				l, c := &f.shape.leaves[n], &g.chunks[n]
				size, isBounded := c.footprint(l, g.rows)
				p.Bytes = sum(p.Bytes, size)
				p.Text = sum(p.Text, max(c.plain, g.rows))
				p.Streamed = p.Streamed || !isBounded
				inRows = sum(inRows, g.rows*int64(l.rowWidth()))
			}
			p.Bytes = sum(p.Bytes, inRows+inRows/8+g.rows*int64(len(leaves)/8+1))
			temporary = append(temporary, sum(inRows, g.rows*int64(len(leaves))))
		}
	}
	slices.Sort(temporary)
	for _, size := range temporary[max(0, len(temporary)-groupsAtOnce):] {
		p.Bytes = sum(p.Bytes, size)
	}
	return p
}

// sum adds two sizes. It saturates instead of overflowing.
func sum(a, b int64) int64 {
	if a > math.MaxInt64/2-b {
		return math.MaxInt64 / 2
	}
	return a + b
}

// footprint returns the bytes of a decoded chunk without its rows. The second result is false if
// the chunk is too large to decode in memory, or its size is unknown.
func (c *chunk) footprint(f *leaf, rows int64) (size int64, isBounded bool) {
	const slack = 1 << 10
	size = slack + c.values/8
	isBounded = true
	if f.size == 0 {
		size = sum(size, c.plain)
		if c.prefixes {
			size = sum(size, c.texts)
		}
		isBounded = c.plain+c.texts < maxBlob/2 && (!c.prefixes || c.texts > 0)
	}
	if f.isInRow() {
		return size, isBounded
	}
	switch {
	case f.size == 0:
		size = sum(size, c.values*viewWidth)
	case f.size > 1<<14:
		size = sum(size, c.values<<14+c.plain)
	default:
		size = sum(size, c.values*int64(f.size))
	}
	if len(f.lists) > 0 {
		size = sum(size, c.values*levelBytes+rows*rowBytes)
		isBounded = isBounded && c.values < math.MaxUint32
	}
	return size, isBounded
}
