package arrays

// A misfit says that an array is not one that can be rows: of another format or
// type, without rows. It becomes an input.FitError.
type misfit struct{ code, text string }

func (e *misfit) Error() string { return e.text }

// A damage says that a file is not what its format asks for, or has more or less
// than its header says. It is the cause of an input.Error.
type damage struct{ code, text string }

func (e *damage) Error() string { return e.text }

// Code is the stable code of the damage.
func (e *damage) Code() string { return e.code }
