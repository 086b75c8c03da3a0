package rows

import (
	"bytes"
	"encoding/json"
)

// An Origin names the file of a row, in each line of a list of rows for users.
type Origin struct {
	Source    int    `json:"source"`                // index in the config, from 0
	Name      string `json:"name"`                  // of the source
	File      string `json:"file"`                  // relative to the source's root
	FileBytes []byte `json:"file_base64,omitempty"` // the same, if it is not UTF-8
}

// BeginsList reports whether head is the beginning of a list whose lines are a T with an Origin
// first. It checks as much of the first line as head has. A complete line must be valid.
func BeginsList[T any](head []byte, isValid func(*T) bool) bool {
	line, _, complete := bytes.Cut(head, []byte("\n"))
	if !complete {
		return bytes.HasPrefix(line, []byte(`{"source":`))
	}
	var entry T
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	return dec.Decode(&entry) == nil && isValid(&entry)
}
