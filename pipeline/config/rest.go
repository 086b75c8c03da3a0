package config

import (
	"slices"
	"strings"

	"tfr-build/sources/column"
)

// rest returns the config without the features that have a problem. It is nil if a problem may
// change the rows themselves, or if no feature remains. Problems of the input would then only
// repeat the others.
func (doc *document) rest(f *collector) *Config {
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
	return without(&doc.Config, func(feature *Feature) bool { return !f.isValidInside(feature.At) })
}

// WithoutColumns returns c without the features that use one of the columns. It is nil if no
// feature uses one, or if no other feature remains.
func WithoutColumns(c *Config, columns []string) *Config {
	named := column.SetOf(columns)
	uses := func(feature *Feature) bool {
		return slices.ContainsFunc(feature.From.Columns, func(name string) bool { return named[name] }) ||
			named[feature.Repeat]
	}
	if !slices.ContainsFunc(c.AllFeatures(), uses) {
		return nil
	}
	return without(c, uses)
}

// without returns c without some of its features, and without the keys that may name them.
func without(c *Config, invalid func(*Feature) bool) *Config {
	rest := *c
	left := 0
	for _, list := range []*Features{&rest.Features, &rest.Context, &rest.Sequence} {
		*list = slices.DeleteFunc(slices.Clone(*list), func(feature Feature) bool { return invalid(&feature) })
		left += len(*list)
	}
	if left == 0 {
		return nil
	}
	rest.Checks, rest.Card = nil, nil
	if c.WebDataset != nil {
		rest.WebDataset = &WebDataset{feature: c.WebDataset.feature}
	}
	return &rest
}
