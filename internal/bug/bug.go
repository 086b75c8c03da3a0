// Package bug has the error of a mistake of the program, such as a panic. Such an error never blames
// the input, and says what to send to the developers:
//
//	defer bug.Recover(&err)
package bug

import (
	"cmp"
	"fmt"
	"path"
	"runtime"
	"strings"
)

// An Error is a mistake of the program. Retrying the same work cannot help.
type Error struct {
	text  string
	where string // what was read, such as "a.parquet at offset 7"; may be empty
	stack string // the innermost functions of a panic; may be empty
	cause error  // the value of the panic, if that is an error

	Feature string // key of the feature that the work was about; empty if unknown
}

// Errorf returns the error of a state that the program should never reach.
func Errorf(format string, args ...any) error { return &Error{text: fmt.Sprintf(format, args...)} }

func (e *Error) Error() string {
	text := "internal error: "
	if e.where != "" {
		text += e.where + ": "
	}
	if e.Feature != "" {
		text += fmt.Sprintf("feature %q: ", e.Feature)
	}
	text += e.text
	if e.stack != "" {
		text += "; in " + e.stack
	}
	return text
}

func (e *Error) Unwrap() error { return e.cause }

// Code returns the stable code of the error.
func (e *Error) Code() string { return "INTERNAL" }

// Recover sets err to the error of a panic. Defer it. A failed access to mapped memory panics again: the
// file was truncated, which the caller of the goroutine reports.
func Recover(err *error) {
	switch r := recover(); {
	case r == nil:
	case IsFault(r):
		panic(r)
	default:
		*err = Of(r, "")
	}
}

// IsFault reports whether a recovered panic is a failed access to mapped memory.
func IsFault(recovered any) bool {
	_, is := recovered.(interface {
		runtime.Error
		Addr() uintptr
	})
	return is
}

// Of returns the error of a recovered panic. Call it in the deferred function that recovered it. where
// says what was read; it may be empty.
func Of(recovered any, where string) *Error {
	if e, ok := recovered.(*Error); ok {
		if e.where == "" {
			e.where = where
		}
		return e
	}
	cause, _ := recovered.(error)
	return &Error{text: fmt.Sprint(recovered), where: where, stack: innermost(), cause: cause}
}

// Name makes a panic name a feature, unless it names one already. Defer it; the panic goes on.
func Name(feature string) {
	switch r := recover(); {
	case r == nil:
	case IsFault(r):
		panic(r)
	default:
		e := Of(r, "")
		e.Feature = cmp.Or(e.Feature, feature)
		panic(e)
	}
}

// innermost returns the functions that panicked, without the functions of the runtime.
func innermost() string {
	const most = 6
	var counters [64]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(1, counters[:])])
	var list []string
	for more, panicked := true, false; more && len(list) < most; {
		var f runtime.Frame
		f, more = frames.Next()
		name := f.Function
		switch {
		case strings.HasPrefix(name, "runtime."):
			panicked = panicked || name == "runtime.gopanic"
		case panicked:
			list = append(list, fmt.Sprintf("%s (%s:%d)", strings.TrimPrefix(name, "tfr-build/"), path.Base(f.File),
				f.Line))
		}
	}
	return strings.Join(list, ", ")
}
