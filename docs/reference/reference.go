// Package reference has the page of this directory that the program reads, too.
package reference

import _ "embed"

// Errors is errors.md, whose tables explain the error codes.
//
//go:embed errors.md
var Errors string
