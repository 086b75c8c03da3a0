package resample

// Memory returns the maximum number of bytes that a new [Resampler] allocates for the job,
// without the source and the result. [Job.Check] must have accepted the job. A Resampler that
// runs many jobs keeps the memory of the largest job, and up to eight tables of at most two
// megabytes each.
func (j Job) Memory() int64 {
	switch {
	case j.keepsSize():
		return 0
	case j.Filter == Nearest:
		return 4 * int64(j.ToWidth+j.ToHeight)
	}
	part := j.crop()
	c := int64(j.Channels)
	n := tableMemory(j.Width, j.ToWidth, j.Filter) + tableMemory(j.Height, j.ToHeight, j.Filter)
	if j.Filter == Area {
		return n + 6*4*(int64(part.Dx())*c+8) + paddedMemory(j.Width, j, c)
	}
	middle := int64(part.Dx()) * int64(j.Height)
	if j.rowsFirst() {
		middle = int64(part.Dy()) * int64(j.Width)
	}
	if j.Channels == 2 || j.Channels == 4 {
		middle += int64(j.Width) * int64(j.Height)
	}
	sums := 4 * int64(max(j.Width, part.Dx()))
	return n + (middle+sums)*c + paddedMemory(j.Width, j, c)
}

// paddedMemory returns the bytes of four rows with padding for a sum.
func paddedMemory(width int, j Job, c int64) int64 {
	return 4 * (int64(width+longestSum(width, j.ToWidth, j.Filter))*c + 4)
}

// tableMemory returns the bytes of a table, and of its weights before rounding.
func tableMemory(from, to int, f Filter) int64 {
	const bounds, weight, curve = 8, 8, 8
	longest := int64(longestSum(from, to, f))
	return int64(to)*(bounds+weight*longest) + curve*longest
}

// longestSum returns the maximum number of samples in a sum, with the padding to a multiple of
// four.
func longestSum(from, to int, f Filter) int {
	support := 1.0
	if f != Area {
		support = kernels[f].support
	}
	scale := max(float64(from)/float64(to), 1)
	return min(int(2*support*scale)+2, from+1) + 3
}
