//go:build !amd64

package bytemask

const hasAVX2 = false

func stretchAVX2(*Block, *byte, int, byte) Seen { return 0 }
func lineAVX2(*Block, *byte, int, byte) int     { return 0 }
