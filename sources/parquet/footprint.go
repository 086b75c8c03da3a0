package parquet

import (
	"math"
	"slices"

	"tfr-build/sources/input"
)

// The memory of a value besides its bytes.
const (
	levelBytes = 2
	rowBytes   = 8 // of a row of lists
)

// atOnce is how many row groups are decoded at a time: each of their columns is a step,
// and so is each stretch of their rows.
const atOnce = 2

// Footprint is what the wanted columns take when they are decoded: what stays, and what
// the largest row groups take besides until their columns stand in rows.
func (in *parquetInput) Footprint() (p input.Footprint) {
	var passing []int64 // by row group: what is needed until its columns stand in rows
	for i := range in.files {
		f := &in.files[i]
		p.Fetched = p.Fetched || in.sys.Fetches(in.Path(i))
		leaves := in.leavesOf(f.shape)
		for k := range f.groups {
			g := &f.groups[k]
			var inRows int64
			for _, n := range leaves {
				p.Maps = 1
				l, c := &f.shape.leaves[n], &g.chunks[n]
				size, isHeld := c.footprint(l, g.rows)
				p.Bytes = sum(p.Bytes, size)
				p.Text = sum(p.Text, max(c.plain, g.rows))
				p.Streamed = p.Streamed || !isHeld
				inRows = sum(inRows, g.rows*int64(l.rowWidth()))
			}
			p.Bytes = sum(p.Bytes, inRows+inRows/8+g.rows*int64(len(leaves)/8+1))
			passing = append(passing, sum(inRows, g.rows*int64(len(leaves))))
		}
	}
	slices.Sort(passing)
	for _, size := range passing[max(0, len(passing)-atOnce):] {
		p.Bytes = sum(p.Bytes, size)
	}
	return p
}

// sum is a sum that stays a number.
func sum(a, b int64) int64 {
	if a > math.MaxInt64/2-b {
		return math.MaxInt64 / 2
	}
	return a + b
}

// footprint is how many bytes a chunk takes when it is decoded, beside rows; isHeld says
// whether it can be: it is not too long, and says how long it is.
func (c *chunk) footprint(f *leaf, rows int64) (size int64, isHeld bool) {
	const slack = 1 << 10
	size = slack + c.values/8
	isHeld = true
	if f.size == 0 {
		size = sum(size, c.plain)
		if c.prefixes {
			size = sum(size, c.texts)
		}
		isHeld = c.plain+c.texts < mostBlob/2 && (!c.prefixes || c.texts > 0)
	}
	if f.isInRow() {
		return size, isHeld
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
		isHeld = isHeld && c.values < math.MaxUint32
	}
	return size, isHeld
}
