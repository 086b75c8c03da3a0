package main

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/mod/module"
)

var tagged = regexp.MustCompile(`^v(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.?(\d+))?$`)

// pythonVersion returns a module's version as Python writes it: v1.2.3-rc.1 is
// 1.2.3rc1. A commit without a tag is a development release of the version that
// follows, with the commit as its local part, which no index takes.
func pythonVersion(version string) (string, error) {
	base, suffix := version, ""
	if module.IsPseudoVersion(version) {
		var err error
		if base, suffix, err = developmentVersion(version); err != nil {
			return "", err
		}
	}
	m := tagged.FindStringSubmatch(base)
	if m == nil {
		return "", fmt.Errorf("version %s; expected a tag v1.2.3 or v1.2.3-rc.1, or a commit without changes", version)
	}
	kind := map[string]string{"": "", "alpha": "a", "beta": "b", "rc": "rc"}[m[2]]
	return m[1] + kind + m[3] + suffix, nil
}

// developmentVersion splits a pseudo-version into the version that it comes before,
// or the pre-release that it comes after, and the rest of Python's version.
func developmentVersion(version string) (base, suffix string, err error) {
	if base, err = module.PseudoVersionBase(version); err != nil {
		return "", "", err
	}
	at, err := module.PseudoVersionTime(version)
	if err != nil {
		return "", "", err
	}
	rev, err := module.PseudoVersionRev(version)
	if err != nil {
		return "", "", err
	}
	kind := "dev"
	if strings.Contains(base, "-") {
		kind = "post"
	} else {
		base, _, _ = strings.Cut(version, "-")
	}
	return base, "." + kind + at.Format("20060102150405") + "+g" + rev, nil
}
