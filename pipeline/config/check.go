package config

import (
	"reflect"
	"slices"

	"tfr-build/internal/nearest"
	"tfr-build/sources"
)

// A checker checks what keys mean together, when each of them has its value. A
// check that rests on a faulty value is left out: it would only be an echo.
type checker struct {
	*faults
	sets   columnSets // of the columns of the sources
	unsure bool       // what a source is has a fault, and so what columns it has
}

// document folds doc into its Config, and checks that.
func (c *checker) document(doc *document, root *node) {
	c.oneSource(doc, root)
	c.unsure = len(doc.Sources) == 0
	for i := range doc.Sources {
		doc.Sources[i].inherit(doc.Steps)
		c.source(&doc.Sources[i])
	}
	c.shards(doc, root)
	c.versions(&doc.Config)
	c.inception(&doc.Config)
	c.config(&doc.Config)
	c.record(&doc.Config, root)
	cells, message := hasCells(doc.Sources), doc.Message()
	for _, f := range doc.AllFeatures() {
		check := featureCheck{c, f, message, cells}
		check.all()
	}
	c.knowing(&doc.Config)
}

// shards fills in what follows for the files from other keys, and checks their
// names.
func (c *checker) shards(doc *document, root *node) {
	if !root.has("shards") {
		doc.Shards = Shards{Hosts: 1, Filename: defaultFilename}
	}
	if name, ok := filenames[doc.Format]; ok && !c.given("shards.filename") {
		doc.Shards.Filename = name
	}
	c.shardNames(&doc.Config)
}

// oneSource folds `source` into Sources.
func (c *checker) oneSource(doc *document, root *node) {
	one, many := root.has("source"), root.has("sources")
	switch {
	case one && many:
		c.bad("sources", "source and sources exclude each other")
	case !one && !many:
		if !c.faulty["source"] {
			c.missing("", "source")
		}
	case one && doc.Source != nil:
		doc.Sources = []Source{*doc.Source}
	case many && len(doc.Sources) == 0 && c.fine("sources"):
		c.bad("sources", "found no source; expected at least one")
	}
	doc.Source = nil // the canonical text has sources alone
}

// inherit gives s the steps of the config that it has none of its own of. An
// empty list or mapping is one of its own.
func (s *Source) inherit(steps Steps) {
	if s.Split.At == "" {
		s.Split = steps.Split
	}
	if s.Split.At == "" {
		s.Split.Name = "train"
	}
	if s.Rename == nil {
		s.Rename = steps.Rename
	}
	if s.Set == nil {
		s.Set = steps.Set
	}
	if s.Join == nil {
		s.Join = steps.Join
	}
	if s.Load == nil {
		s.Load = steps.Load
	}
	if s.Derive == nil {
		s.Derive = steps.Derive
	}
}

// config checks what stands at the top.
func (c *checker) config(cfg *Config) {
	names, known := splitNames(cfg.Sources)
	if len(names) > MaxSplits {
		c.bad("split", "found %d splits; expected at most %d", len(names), MaxSplits)
	}
	if known && len(c.list) == 0 { // any fault may be the one that hides a split
		c.counts(cfg.Shards.Count, names)
		c.limits(cfg.Limit, names)
	}
	c.shaped(cfg)
	if cfg.OrderKey == "" || !c.fine("order_key", "order") {
		return
	}
	if cfg.Order != "shuffled" {
		c.bad("order_key", "order_key is for the shuffled order, but order is %s", cfg.Order)
	}
	for _, set := range c.sets {
		c.notLoaded("order_key", cfg.OrderKey, set)
	}
}

// counts holds the counts of splits against the splits that are there.
func (c *checker) counts(count Count, names []string) {
	if count.Splits == nil {
		return
	}
	for _, name := range names {
		if count.Of(name) == 0 {
			c.bad("shards.count", "the split %s has no count", quoteValue(name))
		}
	}
	for _, s := range count.Splits {
		if !slices.Contains(names, s.Split) {
			c.hinted(subPath("shards.count", s.Split), nearest.DidYouMean(nearest.Of(s.Split, names)),
				"unknown split %s; expected %s", quoteValue(s.Split), oneOf(names))
		}
	}
}

// source checks what stands in a source together.
func (c *checker) source(s *Source) {
	if c.kind(s.At, "a source", s.Kind, fieldsOf(reflect.TypeFor[Source]())) == "" {
		c.unsure = true
	}
	for i := range s.Join {
		c.join(&s.Join[i])
	}
	for i := range s.Load {
		c.together(s.Load[i].At, &s.Load[i])
	}
	set := c.columns(s)
	c.sets = append(c.sets, set)
	for _, key := range []struct{ name, column string }{{"by", s.Split.By}, {"column", s.Split.Column}} {
		if key.column != "" {
			c.notLoaded(subPath(s.Split.At, key.name), key.column, set)
		}
	}
}

// join checks the keys of a side table together.
func (c *checker) join(j *sources.Join) {
	table := c.kind(j.At, "a side table", j.Kind, fieldsOf(reflect.TypeFor[sources.Join]()))
	if table == "" {
		return
	}
	if root := table + ".root"; c.given(root) && c.fine(root) {
		c.bad(root, "root is for the addresses of rows; a side table has none")
	}
	columns := knownNames(j.Kind)
	if columns != nil && c.fine(j.At+".on", table+".columns") && !slices.Contains(columns, j.On.Theirs) {
		c.hinted(j.At+".on", nearest.DidYouMean(nearest.Of(j.On.Theirs, columns)), "the side table has no column %s", quoteValue(j.On.Theirs))
	}
}
