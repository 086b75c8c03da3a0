package parquet

import "fmt"

// A mismatchError says that a file cannot be read as it is: it has another format, is encrypted,
// or uses an unsupported encoding. It becomes an input.MismatchError.
type mismatchError struct{ code, text string }

func (e *mismatchError) Error() string { return e.text }

// A damageError says that a file violates its format. It is the cause of an input.Error.
type damageError struct{ code, text string }

func (e *damageError) Error() string { return e.text }

// Code returns the stable code of the error.
func (e *damageError) Code() string { return e.code }

// damaged returns the error of bytes that the format does not allow.
func damaged(format string, args ...any) error {
	return &damageError{"PARQUET_DAMAGED", fmt.Sprintf(format, args...)}
}

// unsupported returns the error of a valid feature of the format that is not supported.
func unsupported(format string, args ...any) error {
	return &mismatchError{"PARQUET_UNSUPPORTED", fmt.Sprintf(format, args...)}
}
