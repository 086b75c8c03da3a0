package dsp

// Downsampling computes means. Halves are rounded down and up alternately.

// DownsampleH2V1 sets each sample of dst to the mean of two samples of the row src.
func DownsampleH2V1(dst, src []byte) {
	for i := range dst {
		s := src[2*i:][:2]
		dst[i] = byte((int(s[0]) + int(s[1]) + i&1) >> 1)
	}
}

// DownsampleH2V2 sets each sample of dst to the mean of two by two samples: two of the row upper,
// and the two below them in the row lower.
func DownsampleH2V2(dst, upper, lower []byte) {
	upper, lower = upper[:2*len(dst)], lower[:2*len(dst)]
	n := 0
	if hasAVX2 && len(dst) >= vector {
		n = len(dst) &^ 1 // because the vectors begin with a sample that is rounded down
		downsampleH2V2AVX2(&dst[0], &upper[0], &lower[0], n)
	}
	downsampleH2V2Go(dst[n:], upper[2*n:], lower[2*n:])
}

func downsampleH2V2Go(dst, upper, lower []byte) {
	lower = lower[:len(upper)]
	for i := range dst {
		u, l := upper[2*i:][:2], lower[2*i:][:2]
		dst[i] = byte((int(u[0]) + int(u[1]) + int(l[0]) + int(l[1]) + 1 + i&1) >> 2)
	}
}
