//go:build !amd64

package bytemask

// ways are those that this processor can go.
func ways() []way { return []way{{"plain Go", stretchGo, lineGo}} }
