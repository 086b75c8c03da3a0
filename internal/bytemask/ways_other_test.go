//go:build !amd64

package bytemask

// ways are the implementations that this processor supports.
func ways() []way { return []way{{"plain Go", stretchGo, lineGo}} }
