package markup

import (
	"bytes"
	"encoding/json"
	"encoding/xml"

	"tfr-build/sources/input"
)

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{
		Reads: "directories of XML documents", Noun: "XML document", Rows: input.Objects, Directory: true, Repeated: true,
		Extensions: []string{"xml"}, Object: objectOf,
	}
}

// objectOf returns the object that a document is read as: the root by its name. An element with
// elements or attributes is an object, and any other its text. Elements of one name in a parent are a
// list if there are several.
func objectOf(_ input.Options, row []byte) []byte {
	t := newTokens(row, len(row), nil)
	for {
		switch token, err := t.next(); token := token.(type) {
		case xml.StartElement:
			e := readElement(t, token)
			return e.append(appendKey([]byte("{"), written(token.Name)), "}")
		default:
			if err != nil { // the row was read before, and so is valid
				return []byte("{}")
			}
		}
	}
}

// An element is the content of an element in JSON, by the names of its attributes and elements.
type element struct {
	names  []string
	values map[string][][]byte
	text   []byte
}

func (e *element) add(name string, value []byte) {
	if e.values == nil {
		e.values = map[string][][]byte{}
	}
	if e.values[name] == nil {
		e.names = append(e.names, name)
	}
	e.values[name] = append(e.values[name], value)
}

// readElement reads the rest of an element.
func readElement(t *tokens, begin xml.StartElement) *element {
	e := &element{}
	for _, a := range begin.Attr {
		e.add("@"+written(a.Name), scalarOf([]byte(a.Value)))
	}
	for {
		token, err := t.next()
		switch token := token.(type) {
		case xml.StartElement:
			e.add(written(token.Name), readElement(t, token).append(nil, ""))
		case xml.CharData:
			e.text = append(e.text, token...)
		case xml.EndElement:
			return e
		}
		if err != nil {
			return e
		}
	}
}

// append appends the element as JSON, and then after.
func (e *element) append(to []byte, after string) []byte {
	if e.names == nil {
		return append(append(to, scalarOf(e.text)...), after...)
	}
	to = append(to, '{')
	for i, name := range e.names {
		if i > 0 {
			to = append(to, ',')
		}
		to = appendKey(to, name)
		if list := e.values[name]; len(list) == 1 {
			to = append(to, list[0]...)
		} else {
			to = append(append(append(to, '['), bytes.Join(list, []byte(","))...), ']')
		}
	}
	return append(append(to, '}'), after...)
}

func appendKey(to []byte, name string) []byte {
	key, _ := json.Marshal(name) // a string cannot fail
	return append(append(to, key...), ':')
}

// scalarOf returns the JSON of a string: a number if it is one, null if it is empty, and otherwise the
// string.
func scalarOf(text []byte) []byte {
	if len(text) == 0 {
		return []byte("null")
	}
	if c := text[len(text)-1]; c >= '0' && c <= '9' && json.Valid(text) {
		return text
	}
	value, _ := json.Marshal(string(text))
	return value
}
