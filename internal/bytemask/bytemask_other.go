//go:build !amd64

package bytemask

func stretch(dst []Block, b []byte, delim byte) Seen { return stretchGo(dst, b, delim) }

func line(dst []Block, b []byte, delim byte) int {
	return lineGo(dst[:min(len(dst), len(b)/Size)], b, delim)
}
