package arrays

// A mismatch says that an array cannot be rows, because of its format, its type, or its shape. It
// becomes an input.MismatchError.
type mismatch struct{ code, text string }

func (e *mismatch) Error() string { return e.text }

// A damage says that a file is not valid in its format, or is shorter or longer than its header
// says. It is the cause of an input.Error.
type damage struct{ code, text string }

func (e *damage) Error() string { return e.text }

// Code returns the stable error code.
func (e *damage) Code() string { return e.code }
