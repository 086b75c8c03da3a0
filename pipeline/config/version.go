package config

import (
	"path/filepath"
	"strings"

	"tfr-build/internal/store"
)

// versionVariable stands for the version in the last name of an output.
const versionVariable = "{version}"

// VersionFits reports whether {version}, where it stands in the path of an output at
// all, stands once and in its last name.
func VersionFits(path string) bool {
	before, after, found := strings.Cut(strings.TrimSuffix(path, "/"), versionVariable)
	return !found || !strings.Contains(after, "/") && !strings.Contains(after, versionVariable) && !strings.Contains(before, versionVariable)
}

// WithVersion is the path of an output with the config's version in the place of
// {version}.
func (c *Config) WithVersion(path string) string {
	return strings.Replace(path, versionVariable, c.Version, 1)
}

// AroundVersion is what stands around {version} in the last name of the output; ok is
// false where the output has none.
func (c *Config) AroundVersion() (before, after string, ok bool) {
	return strings.Cut(filepath.Base(c.Output), versionVariable)
}

// isLinkName reports whether a link beside an output can have the name.
func isLinkName(s string) bool {
	return isLine(s) && !strings.HasPrefix(s, ".") && !strings.ContainsAny(s, `/\`) && len(s) <= 100
}

// versions checks what is for versions beside one another.
func (c *checker) versions(cfg *Config) {
	if !c.fine("output") {
		return
	}
	if !VersionFits(cfg.Output) {
		c.hinted("output", `"out/`+cfg.Name+`/{version}"`, "found %s; {version} stands once, in the last name of the path", quoteValue(cfg.Output))
		return
	}
	before, after, versioned := cfg.AroundVersion()
	for _, key := range []string{"link", "keep"} {
		switch {
		case !c.given(key) || !c.fine(key):
		case !versioned:
			c.hinted(key, `output: "out/`+cfg.Name+`/{version}"`, "%s is for versions that stand beside one another; the output has no {version}", key)
		case store.IsURL(cfg.Output):
			c.bad(key, "%s is for folders; the output is in a bucket, where there are no links and nothing is removed", key)
		}
	}
	if name, ok := strings.CutPrefix(cfg.Link, before); ok && c.fine("link") {
		if name, ok = strings.CutSuffix(name, after); ok && versionForm.MatchString(name) {
			c.bad("link", "found %s; expected a name that no version has", quoteValue(cfg.Link))
		}
	}
}
