package plan

import (
	"encoding/base64"
	"encoding/json"
)

// Names are class names. They are stored in base64, as a name may not be UTF-8.
type Names []string

// MarshalJSON returns a list of strings in base64.
func (n Names) MarshalJSON() ([]byte, error) {
	size := len("[]")
	for _, name := range n {
		size += base64.StdEncoding.EncodedLen(len(name)) + len(`"",`)
	}
	text := append(make([]byte, 0, size), '[')
	for i, name := range n {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(base64.StdEncoding.AppendEncode(append(text, '"'), []byte(name)), '"')
	}
	return append(text, ']'), nil
}

// UnmarshalJSON reads the result of MarshalJSON. The names share one string in memory.
func (n *Names) UnmarshalJSON(text []byte) error {
	var list [][]byte
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	var all []byte
	ends := make([]int, len(list))
	for i, name := range list {
		all = append(all, name...)
		ends[i] = len(all)
	}
	shared, names, from := string(all), make(Names, len(list)), 0
	for i, end := range ends {
		names[i], from = shared[from:end], end
	}
	*n = names
	return nil
}

// EncodeNames returns class names, by key, in their stored form; nil without names.
func EncodeNames(classes map[string][]string) map[string]Names {
	var stored map[string]Names
	for key, names := range classes {
		if len(names) == 0 {
			continue
		}
		if stored == nil {
			stored = map[string]Names{}
		}
		stored[key] = names
	}
	return stored
}

// DecodeNames reads the result of EncodeNames. The result is not nil.
func DecodeNames(stored map[string]Names) map[string][]string {
	classes := map[string][]string{}
	for key, names := range stored {
		if len(names) > 0 {
			classes[key] = names
		}
	}
	return classes
}
