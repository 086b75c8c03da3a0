package bug

import (
	"errors"
	"strings"
	"testing"
)

//go:noinline
func broken(list []int, i int) int { return list[i] }

// A panic becomes an error that names the functions that panicked, the innermost first, and what was
// read.
func TestRecover(t *testing.T) {
	located := func() {
		defer func() { panic(Of(recover(), "a.csv at offset 7")) }()
		broken(nil, 3)
	}
	for _, c := range []struct {
		name, want string
		do         func()
	}{
		{"a panic", "internal error: runtime error: index out of range [3] with length 0; in internal/bug.broken " +
			"(bug_test.go:10), internal/bug.TestRecover", func() { broken(nil, 3) }},
		{"a panic of a row", "internal error: a.csv at offset 7: runtime error: index out of range [3] with length " +
			"0; in internal/bug.broken (bug_test.go:10), internal/bug.TestRecover", located},
		{"another value", "internal error: broken; in internal/bug.TestRecover", func() { panic("broken") }},
		{"an error of this package", "internal error: 2 rows are 3", func() { panic(Errorf("%d rows are %d", 2, 3)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := func() (err error) {
				defer Recover(&err)
				c.do()
				return nil
			}()
			if e := new(Error); !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.want) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("%v\nwant %s", err, c.want)
			}
		})
	}
}

type fault struct{ error }

func (fault) RuntimeError() {}
func (fault) Addr() uintptr { return 1 << 40 }

// A fault in mapped memory is not a bug: the file was truncated.
func TestRecoverKeepsFaults(t *testing.T) {
	defer func() {
		if r := recover(); !IsFault(r) {
			t.Errorf("%v", r)
		}
	}()
	var err error
	defer Recover(&err)
	panic(fault{errors.New("unexpected fault address")})
}
