package parquet

import (
	"encoding/json"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// notes are the texts that a writer has left in a footer, by key.
type notes struct {
	List thrift.Slice[note] `thrift:"5,optional"`
}

type note struct {
	Key   string `thrift:"1,required"`
	Value string `thrift:"2,optional"`
}

// mostNote is how long a note is that is parsed: one with the names of many thousand classes
// is shorter.
const mostNote = 16 << 20

// ClassNames returns the class names that Hugging Face's datasets has left in the footer of
// a file of so many bytes, by the paths of the columns without their `*`. The columns hold
// the numbers of the classes. A footer without names, or with others than expected, has none.
func ClassNames(f io.ReaderAt, size int64) (names map[string][]string, err error) {
	var data []byte
	if err := guard(func() (err error) { data, _, err = readTail(f, size); return err }); err != nil {
		return nil, err
	}
	var found notes
	if err := guard(func() (err error) { _, err = decode(data, &found); return err }); err != nil {
		return nil, nil
	}
	names = map[string][]string{}
	for _, n := range found.List {
		var about struct {
			Info struct {
				Features json.RawMessage `json:"features"`
			} `json:"info"`
		}
		if n.Key == "huggingface" && len(n.Value) <= mostNote && json.Unmarshal([]byte(n.Value), &about) == nil {
			addClassNames(names, "", about.Info.Features, 0)
		}
	}
	return names, nil
}

// addClassNames adds the names of a feature of Hugging Face's datasets, and of those in it: an
// object of features is a struct, a list of one feature or a Sequence is a list.
func addClassNames(names map[string][]string, path string, feature json.RawMessage, depth int) {
	if depth > maxLevels {
		return
	}
	var list []json.RawMessage
	if json.Unmarshal(feature, &list) == nil && len(list) == 1 {
		addClassNames(names, path, list[0], depth+1)
		return
	}
	var about struct {
		Type    string          `json:"_type"`
		Names   []string        `json:"names"`
		Feature json.RawMessage `json:"feature"`
	}
	var fields map[string]json.RawMessage
	switch err := json.Unmarshal(feature, &about); {
	case err == nil && about.Type == "ClassLabel":
		names[path] = about.Names
		return
	case err == nil && about.Type != "" && about.Feature != nil:
		addClassNames(names, path, about.Feature, depth+1)
		return
	case err == nil && about.Type != "" || json.Unmarshal(feature, &fields) != nil:
		return
	}
	if path != "" {
		path += "."
	}
	for key, field := range fields {
		addClassNames(names, path+key, field, depth+1)
	}
}
