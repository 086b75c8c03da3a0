package rejects

import (
	"unicode/utf8"

	"tfr-build/pipeline/rows"
)

// An Entry is a line of the file of rejects, as a JSON object: a rejected row, its position, and
// its error. Lines are in source order. A row that is a file has neither line nor text: the file
// itself has them.
type Entry struct {
	rows.Origin
	Line      int    `json:"line,omitempty"`
	Offset    int64  `json:"offset"` // in the decompressed file
	Code      string `json:"code"`
	Column    string `json:"column,omitempty"`
	Feature   string `json:"feature,omitempty"`
	Message   string `json:"message"`
	Raw       string `json:"raw,omitempty"`        // text, framed record, or row of each array
	RawBase64 []byte `json:"raw_base64,omitempty"` // the same, if it is not UTF-8
	Cut       bool   `json:"cut,omitempty"`        // Raw is only the beginning of the row
}

// IsFile reports whether head is the beginning of a file of rejects, judging by as much of the
// first line as head has.
func IsFile(head []byte) bool {
	return rows.BeginsList(head, func(e *Entry) bool { return e.Code != "" && e.File != "" })
}

// maxTruncated is the number of bytes stored of a row that is longer than limits.record.
const maxTruncated = 64 << 10

// trimPartialRune returns text without an incomplete character at its end.
func trimPartialRune(text []byte) []byte {
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
