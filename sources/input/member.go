package input

import (
	"errors"

	"tfr-build/schema"
)

// OfMember is err with the name of the member of an archive in front, where it is that
// of a row.
func OfMember[T string | []byte](name T, err error) error {
	bad, ok := errors.AsType[*schema.RowError](err)
	if !ok {
		return err
	}
	named := *bad
	named.Message = "the member " + schema.Quote(name) + ": " + bad.Message
	return &named
}
