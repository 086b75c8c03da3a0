package bucket

import (
	"errors"
	"io/fs"
)

// What errors of this package are, for errors.Is.
var (
	ErrNotExist = fs.ErrNotExist   // no such object, or no such bucket
	ErrDenied   = fs.ErrPermission // no permission, or credentials that are wrong or have expired
	ErrExists   = fs.ErrExist      // of PutNew: there is an object already
	ErrChanged  = errors.New("the object is not the one that was listed")
)
