package config

import (
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/sources"
)

// kindFields returns the keys that a field of type sources.Chosen has: one for each source type, or
// for each type of lookup table.
func kindFields(f reflect.StructField) []field {
	var all []field
	for _, kind := range sources.Kinds {
		doc := kind.Doc
		if f.Tag.Get("kinds") == "side" {
			doc = kind.SideDoc
		}
		if doc != "" {
			all = append(all, field{key: kind.Name, of: reflect.TypeOf(kind.New()), index: f.Index,
				tag:    reflect.StructTag("doc:" + strconv.Quote(doc) + " example:" + strconv.Quote(kind.Example)),
				isKind: true})
		}
	}
	return all
}

// chooseKind makes the options of the source type with a name, and stores them in k. If the config
// has two types, which is an error, k keeps the one that comes first in sources.Kinds.
func chooseKind(k *sources.Chosen, name string) (options reflect.Value) {
	made := kindOf(name).New()
	if k.Name == "" || kindIndex(name) < kindIndex(k.Name) {
		*k = sources.Chosen{Name: name, Options: made}
	}
	return reflect.ValueOf(made).Elem()
}

func kindIndex(name string) int {
	return slices.IndexFunc(sources.Kinds, func(kind sources.Kind) bool { return kind.Name == name })
}

func kindOf(name string) *sources.Kind { return &sources.Kinds[kindIndex(name)] }

// IsData reports whether a file has the extension of a source type, and so is data rather than a
// config. JSON may be either.
func IsData(file string) bool {
	ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), ".")
	isOf := func(kind sources.Kind) bool {
		d := kind.Describe()
		return kind.Name == ext || slices.Contains(d.Extensions, ext) || slices.Contains(d.MoreExtensions, ext)
	}
	return ext != "json" && slices.ContainsFunc(sources.Kinds, isOf)
}

// checkKind checks that the mapping at path has exactly one source type, and checks its options
// together. It returns the path of the options; empty if they are unclear.
func (c *checker) checkKind(path, what string, k sources.Chosen, fields []field) string {
	var names, given []string
	for _, f := range fields {
		if !f.isKind {
			continue
		}
		names = append(names, f.key)
		if c.isGiven(subPath(path, f.key)) {
			given = append(given, f.key)
		}
	}
	c.checkKeys(subPath(path, k.Name), k.Options)
	switch {
	case len(given) == 0 && c.isValidInside(path):
		c.report(path, "expected one of %s", plural.OneOf(names))
	case len(given) > 1:
		c.report(subPath(path, given[1]), "%s and %s exclude each other; %s has one kind", given[0], given[1], what)
	case len(given) == 1 && c.isValid(subPath(path, given[0])):
		return subPath(path, given[0])
	}
	return ""
}

// checkKeys calls the Check method of the keys at path, if they have one.
func (c *checker) checkKeys(path string, keys any) {
	check, ok := keys.(interface {
		Check(isValid func(keys ...string) bool, problem func(key, hint, text string))
	})
	if !ok {
		return
	}
	isValid := func(keys ...string) bool {
		return c.isValid(path) && !slices.ContainsFunc(keys, func(key string) bool {
			return !c.isValid(path + "." + key)
		})
	}
	check.Check(isValid, func(key, hint, text string) { c.reportWithHint(path+"."+key, hint, "%s", text) })
}

// hasCells reports whether a column may have strings without a type, such as cells of CSV.
func hasCells(list []Source) bool {
	cells := func(k sources.Chosen) bool { return k.Name != "" && kindOf(k.Name).Cells }
	return slices.ContainsFunc(list, func(s Source) bool {
		return cells(s.Kind) || slices.ContainsFunc(s.Join, func(j sources.Join) bool { return cells(j.Kind) })
	})
}

// ClassFile returns the file with the class of each row; empty if the source has no such file.
func (s *Source) ClassFile() string {
	if named, ok := s.Kind.Options.(interface{ ClassFile() string }); ok {
		return named.ClassFile()
	}
	return ""
}
