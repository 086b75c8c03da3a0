package xml

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/compress"
	"tfr-build/sources/input"
	"tfr-build/sources/lines"
)

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{
		Reads: "XML", Noun: "XML document", Rows: input.Objects, Directory: true, Repeated: true, ImageDepth: 2,
		Extensions: []string{"xml"}, Object: objectOf, Recognize: recognize, Choose: chooseRows,
	}
}

// recognize recognizes a document that may have rows. Several in a directory are rows themselves.
func recognize(h *input.FileHead) input.Match {
	return input.Begins.If(h.Ext == "xml" && !h.Several && bytes.HasPrefix(h.Bytes[lines.First(h.Bytes):], []byte("<")))
}

// outlined is how many bytes of a document are read to find its rows.
const outlined = 8 << 20

// chooseRows finds the path of the elements that hold most of a document.
func chooseRows(_ context.Context, g *input.FileGroup) (*input.Choice, error) {
	file := g.Paths[0]
	in, err := compress.OpenPath(g.System, file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, outlined))
	if err != nil {
		return nil, &input.Error{Path: file, Err: err}
	}
	rows, others, err := likelyRows(text)
	if bad := new(schema.RowError); rows == "" && errors.As(err, &bad) && len(text) < outlined {
		before := text[:max(bad.At, 0)]
		return nil, &input.MismatchError{Path: file, Text: bad.Message, Hint: bad.Hint, Code: bad.Code,
			Line: 1 + bytes.Count(before, []byte("\n")), Col: len(before) - bytes.LastIndexByte(before, '\n')}
	}
	if rows == "" {
		message := "is one XML document without repeated elements that hold most of it; XML documents are rows of a " +
			"directory"
		return nil, &input.MismatchError{Path: file, Text: message, Hint: "tfr-build init " + path.Dir(file)}
	}
	option := input.Option{Name: "rows", Value: rows, Note: "these elements hold most of the document"}
	if others != nil {
		option.Note += "; not in the rows: " + strings.Join(others, ", ")
	}
	return &input.Choice{Options: []input.Option{option}}, nil
}

// mostOthers is the largest number of elements and attributes that a comment names besides the rows.
const mostOthers = 10

// likelyRows returns the path of the elements, at least two, that hold most of a document; otherwise "". It also
// returns the paths of a few other elements and attributes, and the error that ends the reading.
func likelyRows(text []byte) (rows string, others []string, err error) {
	t := newTokens(text, len(text), nil)
	count, size := map[string]int{}, map[string]int{}
	var open []string
	var begins []int
	for err == nil {
		at := t.at()
		var token xml.Token
		token, err = t.next()
		switch token := token.(type) {
		case xml.StartElement:
			open, begins = append(open, written(token.Name)), append(begins, at)
			for _, a := range token.Attr {
				if name := written(a.Name); !strings.HasPrefix(name, "xmlns") {
					count[strings.Join(open, ".")+".@"+name]++
				}
			}
		case xml.EndElement:
			last := len(open) - 1
			if last < 0 {
				return "", nil, err
			}
			name := strings.Join(open, ".")
			if count[name]++; strings.Count(name, ".") == last && input.NameProblem(name) == "" {
				size[name] += t.at() - begins[last]
			}
			open, begins = open[:last], begins[:last]
		}
	}
	for name, n := range size {
		// The shortest path: elements of more than half of a document are in each other.
		if count[name] > 1 && 2*n > len(text) && (rows == "" || len(name) < len(rows)) {
			rows = name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		isIn := func(other string) bool { return strings.HasPrefix(name+".", other+".") }
		isAround := strings.HasPrefix(rows+".", name+".")
		if rows != "" && !isAround && !isIn(rows) && !slices.ContainsFunc(others, isIn) {
			others = append(others, name)
		}
	}
	if len(others) > mostOthers {
		others = append(others[:mostOthers], "…")
	}
	return rows, others, err
}

// objectOf returns the object that a document is read as: the root by its name. An element with
// elements or attributes is an object, and any other its text. The text next to attributes has the key "", and text
// next to elements, which no path reads, the key "*". Elements of one name in a parent are a
// list if there are several.
func objectOf(_ input.Options, row []byte) []byte {
	t := newTokens(row, len(row), nil)
	t.inRow = true
	return readElement(t, xml.StartElement{}) // around the root; the row was read before, and so is valid
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

// readElement returns the JSON of the rest of an element.
func readElement(t *tokens, begin xml.StartElement) []byte {
	e := &element{}
	for _, a := range begin.Attr {
		e.add("@"+written(a.Name), scalarOf([]byte(a.Value)))
	}
	for {
		token, err := t.next()
		switch token := token.(type) {
		case xml.StartElement:
			e.add(written(token.Name), readElement(t, token))
		case xml.CharData:
			e.text = append(e.text, token...)
		case xml.EndElement:
			if len(bytes.TrimSpace(e.text)) > 0 && e.names != nil {
				key := ""
				if slices.ContainsFunc(e.names, func(name string) bool { return name[0] != '@' }) {
					key = "*"
				}
				e.add(key, scalarOf(e.text))
			}
			return e.json()
		}
		if err != nil {
			return e.json()
		}
	}
}

// json returns the element as JSON.
func (e *element) json() []byte {
	if e.names == nil {
		return scalarOf(e.text)
	}
	to := []byte("{")
	for i, name := range e.names {
		if i > 0 {
			to = append(to, ',')
		}
		value := bytes.Join(e.values[name], []byte(","))
		if len(e.values[name]) > 1 {
			value = slices.Concat([]byte("["), value, []byte("]"))
		}
		to = append(appendKey(to, name), value...)
	}
	return append(to, '}')
}

func appendKey(to []byte, name string) []byte {
	return append(schema.AppendJSONString(to, []byte(name)), ':')
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
	return schema.AppendJSONString(nil, text)
}
