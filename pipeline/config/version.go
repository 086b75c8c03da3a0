package config

import (
	"path/filepath"
	"strings"

	"tfr-build/internal/store"
)

// versionVariable stands for the version in the last element of an output.
const versionVariable = "{version}"

// IsVersionPath reports whether the path of an output has {version} at most once, and only in its
// last element.
func IsVersionPath(path string) bool {
	before, after, found := strings.Cut(strings.TrimSuffix(path, "/"), versionVariable)
	return !found || !strings.Contains(after, "/") && !strings.Contains(after, versionVariable) &&
		!strings.Contains(before, versionVariable)
}

// WithVersion returns the path of an output with the config's version in place of {version}.
func (c *Config) WithVersion(path string) string {
	return strings.Replace(path, versionVariable, c.Version, 1)
}

// AroundVersion returns the text before and after {version} in the last element of the output; ok
// is false if the output has no {version}.
func (c *Config) AroundVersion() (before, after string, ok bool) {
	return strings.Cut(filepath.Base(c.Output), versionVariable)
}

// isLinkName reports whether a link next to an output can have the name.
func isLinkName(s string) bool {
	return isLine(s) && !strings.HasPrefix(s, ".") && !strings.ContainsAny(s, `/\`) && len(s) <= 100
}

// checkVersions checks the keys for several versions in one directory.
func (c *checker) checkVersions(cfg *Config) {
	if !c.isValid("output") {
		return
	}
	if !IsVersionPath(cfg.Output) {
		c.reportWithHint("output", `"out/`+cfg.Name+`/{version}"`,
			"found %s; {version} occurs once, in the last name of the path", quoteValue(cfg.Output))
		return
	}
	before, after, versioned := cfg.AroundVersion()
	for _, key := range []string{"link", "keep", "append"} {
		switch {
		case !c.isGiven(key) || !c.isValid(key):
		case !versioned:
			c.reportWithHint(key, `output: "out/`+cfg.Name+`/{version}"`,
				"%s is for versions next to one another; the output has no {version}", key)
		case store.IsURL(cfg.Output) && key != "append":
			c.report(key, "%s is for directories; the output is in a bucket, which has no links and where nothing is "+
				"removed", key)
		}
	}
	if name, ok := strings.CutPrefix(cfg.Link, before); ok && c.isValid("link") {
		if name, ok = strings.CutSuffix(name, after); ok && versionForm.MatchString(name) {
			c.report("link", "found %s; expected a name that no version has", quoteValue(cfg.Link))
		}
	}
}
