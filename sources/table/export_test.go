package table

import "tfr-build/sources/input"

// Window is how many bytes of a file rows hold.
func Window(r input.Rows) int { return cap(r.(*rows).buf) }
