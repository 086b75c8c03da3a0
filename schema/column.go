package schema

import "google.golang.org/protobuf/encoding/protowire"

// A Column is a column of a row, and the form in which the row has its value.
type Column struct {
	Name  string
	JSON  bool   // a Text is JSON, and the row has its decoded value: a tree of Values
	nulls string // for JSON: the strings that are not decoded because they mean missing, each after its length
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
	if f.Encoding == JSON {
		return JSONColumn(name, f.NullValues)
	}
	return Column{Name: name}
}
