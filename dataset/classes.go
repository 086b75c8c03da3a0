package dataset

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
)

// A ClassList has the class names of one feature. In the manifest, a name that is not UTF-8 is an
// object with its bytes: {"base64": "Y2Fm6Q=="}.
type ClassList struct {
	Key      string
	First    int64 // the number of the first class
	Names    []string
	MultiHot bool // the feature has a place for each class, and not their numbers
}

// NewClassLists returns the class names of a record's features, in the order of their keys.
func NewClassLists(r *schema.Record) (lists []ClassList) {
	for _, f := range r.Stored() {
		if c := f.ClassNames(); c != nil {
			lists = append(lists, ClassList{f.Key, c.First, c.Names, f.Places != nil})
		}
	}
	slices.SortFunc(lists, compareClassLists)
	return lists
}

func compareClassLists(a, b ClassList) int { return cmp.Compare(a.Key, b.Key) }

// A classListJSON is a ClassList in the manifest. If all names are UTF-8, Name is string, which takes
// 32 bytes less per name. Otherwise it is any: strings, and a bytesName for each other name.
type classListJSON[Name any] struct {
	Key   string `json:"key"`
	First int64  `json:"first"`
	Names []Name `json:"names"`

	MultiHot bool `json:"multi_hot,omitempty"`
}

// A bytesName is a name that is not UTF-8.
type bytesName struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON returns the list as it is in the manifest.
func (c ClassList) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the encoder of the manifest cannot undo escapes
	if !slices.ContainsFunc(c.Names, isNotUTF8) {
		if c.Names == nil {
			c.Names = []string{} // not null
		}
		err := enc.Encode(classListJSON[string](c))
		return b.Bytes(), err
	}
	list := classListJSON[any]{c.Key, c.First, make([]any, len(c.Names)), c.MultiHot}
	for i, name := range c.Names {
		if list.Names[i] = name; isNotUTF8(name) {
			list.Names[i] = bytesName{[]byte(name)}
		}
	}
	err := enc.Encode(list)
	return b.Bytes(), err
}

func isNotUTF8(name string) bool { return !utf8.ValidString(name) }

// UnmarshalJSON reads a list of the manifest.
func (c *ClassList) UnmarshalJSON(data []byte) error {
	var texts classListJSON[string]
	if err := json.Unmarshal(data, &texts); err == nil {
		*c = ClassList(texts)
		return nil
	}
	var list classListJSON[any]
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	*c = ClassList{list.Key, list.First, make([]string, len(list.Names)), list.MultiHot}
	for i, name := range list.Names {
		switch name := name.(type) {
		case string:
			c.Names[i] = name
		case map[string]any:
			encoded, _ := name["base64"].(string)
			decoded, err := base64.StdEncoding.DecodeString(encoded)
			if err != nil {
				return fmt.Errorf("class %d of feature %q: %w", i, c.Key, err)
			}
			c.Names[i] = string(decoded)
		default:
			return fmt.Errorf("class %d of feature %q is neither a string nor an object with base64", i, c.Key)
		}
	}
	return nil
}

// FindClasses returns the classes of a feature. found is false if the manifest has none, which may
// be because an older version of tfr-build wrote it.
func (m *Manifest) FindClasses(key string) (list ClassList, found bool) {
	i, found := slices.BinarySearchFunc(m.Classes, ClassList{Key: key}, compareClassLists)
	if found {
		list = m.Classes[i]
	}
	return list, found
}

// checkClasses returns an error unless each feature has one list, and each class a number.
func (m *Manifest) checkClasses() error {
	for i, c := range m.Classes {
		if i > 0 && m.Classes[i-1].Key >= c.Key {
			return errors.New("the manifest's classes are not in the order of their keys")
		}
		if n := int64(len(c.Names)); n > 0 && c.First > math.MaxInt64-(n-1) {
			return fmt.Errorf("the manifest's classes of %q: %d names from %d on exceed int64", c.Key, n, c.First)
		}
	}
	return nil
}

// writeClasses writes the class names at the end of ReaderName. A name that is not UTF-8 is a bytes
// literal in Python, because tf.train.Example and tf.data return bytes.
func writeClasses(b *bytes.Buffer, features []*schema.Stored) {
	b.Grow(classesSize(features))
	b.WriteString("\nCLASSES = {")
	empty := true
	for _, f := range features {
		c := f.ClassNames()
		if c == nil {
			continue
		}
		if empty {
			b.WriteString("\n")
		}
		empty = false
		first := c.First
		if f.Places != nil {
			first = 0 // names are counted by place
		}
		fmt.Fprintf(b, "    %q: {\n        \"first\": %d,\n        \"names\": [\n", f.Key, first)
		for _, name := range c.Names {
			writeName(b, name)
		}
		b.WriteString("        ],\n    },\n")
	}
	b.WriteString("}\n")
}

// classesSize estimates the output size of writeClasses, so that the buffer grows once.
func classesSize(features []*schema.Stored) (n int) {
	for _, f := range features {
		if c := f.ClassNames(); c != nil {
			for _, name := range c.Names {
				n += len(name) + len("            \"\",\n")
			}
		}
	}
	return n
}

// writeName writes a name. A name that is not UTF-8 becomes a bytes literal, in which Python
// allows no escapes of other characters.
func writeName(b *bytes.Buffer, name string) {
	if utf8.ValidString(name) {
		fmt.Fprintf(b, "            %q,\n", name)
		return
	}
	var literal strings.Builder
	for i := range len(name) {
		if c := name[i]; c < utf8.RuneSelf {
			quoted := strconv.Quote(string(rune(c)))
			literal.WriteString(quoted[1 : len(quoted)-1])
		} else {
			fmt.Fprintf(&literal, `\x%02x`, c)
		}
	}
	fmt.Fprintf(b, "            b\"%s\",\n", &literal)
}
