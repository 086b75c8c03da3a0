package config

import (
	"reflect"
	"slices"
	"strconv"
)

// A Kind is what a source or a side table reads.
type Kind struct {
	Name    string // the key that its options stand under
	Options any    // *CSV, *JSONL, *Images or *Folder
}

// A kindRow is a kind: a key of a source, and maybe of a side table.
type kindRow struct {
	name    string
	doc     string       // of the key of a source
	sideDoc string       // of that of a side table; empty for a kind that is none
	options reflect.Type // a pointer to a struct
	check   func(f *faults, path string, options any)
}

// kinds are all kinds, in the order of their keys in the canonical text.
var kinds = []kindRow{
	kindOf("csv", "rows of CSV files", "the side table, of CSV files", checkCSV),
	kindOf[JSONL]("jsonl", "rows of files with a JSON object a line", "the side table, of JSONL files", nil),
	kindOf[Images]("images", "a folder of image files, each a row", "", nil),
	kindOf[Folder]("folder", "a folder of any files, each a row", "", nil),
}

// kindOf is the row of a kind with options T. check may be nil.
func kindOf[T any](name, doc, sideDoc string, check func(f *faults, path string, options *T)) kindRow {
	row := kindRow{name: name, doc: doc, sideDoc: sideDoc, options: reflect.TypeFor[*T]()}
	if check != nil {
		row.check = func(f *faults, path string, options any) { check(f, path, options.(*T)) }
	}
	return row
}

// kindFields are the keys that a field of type Kind stands for: one for each
// kind of source, or of side table.
func kindFields(in reflect.Type, f reflect.StructField) []field {
	var all []field
	for _, row := range kinds {
		doc := row.doc
		if f.Tag.Get("kinds") == "side" {
			doc = row.sideDoc
		}
		if doc != "" {
			all = append(all, field{key: row.name, in: in, of: row.options, index: f.Index, tag: reflect.StructTag("doc:" + strconv.Quote(doc)), isKind: true})
		}
	}
	return all
}

// choose makes options of type t, and k the kind of that name. Of two kinds,
// which is a fault, it stays that of the upper row.
func (k *Kind) choose(name string, t reflect.Type) (options reflect.Value) {
	options = reflect.New(t.Elem())
	if k.Name == "" || rowOf(name) < rowOf(k.Name) {
		*k = Kind{name, options.Interface()}
	}
	return options.Elem()
}

func rowOf(name string) int {
	return slices.IndexFunc(kinds, func(row kindRow) bool { return row.name == name })
}

// kind checks that exactly one kind stands in what is at path, and what its
// options mean together. It gives the path of the options; empty where it is not
// clear what they are.
func (c *checker) kind(path, what string, k Kind, fields []field) string {
	var names, given []string
	for _, f := range fields {
		if !f.isKind {
			continue
		}
		names = append(names, f.key)
		if c.given(subPath(path, f.key)) {
			given = append(given, f.key)
		}
	}
	if k.Name != "" && kinds[rowOf(k.Name)].check != nil {
		kinds[rowOf(k.Name)].check(c.faults, subPath(path, k.Name), k.Options)
	}
	switch {
	case len(given) == 0 && c.fineInside(path):
		c.bad(path, "expected one of %s", oneOf(names))
	case len(given) > 1:
		c.bad(subPath(path, given[1]), "%s and %s exclude each other; %s has one kind", given[0], given[1], what)
	case len(given) == 1 && c.fine(subPath(path, given[0])):
		return subPath(path, given[0])
	}
	return ""
}

// columns are those that the options name, in order; nil where only the files
// do.
func (k Kind) columns() []string {
	if table, ok := k.Options.(*CSV); ok {
		return table.Columns
	}
	return nil
}

// hasCSV reports whether some column may be one of CSV.
func hasCSV(sources []Source) bool {
	return slices.ContainsFunc(sources, func(s Source) bool {
		return s.Kind.Name == "csv" || slices.ContainsFunc(s.Join, func(j Join) bool { return j.Kind.Name == "csv" })
	})
}

// ClassFile is the file that names the class of each row; empty where there is
// none.
func (s *Source) ClassFile() string {
	if images, ok := s.Kind.Options.(*Images); ok {
		return images.ClassPerFile
	}
	return ""
}
