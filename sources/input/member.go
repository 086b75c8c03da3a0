package input

import (
	"errors"

	"tfr-build/schema"
)

// NotArchive returns the error of a file that begins with these bytes, and is not an archive of the kind zip or tar.
func NotArchive(code, kind, path string, begin []byte) *MismatchError {
	bad := Mismatch(code, "is empty; expected a %s archive", kind)
	if len(begin) > 0 {
		bad.Text = "is not a " + kind + " archive: it begins with " + schema.Quote(begin)
	}
	return bad.In(path, "")
}

// OfMember adds the name of an archive's member to the error of a row. It returns other errors
// unchanged.
func OfMember[T string | []byte](name T, err error) error {
	bad, ok := errors.AsType[*schema.RowError](err)
	if !ok {
		return err
	}
	named := *bad
	named.Message = "the member " + schema.Quote(name) + ": " + bad.Message
	return &named
}
