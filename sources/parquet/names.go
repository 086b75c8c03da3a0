package parquet

import (
	"encoding/json"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// keyValues are the key-value metadata of a footer.
type keyValues struct {
	List thrift.Slice[keyValue] `thrift:"5,optional"`
}

type keyValue struct {
	Key   string `thrift:"1,required"`
	Value string `thrift:"2,optional"`
}

// maxKeyValue is the size in bytes of the longest metadata value that is parsed. The names of
// many thousand classes are shorter.
const maxKeyValue = 16 << 20

// ClassNames returns the class names that Hugging Face's datasets library stores in the footer of
// a file of size bytes. The keys are the paths of the columns that hold the class numbers,
// without their `*`. A footer without class names, or with metadata of another form, returns no
// names and no error.
func ClassNames(f io.ReaderAt, size int64) (names map[string][]string, err error) {
	var data []byte
	if err := guard(func() (err error) { data, _, err = readTail(f, size); return err }); err != nil {
		return nil, err
	}
	var found keyValues
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
		if n.Key == "huggingface" && len(n.Value) <= maxKeyValue && json.Unmarshal([]byte(n.Value), &about) == nil {
			addClassNames(names, "", about.Info.Features, 0)
		}
	}
	return names, nil
}

// addClassNames adds the class names of a Hugging Face feature and of the features in it. An
// object of features is a struct; an array of one feature, or a Sequence, is a list.
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
