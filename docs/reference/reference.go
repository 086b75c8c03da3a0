// Package reference has the pages of this directory that the program reads, too.
package reference

import _ "embed"

// ExitCodes is exit-codes.md, whose table explains the exit codes.
//
//go:embed exit-codes.md
var ExitCodes string

// Errors is errors.md, whose tables explain the error codes.
//
//go:embed errors.md
var Errors string
