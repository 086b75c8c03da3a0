// Package prefetch loads memory into the processor's cache before its use, for rows at random
// addresses. It changes only the speed. On processors without such an instruction, Lines reads
// the bytes.
package prefetch

// Line is the number of bytes in a cache line.
const Line = 64
