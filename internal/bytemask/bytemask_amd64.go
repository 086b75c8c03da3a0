package bytemask

import "golang.org/x/sys/cpu"

var (
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW
	hasAVX2   = cpu.X86.HasAVX2
)

// Quick reports whether blocks are quicker made here than a text is searched by
// other means.
func Quick() bool { return hasAVX2 || hasAVX512 }

func stretch(dst []Block, b []byte, delim byte) Seen {
	switch {
	case hasAVX512:
		return stretchAVX512(&dst[0], &b[0], len(dst), delim)
	case hasAVX2:
		return stretchAVX2(&dst[0], &b[0], len(dst), delim)
	}
	return stretchGo(dst, b, delim)
}

func line(dst []Block, b []byte, delim byte) int {
	n := min(len(dst), len(b)/Size)
	switch {
	case n == 0:
		return 0
	case hasAVX512:
		return lineAVX512(&dst[0], &b[0], n, delim)
	case hasAVX2:
		return lineAVX2(&dst[0], &b[0], n, delim)
	}
	return lineGo(dst[:n], b, delim)
}

// The following make n blocks, at least one, of as many times 64 bytes; those for a
// line may stop before.

//go:noescape
func stretchAVX512(dst *Block, b *byte, n int, delim byte) Seen

//go:noescape
func lineAVX512(dst *Block, b *byte, n int, delim byte) int

//go:noescape
func stretchAVX2(dst *Block, b *byte, n int, delim byte) Seen

//go:noescape
func lineAVX2(dst *Block, b *byte, n int, delim byte) int
