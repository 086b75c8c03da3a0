package jpeg

import "fmt"

// A Kind is the reason why a file is rejected.
type Kind uint8

// The kinds.
const (
	Corrupt     Kind = iota // the file violates the format
	Truncated               // the file ends before or in the image's headers
	Unsupported             // the file uses a feature of JPEG that this package does not support
	TooLarge                // the file claims more than a limit
)

// String returns the kind in lower case.
func (k Kind) String() string {
	return [...]string{Corrupt: "corrupt", Truncated: "truncated", Unsupported: "unsupported", TooLarge: "too large"}[k]
}

// An Error is the reason why a file is rejected, and the position.
type Error struct {
	Kind    Kind
	Offset  int // offset of the segment, in bytes
	Message string
}

// Error returns the message with the offset.
func (e *Error) Error() string {
	return fmt.Sprintf("jpeg: byte %d: %s", e.Offset, e.Message)
}
