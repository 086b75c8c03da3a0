package config

import (
	"path"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

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

// fileWithoutRoot returns the name of a file for the canonical text.
func fileWithoutRoot(file string) string { return relativeFile(file, "") }

// patternRule returns the rule of a pattern whose path follows a rule.
func patternRule(of rule) rule {
	return func(s string) (expected, hint string) {
		expected, hint = of(s)
		if expected == "" && files.CheckPattern(s) != nil {
			expected = "a pattern whose brackets are closed"
		}
		return expected, hint
	}
}

// extensions is the form of a list of extensions in lower case, without their dots.
var extensions = texts{
	one:    "any, an extension, or a list of extensions",
	each:   spelling{rule: expect(isExtension, "an extension such as jpg"), keep: bareExtension},
	unique: "extension",
}

func isExtension(s string) bool {
	bare := bareExtension(s)
	return bare != "" && !strings.ContainsAny(bare, "./*?[") && !strings.ContainsFunc(bare, isControl)
}

func bareExtension(s string) string { return strings.ToLower(strings.TrimPrefix(s, ".")) }
