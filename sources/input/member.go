package input

import (
	"errors"

	"tfr-build/schema"
)

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
