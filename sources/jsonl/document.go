package jsonl

import (
	"bytes"
	"encoding/json"
	"regexp"
)

// document is the fault of a file whose first object spans several lines, of which
// value is what there is and rest what follows. One object alone is a document, and
// its rows are mostly an array in it.
func document(at int, value, rest []byte, ends bool) *FileError {
	key := rowsKey(value)
	alone := ends && len(bytes.TrimSpace(rest)) == 0
	e := notRows(at, "the first object spans several lines", "jq -c . OLD > NEW")
	switch {
	case key != "" && (alone || !ends):
		e.Message, e.Hint = "the file is an object over several lines", "json: {files: …, rows: "+key+"}, for documents"
	case alone:
		e.Message, e.Hint = "the file is one object over several lines", "jq -c . OLD > NEW makes it one row"
	}
	e.Message += "; expected one object per line"
	return e
}

// plainKey is a key that takes no quotes in a config.
var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,40}$`)

// rowsKey is the first key of the object that value begins with whose value is an
// array of objects; empty where none is, or it needs quotes.
func rowsKey(value []byte) string {
	tokens := json.NewDecoder(bytes.NewReader(value))
	depth, key, wasArray := 0, "", false
	isKey := false // the next token of the object itself is a key
	for {
		token, err := tokens.Token()
		if err != nil {
			return ""
		}
		text, isText := token.(string)
		switch {
		case depth == 1 && isKey && isText:
			key, isKey = text, false
			continue
		case token == json.Delim('{') && wasArray && depth == 2 && plainKey.MatchString(key):
			return key
		case token == json.Delim('{') || token == json.Delim('['):
			depth++
		case token == json.Delim('}') || token == json.Delim(']'):
			depth--
		}
		wasArray = token == json.Delim('[')
		isKey = depth == 1
	}
}
