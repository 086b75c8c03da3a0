package lossless

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Row is one row of an input. Its value is an Object, whose values are
//
//	Cell                        text of a table or of an XML document
//	string, json.Number, bool   of JSON
//	int64, float64, []byte      of typed columns
//	Object, []any, nil          of all of them
type Row struct {
	File  string // the path of its file, or the end of it
	Value Object
}

// A Cell is text without a type.
type Cell struct {
	Text   string
	Quoted bool
	Alike  bool // all cells of the table are in quotes, so the quotes say nothing
}

// An Object has members in the order of the input.
type Object []Member

// A Member is a key and its value.
type Member struct {
	Key   string
	Value any
}

// Get returns the value of a key, and whether the key exists.
func (o Object) Get(key string) (value any, ok bool) {
	for _, m := range o {
		if m.Key == key {
			return m.Value, true
		}
	}
	return nil, false
}

// A Dialect is how a table is written.
type Dialect struct {
	Delimiter byte
	Skip      int      // number of lines before the header
	Comment   string   // the beginning of lines that are skipped
	Columns   []string // the names, if the table has no header
	Trim      bool     // spaces around names and cells do not belong to them
}

// ReadTable reads the rows of a table by RFC 4180. An empty or duplicate name becomes "@0", the
// position of the column.
func ReadTable(file, text string, d Dialect) (rows []Row, err error) {
	text = strings.TrimPrefix(text, "\ufeff")
	for range d.Skip {
		_, text, _ = strings.Cut(text, "\n")
	}
	names := d.Columns
	for text != "" {
		var cells []Cell
		if cells, text, err = cutRow(text, d); err != nil {
			return nil, fmt.Errorf("%s, row %d: %w", file, len(rows)+1, err)
		}
		switch {
		case cells == nil:
			continue
		case d.Trim:
			for i := range cells {
				if cells[i].Quoted {
					continue
				}
				cells[i].Text = strings.TrimSpace(cells[i].Text)
			}
		}
		switch {
		case names == nil:
			names = namesOf(cells)
		case len(cells) != len(names):
			return nil, fmt.Errorf("%s, row %d: %d cells for %d columns", file, len(rows)+1, len(cells), len(names))
		default:
			value := make(Object, len(cells))
			for i, c := range cells {
				value[i] = Member{names[i], c}
			}
			rows = append(rows, Row{file, value})
		}
	}
	compareQuotes(rows)
	return rows, nil
}

// compareQuotes finds out whether all cells are in quotes.
func compareQuotes(rows []Row) {
	for _, r := range rows {
		for _, m := range r.Value {
			if !m.Value.(Cell).Quoted {
				return
			}
		}
	}
	for _, r := range rows {
		for i, m := range r.Value {
			r.Value[i].Value = Cell{m.Value.(Cell).Text, true, true}
		}
	}
}

func namesOf(cells []Cell) []string {
	count := map[string]int{}
	for _, c := range cells {
		count[c.Text]++
	}
	names := make([]string, len(cells))
	for i, c := range cells {
		if names[i] = c.Text; c.Text == "" || count[c.Text] > 1 {
			names[i] = "@" + strconv.Itoa(i)
		}
	}
	return names
}

// cutRow cuts the first row off, which is nil for a blank or skipped line.
func cutRow(text string, d Dialect) (cells []Cell, rest string, err error) {
	if line, rest, _ := strings.Cut(text, "\n"); strings.TrimSuffix(line, "\r") == "" || d.Comment != "" &&
		strings.HasPrefix(line, d.Comment) {
		return nil, rest, nil
	}
	for {
		var c Cell
		if strings.HasPrefix(text, `"`) {
			c.Quoted, text = true, text[1:]
			for {
				inside, after, found := strings.Cut(text, `"`)
				if !found {
					return nil, "", errors.New("a quote is not closed")
				}
				c.Text, text = c.Text+inside, after
				if !strings.HasPrefix(text, `"`) {
					break
				}
				c.Text, text = c.Text+`"`, text[1:]
			}
		}
		end := strings.IndexAny(text, string(d.Delimiter)+"\n\r")
		if end < 0 {
			end = len(text)
		}
		if c.Quoted && end > 0 {
			return nil, "", errors.New("text follows a quote")
		}
		if !c.Quoted {
			c.Text = text[:end]
		}
		cells, text = append(cells, c), text[end:]
		if text == "" || text[0] != d.Delimiter {
			text = strings.TrimPrefix(text, "\r")
			return cells, strings.TrimPrefix(text, "\n"), nil
		}
		text = text[1:]
	}
}

// ReadLines reads one object of JSON per line.
func ReadLines(file string, data []byte) (rows []Row, err error) {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		value, err := readJSON(line)
		if err != nil {
			return nil, err
		}
		o, ok := value.(Object)
		if !ok {
			return nil, fmt.Errorf("%s: a line is not an object", file)
		}
		rows = append(rows, Row{file, o})
	}
	return rows, nil
}

// ReadDocument reads the rows at a path of a JSON document: "." is the document itself. With a
// name for the keys, the rows are the members of an object.
func ReadDocument(file string, data []byte, path, keys string) (rows []Row, err error) {
	value, err := readJSON(data)
	if err != nil {
		return nil, err
	}
	if path != "." {
		value = at(value, strings.Split(path, "."))
	}
	switch list := value.(type) {
	case []any:
		return rowsOf(file, list), nil
	case Object:
		for _, m := range list {
			o, _ := m.Value.(Object)
			rows = append(rows, Row{file, append(Object{{keys, m.Key}}, o...)})
		}
	default:
		return nil, fmt.Errorf("%s: no rows at %s", file, path)
	}
	return rows, nil
}

func rowsOf(file string, list []any) (rows []Row) {
	for _, v := range list {
		o, ok := v.(Object)
		if !ok {
			o = Object{{"value", v}}
		}
		rows = append(rows, Row{file, o})
	}
	return rows
}

func readJSON(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return readValue(d)
}

func readValue(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := readValue(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	case json.Delim('{'):
		o := Object{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := readValue(d)
			if err != nil {
				return nil, err
			}
			o = append(o, Member{key.(string), v})
		}
		_, err = d.Token()
		return o, err
	}
	return token, nil
}

// ReadXML reads a document. Each element is a list.
func ReadXML(file string, data []byte) (Row, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.RawToken()
		if err != nil {
			return Row{}, fmt.Errorf("%s: %w", file, err)
		}
		if start, ok := token.(xml.StartElement); ok {
			value, err := readElement(d, start)
			return Row{file, Object{{asWritten(start.Name), value}}}, err
		}
	}
}

// Text is the name of the text of an element with attributes or elements inside.
const Text = "#text"

// asWritten returns a name with its prefix, as the document has it.
func asWritten(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// readElement returns the text of an element, or an Object in which each child is a list.
func readElement(d *xml.Decoder, start xml.StartElement) (any, error) {
	var o Object
	for _, a := range start.Attr {
		o = append(o, Member{"@" + asWritten(a.Name), Cell{Text: a.Value}})
	}
	var text strings.Builder
	for {
		token, err := d.RawToken()
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.CharData:
			text.Write(token)
		case xml.StartElement:
			v, err := readElement(d, token)
			if err != nil {
				return nil, err
			}
			o = o.with(asWritten(token.Name), v)
		case xml.EndElement:
			if o == nil {
				return Cell{Text: text.String()}, nil
			}
			if s := text.String(); strings.TrimSpace(s) != "" {
				o = append(o, Member{Text, Cell{Text: s}})
			}
			return o, nil
		}
	}
}

// with adds a value to the list of a key.
func (o Object) with(key string, v any) Object {
	for i, m := range o {
		if list, ok := m.Value.([]any); ok && m.Key == key {
			o[i].Value = append(list, v)
			return o
		}
	}
	return append(o, Member{key, []any{v}})
}
