//go:build !amd64

package resample

// columnPass resamples the rows of src horizontally to dst.
func (r *Resampler) columnPass(dst, src plane, channels, rows int, a axis) {
	columnsGo(dst, src, channels, rows, a)
}

// row computes row y of the result. src begins with the first row that it needs.
func (r *Resampler) row(dst []byte, src plane, t *table, y int) {
	r.sums = resized(r.sums, len(dst))
	rowGo(dst, src, t.weightsOf(y), r.sums)
}

// split makes the weights of the assembly, which this architecture does not have.
func (*table) split() {}

func (*Resampler) shareRows(dst []float32, room int, src plane, rows, channels int, t *table, from, to int) {
	shareRowsGo(dst, room, src, rows, channels, t, from, to)
}

func (*Resampler) addShare(sums, row []float32, share float32) { addShareGo(sums, row, share) }

func (*Resampler) toBytes(dst []byte, sums []float32) { toBytesGo(dst, sums) }
