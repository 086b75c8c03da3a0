package rejects

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// An Entry is a line of the file of rejects, a JSON object: a row that cannot be
// used, where it stands and why. Lines stand in source order. Of a row that is a
// file there is neither line nor text: the file itself shows it.
type Entry struct {
	Source    int    `json:"source"`                // its place in the config, from 0
	Name      string `json:"name"`                  // of the source
	File      string `json:"file"`                  // relative to the source's root
	FileBytes []byte `json:"file_base64,omitempty"` // the same, where it is not UTF-8
	Line      int    `json:"line,omitempty"`
	Offset    int64  `json:"offset"` // in the decompressed file
	Code      string `json:"code"`
	Column    string `json:"column,omitempty"`
	Feature   string `json:"feature,omitempty"`
	Message   string `json:"message"`
	Raw       string `json:"raw,omitempty"`        // the row's text, of a record its framing and payload, of arrays the row of each
	RawBase64 []byte `json:"raw_base64,omitempty"` // the same, where it is not UTF-8
	Cut       bool   `json:"cut,omitempty"`        // the text is the beginning of a row that is longer than a row may be
}

// IsFile reports whether a file that begins with head is one of rejects: its
// first line is one, as far as it can be seen.
func IsFile(head []byte) bool {
	line, _, whole := bytes.Cut(head, []byte("\n"))
	if !whole {
		return bytes.HasPrefix(line, []byte(`{"source":`))
	}
	var e Entry
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	return dec.Decode(&e) == nil && e.Code != "" && e.File != ""
}

// maxCut is how much is set aside of a row that is longer than a row may be.
const maxCut = 64 << 10

// setFile gives e the name of its file.
func (e *Entry) setFile(name string) {
	e.File = name
	if !utf8.ValidString(name) {
		e.FileBytes = []byte(name)
	}
}

// wholeRunes is text without the rest of a character that it may end in.
func wholeRunes(text []byte) []byte {
	for n := 1; n <= min(len(text), utf8.UTFMax); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return text[:len(text)-n]
			}
			break
		}
	}
	return text
}
