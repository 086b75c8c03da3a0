package parquet

import "fmt"

// A misfit says that a file is not one whose rows can be read: of another format,
// encrypted, in an encoding that is not read. It becomes an input.FitError.
type misfit struct{ code, text string }

func (e *misfit) Error() string { return e.text }

// A damage says that a file is not what its format asks for. It is the cause of an
// input.Error.
type damage struct{ code, text string }

func (e *damage) Error() string { return e.text }

// Code is the stable code of the damage.
func (e *damage) Code() string { return e.code }

// damaged is the damage of bytes that the format does not allow.
func damaged(format string, args ...any) error {
	return &damage{"PARQUET_DAMAGED", fmt.Sprintf(format, args...)}
}

// unsupported is the fault of what the format allows and is not read.
func unsupported(format string, args ...any) error {
	return &misfit{"PARQUET_UNSUPPORTED", fmt.Sprintf(format, args...)}
}
