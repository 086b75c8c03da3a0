package bytemask

import "golang.org/x/sys/cpu"

// hasAVX2 reports whether the assembly can run. Nearly all processors since 2015 have AVX2.
var hasAVX2 = cpu.X86.HasAVX2

// These functions compute n blocks from n times 64 bytes. n is at least 1. lineAVX2 may stop
// earlier, and returns the number of blocks.

//go:noescape
func stretchAVX2(dst *Block, b *byte, n int, delim byte) Seen

//go:noescape
func lineAVX2(dst *Block, b *byte, n int, delim byte) int
