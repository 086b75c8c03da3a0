package bytemask

// ways are the implementations that this processor supports.
func ways() []way {
	all := []way{{"plain Go", stretchGo, lineGo}}
	if hasAVX2 {
		all = append(all, way{"AVX2",
			func(dst []Block, b []byte, delim byte) Seen { return stretchAVX2(&dst[0], &b[0], len(dst), delim) },
			func(dst []Block, b []byte, delim byte) int { return lineAVX2(&dst[0], &b[0], len(dst), delim) }})
	}
	return all
}
