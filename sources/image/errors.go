package image

import (
	"fmt"

	"tfr-build/schema"
)

// Fault is the *schema.RowError of a code, about byte at of a file.
func Fault(code string, at int, format string, args ...any) error {
	return &schema.RowError{Code: code, At: at, Message: fmt.Sprintf(format, args...)}
}

// Truncated is the Fault of a file that ends too early.
func Truncated(at int, format string, args ...any) error {
	return Fault("IMG_TRUNCATED", at, format, args...)
}

// Corrupt is the Fault of a file that breaks the rules of its format.
func Corrupt(at int, format string, args ...any) error {
	return Fault("IMG_CORRUPT", at, format, args...)
}

// Unsupported is the Fault of a file that common decoders do not read, which
// `allow_unsupported` takes.
func Unsupported(at int, format string, args ...any) error {
	return &schema.RowError{
		Code: "IMG_UNSUPPORTED", At: at,
		Message: fmt.Sprintf(format, args...), Hint: "allow_unsupported: true",
	}
}
