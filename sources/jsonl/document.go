package jsonl

import (
	"bytes"
	"encoding/json"
	"regexp"

	"tfr-build/schema"
)

// documentError returns the error of a file whose first object spans several lines. The argument
// value is the object, or as much of it as is known, and rest is the text after it. A file of one
// object is a document, and an array in it usually has the rows.
func documentError(at int, value, rest []byte, ends bool) *schema.RowError {
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

// plainKey matches keys that need no quotes in a config.
var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,40}$`)

// rowsKey returns the first key of the object in value whose value is an array of objects. It
// returns an empty string if no key is like that, or if the key needs quotes.
func rowsKey(value []byte) string {
	tokens := json.NewDecoder(bytes.NewReader(value))
	depth, key, wasArray := 0, "", false
	isKey := false // the next token of the outermost object is a key
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
