package header

import "fmt"

// An Error is why an image cannot be used.
type Error struct {
	Code    string // stable: an IMG_ code, or LIMIT_PIXELS
	At      int    // offset in the file; -1 if unknown
	Message string
	Hint    string // a line of a config that helps; empty without one
}

// Error returns the message with the code.
func (e *Error) Error() string { return e.Message + " [" + e.Code + "]" }

// NewError returns an *Error with a code. at is the offset of the error in the file.
func NewError(code string, at int, format string, args ...any) error {
	return &Error{Code: code, At: at, Message: fmt.Sprintf(format, args...)}
}

// Truncated returns the error of a file that ends too early.
func Truncated(at int, format string, args ...any) error {
	return NewError("IMG_TRUNCATED", at, format, args...)
}

// Corrupt returns the error of a file that violates its format.
func Corrupt(at int, format string, args ...any) error {
	return NewError("IMG_CORRUPT", at, format, args...)
}

// Unsupported returns the error of a file that common decoders cannot read.
func Unsupported(at int, format string, args ...any) error {
	return NewError("IMG_UNSUPPORTED", at, format, args...)
}
