package bytemask

import "golang.org/x/sys/cpu"

// hasAVX2 reports whether the assembly can run. Nearly all processors since 2015 have AVX2.
var hasAVX2 = cpu.X86.HasAVX2

func stretch(dst []Block, b []byte, delim byte) Seen {
	if !hasAVX2 {
		return stretchGo(dst, b, delim)
	}
	return stretchAVX2(&dst[0], &b[0], len(dst), delim)
}

func line(dst []Block, b []byte, delim byte) int {
	n := min(len(dst), len(b)/Size)
	if n == 0 || !hasAVX2 {
		return lineGo(dst[:n], b, delim)
	}
	return lineAVX2(&dst[0], &b[0], n, delim)
}

// These functions compute n blocks from n times 64 bytes. n is at least 1. lineAVX2 may stop
// earlier, and returns the number of blocks.

//go:noescape
func stretchAVX2(dst *Block, b *byte, n int, delim byte) Seen

//go:noescape
func lineAVX2(dst *Block, b *byte, n int, delim byte) int
