package schema

import "google.golang.org/protobuf/encoding/protowire"

// A Column is a column of a row, and how a row holds its value.
type Column struct {
	Name  string
	JSON  bool   // a Text is JSON, and the row holds what that says: a tree of Values
	nulls string // of JSON: the texts that are no JSON but mean missing, each behind its length
}

// JSONColumn is a column whose texts are JSON but for those of nulls, which mean
// missing and are left as they are.
func JSONColumn(name string, nulls []string) Column {
	var list []byte
	for _, text := range nulls {
		list = protowire.AppendString(list, text)
	}
	return Column{Name: name, JSON: true, nulls: string(list)}
}

// Nulls are the texts that are left as they are.
func (c Column) Nulls() (nulls []string) {
	for rest := []byte(c.nulls); len(rest) > 0; {
		text, n := protowire.ConsumeString(rest)
		nulls, rest = append(nulls, text), rest[n:]
	}
	return nulls
}

// column is column name as a row holds it for f.
func (f *Feature) column(name string) Column {
	if f.Encoding == JSON {
		return JSONColumn(name, f.NullValues)
	}
	return Column{Name: name}
}
