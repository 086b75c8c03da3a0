//go:build !amd64

package bytemask

// Quick reports whether blocks are quicker made here than a text is searched by
// other means.
func Quick() bool { return false }

func stretch(dst []Block, b []byte, delim byte) Seen { return stretchGo(dst, b, delim) }

func line(dst []Block, b []byte, delim byte) int {
	return lineGo(dst[:min(len(dst), len(b)/Size)], b, delim)
}
