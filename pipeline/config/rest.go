package config

import (
	"slices"
	"strings"
)

// rest returns what can be read of a config with errors: the config without the features
// that have one. It is nil if an error may change the rows themselves, or if no feature is
// left: what the inputs then say would only be an echo.
func (doc *document) rest(f *faults) *Config {
	for _, q := range f.list {
		key := q.Path[:max(0, strings.IndexAny(q.Path+".", ".["))]
		switch key {
		case "checks", "card":
		case "features", "context", "sequence":
			if q.Path == key {
				return nil
			}
		default:
			return nil
		}
	}
	return without(&doc.Config, func(feature *Feature) bool { return !f.fineInside(feature.At) })
}

// WithoutColumns returns c without the features that use one of the columns, for a look at
// the others; nil if no feature uses one, or if no other is left.
func WithoutColumns(c *Config, columns []string) *Config {
	uses := func(feature *Feature) bool { return slices.ContainsFunc(columns, feature.Uses) }
	if !slices.ContainsFunc(c.AllFeatures(), uses) {
		return nil
	}
	return without(c, uses)
}

// without returns c without some of its features and without what may name them.
func without(c *Config, faulty func(*Feature) bool) *Config {
	rest := *c
	left := 0
	for _, list := range []*Features{&rest.Features, &rest.Context, &rest.Sequence} {
		*list = slices.DeleteFunc(slices.Clone(*list), func(feature Feature) bool { return faulty(&feature) })
		left += len(*list)
	}
	if left == 0 {
		return nil
	}
	rest.Checks, rest.Card = nil, nil
	return &rest
}
