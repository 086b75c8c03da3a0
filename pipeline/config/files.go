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
	if f.IsList {
		return listOf(f.Patterns)
	}
	return textNode(f.Patterns[0])
}

// relativeTo are the files by their names relative to a root.
func relativeTo(root string, f input.Files) input.Files {
	names := make([]string, len(f.Patterns))
	for i, p := range f.Patterns {
		names[i] = relativeFile(p, root)
	}
	return input.Files{Patterns: names, IsList: f.IsList}
}

// relativeFile is the name of a file, or a pattern, as an absolute one gets it:
// relative to its root.
func relativeFile(file, root string) string {
	if !store.IsAbs(file) {
		return file
	}
	base := root
	if root == "" {
		base = files.FixedFolder(file)
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

// decodePatterns takes a pattern of relative paths, or a list of them.
func decodePatterns(d *decoder, at spot, l *input.Patterns) { *l = decodeList(d, at, belowRule) }

// decodeList takes a pattern, or a list of them, of paths that a rule is for.
func decodeList(d *decoder, at spot, of rule) []string {
	if at.kind != listNode {
		s, ok := d.text(at, "a pattern, or a list of patterns")
		if !ok {
			return nil
		}
		checkPattern(d, at.path, s, of)
		return []string{s}
	}
	texts, ok := d.texts(at, false)
	if !ok {
		return nil
	}
	there := map[string]bool{}
	for i, s := range texts {
		sub := at.inside(i)
		if there[s] {
			d.bad(sub, "duplicate %s", quoteValue(s))
		}
		there[s] = true
		checkPattern(d, sub, s, of)
	}
	return texts
}

// checkPattern checks that the brackets of a pattern are closed, and what else the rule
// of its paths says.
func checkPattern(d *decoder, path, s string, of rule) {
	expected, hint := of(s)
	if expected == "" && files.CheckPattern(s) != nil {
		expected = "a pattern whose brackets are closed"
	}
	if expected != "" {
		d.hinted(path, hint, "found %s; expected %s", quoteValue(s), expected)
	}
}

func encodePatterns(_ encoder, l input.Patterns) *node { return listOf(l) }

func decodeExtensions(d *decoder, at spot, x *input.Extensions) {
	switch {
	case at.isScalar() && at.text == "any":
		*x = input.Extensions{Any: true}
		return
	case at.kind == listNode:
		x.List = d.extensions(at)
	default:
		if s, ok := d.text(at, "any, an extension, or a list of extensions"); ok {
			x.List = []string{d.extension(at.path, s)}
		}
	}
}

// extensions are those of a list.
func (d *decoder) extensions(at spot) (list []string) {
	texts, ok := d.texts(at, false)
	if !ok {
		return nil
	}
	there := map[string]bool{}
	for i, s := range texts {
		x := d.extension(at.inside(i), s)
		if there[x] && d.fine(at.inside(i)) {
			d.bad(at.inside(i), "duplicate %s", quoteValue(s))
		}
		there[x] = true
		list = append(list, x)
	}
	return list
}

// extension is an extension as it is kept, in lower case.
func (f *faults) extension(path, s string) string {
	bare := strings.TrimPrefix(s, ".")
	if bare == "" || strings.ContainsAny(bare, "./*?[") || strings.ContainsFunc(bare, isControl) {
		f.bad(path, "found %s; expected an extension such as jpg", quoteValue(s))
	}
	return strings.ToLower(bare)
}

func encodeExtensions(_ encoder, x input.Extensions) *node {
	if x.Any {
		return textNode("any")
	}
	return listOf(x.List)
}

func extensionsSchema(*generator) object { return anyOf(object{"const": "any"}, scalar(), textList()) }
