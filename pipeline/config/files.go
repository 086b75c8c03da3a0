package config

import (
	"path"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

func decodeFiles(d *decoder, at spot, f *input.Files) {
	f.IsList = at.kind == listNode
	f.Patterns = decodeList(d, at, pathRule)
	for i, p := range f.Patterns {
		f.Patterns[i] = objects.Path(p)
	}
}

func encodeFiles(_ encoder, f input.Files) *node {
	switch {
	case len(f.Patterns) == 0:
		return nil
	case f.IsList:
		return listOfStrings(f.Patterns)
	}
	return stringNode(f.Patterns[0])
}

// relativeTo returns the files with names relative to a root.
func relativeTo(root string, f input.Files) input.Files {
	names := make([]string, len(f.Patterns))
	for i, p := range f.Patterns {
		names[i] = relativeFile(p, root)
	}
	return input.Files{Patterns: names, IsList: f.IsList}
}

// relativeFile returns the name of a file or pattern for the canonical text: an absolute one
// becomes relative to its root.
func relativeFile(file, root string) string {
	if !store.IsAbs(file) {
		return file
	}
	base := root
	if root == "" {
		base = files.FixedDirectory(file)
	}
	rest, below := store.Rel(base, file)
	switch {
	case !below || rest == ".":
		return relative(file)
	case root == "":
		return objects.Plain(rest)
	}
	return objects.Plain(path.Join(relative(base), rest))
}

// decodePatterns decodes a pattern of relative paths, or a list of them.
func decodePatterns(d *decoder, at spot, l *input.Patterns) { *l = decodeList(d, at, belowRule) }

// decodeList decodes a pattern of paths, or a list of them, and checks each path by a rule.
func decodeList(d *decoder, at spot, of rule) []string {
	if at.kind != listNode {
		s, ok := d.readString(at, "a pattern, or a list of patterns")
		if !ok {
			return nil
		}
		checkPattern(d, at.path, s, of)
		return []string{s}
	}
	texts, ok := d.readStrings(at, false)
	if !ok {
		return nil
	}
	there := map[string]bool{}
	for i, s := range texts {
		sub := at.elementPath(i)
		if there[s] {
			d.report(sub, "duplicate %s", quoteValue(s))
		}
		there[s] = true
		checkPattern(d, sub, s, of)
	}
	return texts
}

// checkPattern checks that the brackets of a pattern are closed, and that its path follows the
// rule.
func checkPattern(d *decoder, path, s string, of rule) {
	expected, hint := of(s)
	if expected == "" && files.CheckPattern(s) != nil {
		expected = "a pattern whose brackets are closed"
	}
	if expected != "" {
		d.reportWithHint(path, hint, "found %s; expected %s", quoteValue(s), expected)
	}
}

func encodePatterns(_ encoder, l input.Patterns) *node { return listOfStrings(l) }

func decodeExtensions(d *decoder, at spot, x *input.Extensions) {
	switch {
	case at.isScalar() && at.text == "any":
		*x = input.Extensions{Any: true}
		return
	case at.kind == listNode:
		x.List = d.readExtensions(at)
	default:
		if s, ok := d.readString(at, "any, an extension, or a list of extensions"); ok {
			x.List = []string{d.normalizeExtension(at.path, s)}
		}
	}
}

// readExtensions returns a list of extensions.
func (d *decoder) readExtensions(at spot) (list []string) {
	texts, ok := d.readStrings(at, false)
	if !ok {
		return nil
	}
	there := map[string]bool{}
	for i, s := range texts {
		x := d.normalizeExtension(at.elementPath(i), s)
		if there[x] && d.isValid(at.elementPath(i)) {
			d.report(at.elementPath(i), "duplicate %s", quoteValue(s))
		}
		there[x] = true
		list = append(list, x)
	}
	return list
}

// normalizeExtension returns an extension in lower case, without its dot.
func (f *collector) normalizeExtension(path, s string) string {
	bare := strings.TrimPrefix(s, ".")
	if bare == "" || strings.ContainsAny(bare, "./*?[") || strings.ContainsFunc(bare, isControl) {
		f.report(path, "found %s; expected an extension such as jpg", quoteValue(s))
	}
	return strings.ToLower(bare)
}

func encodeExtensions(_ encoder, x input.Extensions) *node {
	if x.Any {
		return stringNode("any")
	}
	return listOfStrings(x.List)
}

func extensionsSchema(*generator) object {
	return anyOf(object{"const": "any"}, scalar(), stringListSchema())
}
