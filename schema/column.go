package schema

import "google.golang.org/protobuf/encoding/protowire"

// A Column is a column of a row, and the form in which the row has its value.
type Column struct {
	Name    string
	JSON    bool   // the Text is JSON, and the row has its decoded value: a tree of Values
	Part    Part   // with groups: the rows whose values it has
	Feature string // with EachRow and LastRow: the feature whose value it is
	nulls   string // for JSON: the strings that are not decoded because they mean missing, each after its length
}

// JSONColumn returns a column whose strings are JSON. The strings in nulls mean missing, and are
// not decoded.
func JSONColumn(name string, nulls []string) Column {
	var list []byte
	for _, text := range nulls {
		list = protowire.AppendString(list, text)
	}
	return Column{Name: name, JSON: true, nulls: string(list)}
}

// Nulls returns the strings that mean missing and are not decoded.
func (c Column) Nulls() (nulls []string) {
	for rest := []byte(c.nulls); len(rest) > 0; {
		text, n := protowire.ConsumeString(rest)
		nulls, rest = append(nulls, text), rest[n:]
	}
	return nulls
}

// column returns the column of that name in the form that f needs.
func (f *Feature) column(name string) Column {
	c := Column{Name: name}
	if f.Encoding == JSON {
		c = JSONColumn(name, f.NullValues)
	}
	if c.Part = f.Part; c.Part != FirstRow {
		c.Feature = f.Key
	}
	return c
}

// RowColumn returns the column of a row from which a feature of a record of several rows is made.
func (f *Feature) RowColumn(name string) Column { return f.column(name).OfRow() }

// OfRow returns the column of a row that has the values of c.
func (c Column) OfRow() Column {
	c.Part, c.Feature = FirstRow, ""
	return c
}

// A Part names the rows of a group whose values a column has.
type Part uint8

// The parts.
const (
	FirstRow Part = iota // the value of the first row, or of the only one
	LastRow              // the value of the last row
	EachRow              // a list with a value for each row
)
