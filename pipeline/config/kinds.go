package config

import (
	"reflect"
	"slices"
	"strconv"

	"tfr-build/sources"
)

// kindFields are the keys that a field of type sources.Chosen stands for: one for each
// kind of source, or of side table.
func kindFields(in reflect.Type, f reflect.StructField) []field {
	var all []field
	for _, kind := range sources.Kinds {
		doc := kind.Doc
		if f.Tag.Get("kinds") == "side" {
			doc = kind.SideDoc
		}
		if doc != "" {
			all = append(all, field{key: kind.Name, in: in, of: reflect.TypeOf(kind.New()), index: f.Index, tag: reflect.StructTag("doc:" + strconv.Quote(doc) + " example:" + strconv.Quote(kind.Example)), isKind: true})
		}
	}
	return all
}

// choose makes options of the kind of a name, and k that kind. Of two kinds,
// which is a fault, it stays that of the upper row.
func choose(k *sources.Chosen, name string) (options reflect.Value) {
	made := kindOf(name).New()
	if k.Name == "" || rowOf(name) < rowOf(k.Name) {
		*k = sources.Chosen{Name: name, Options: made}
	}
	return reflect.ValueOf(made).Elem()
}

func rowOf(name string) int {
	return slices.IndexFunc(sources.Kinds, func(kind sources.Kind) bool { return kind.Name == name })
}

func kindOf(name string) *sources.Kind { return &sources.Kinds[rowOf(name)] }

// kind checks that exactly one kind stands in what is at path, and what its
// options mean together. It gives the path of the options; empty where it is not
// clear what they are.
func (c *checker) kind(path, what string, k sources.Chosen, fields []field) string {
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
	c.together(subPath(path, k.Name), k.Options)
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

// together has what stands at path check what its keys mean together.
func (c *checker) together(path string, keys any) {
	check, ok := keys.(interface {
		Check(fine func(keys ...string) bool, fault func(key, hint, text string))
	})
	if !ok {
		return
	}
	fine := func(keys ...string) bool {
		return c.fine(path) && !slices.ContainsFunc(keys, func(key string) bool { return !c.fine(path + "." + key) })
	}
	check.Check(fine, func(key, hint, text string) { c.hinted(path+"."+key, hint, "%s", text) })
}

// hasCells reports whether some column may hold texts without a type.
func hasCells(list []Source) bool {
	cells := func(k sources.Chosen) bool { return k.Name != "" && kindOf(k.Name).Cells }
	return slices.ContainsFunc(list, func(s Source) bool {
		return cells(s.Kind) || slices.ContainsFunc(s.Join, func(j sources.Join) bool { return cells(j.Kind) })
	})
}

// ClassFile is the file that names the class of each row; empty where there is
// none.
func (s *Source) ClassFile() string {
	if named, ok := s.Kind.Options.(interface{ ClassFile() string }); ok {
		return named.ClassFile()
	}
	return ""
}
