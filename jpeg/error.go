package jpeg

import "fmt"

// A Kind says why a file is refused.
type Kind uint8

// The kinds.
const (
	Corrupt     Kind = iota // it breaks the rules of the format
	Truncated               // it ends before its picture begins, or amid what describes it
	Unsupported             // it is of a form of JPEG that this package does not decode
	TooLarge                // it claims more than is allowed
)

// String returns the kind in a word.
func (k Kind) String() string {
	switch k {
	case Corrupt:
		return "corrupt"
	case Truncated:
		return "truncated"
	case Unsupported:
		return "unsupported"
	case TooLarge:
		return "too large"
	}
	return ""
}

// An Error says why a file is refused, and where.
type Error struct {
	Kind    Kind
	Offset  int // of the segment, in bytes from the start
	Message string
}

// Error returns the message with its place.
func (e *Error) Error() string {
	return fmt.Sprintf("jpeg: byte %d: %s", e.Offset, e.Message)
}
