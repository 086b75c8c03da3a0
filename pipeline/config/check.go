package config

import (
	"reflect"
	"slices"

	"tfr-build/internal/nearest"
)

// document lays the whole text over doc, folds it into a Config and checks
// what its keys mean together. A check that rests on a faulty value is left
// out: it would only be an echo.
func (p *parser) document(doc *document, root *node) {
	if root.kind != mappingNode {
		p.places[""] = root.place
		p.wants("", root, "a mapping with name, output, source and features")
		return
	}
	p.value("", root, reflect.ValueOf(doc).Elem(), "")
	p.places[""] = place{1, 1}
	p.oneSource(doc, root)
	p.unsure = len(doc.Sources) == 0
	for i := range doc.Sources {
		doc.Sources[i].inherit(doc.Steps)
		p.source(&doc.Sources[i])
	}
	c := &doc.Config
	if !root.has("shards") {
		c.Shards = Shards{Hosts: 1, Filename: defaultFilename}
	}
	p.config(c)
	for i := range c.Features {
		p.feature(c, &c.Features[i])
	}
}

// oneSource folds `source` into Sources.
func (p *parser) oneSource(doc *document, root *node) {
	one, many := root.has("source"), root.has("sources")
	switch {
	case one && many:
		p.bad("sources", "source and sources exclude each other")
	case !one && !many:
		if !p.faulty["source"] {
			p.missing("", "source")
		}
	case one && doc.Source != nil:
		doc.Sources = []Source{*doc.Source}
	case many && len(doc.Sources) == 0 && p.fine("sources"):
		p.bad("sources", "found no source; want at least one")
	}
	doc.Source = nil
}

// inherit gives s the steps of the config that it has none of its own of.
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
}

// config checks what stands at the top.
func (p *parser) config(c *Config) {
	names, known := splitNames(c.Sources)
	if len(names) > maxSplits {
		p.bad("split", "found %d splits; want at most %d", len(names), maxSplits)
	}
	if known && len(p.problems.List) == 0 {
		p.counts(c.Shards.Count, names)
	}
	if c.OrderKey == "" || !p.fine("order_key", "order") {
		return
	}
	if c.Order == "source" {
		p.bad("order_key", "order_key is for the shuffled order, but order is source")
	}
	for i := range c.Sources {
		p.notLoaded("order_key", c.OrderKey, &c.Sources[i])
	}
}

// counts holds the counts of splits against the splits that are there.
func (p *parser) counts(count Count, names []string) {
	if count.Splits == nil {
		return
	}
	for _, name := range names {
		if count.Of(name) == 0 {
			p.bad("shards.count", "the split %s has no count", quoteValue(name))
		}
	}
	for _, s := range count.Splits {
		if !slices.Contains(names, s.Split) {
			p.hinted(subPath("shards.count", s.Split), didYouMean(nearest.Of(s.Split, names)),
				"no split %s; there is %s", quoteValue(s.Split), oneOf(names))
		}
	}
}

// source checks what stands in a source together.
func (p *parser) source(s *Source) {
	var kinds []string
	for _, kind := range []struct {
		name  string
		given bool
	}{{"csv", s.CSV != nil}, {"jsonl", s.JSONL != nil}, {"images", s.Images != nil}, {"folder", s.Folder != nil}} {
		if kind.given || p.faulty[subPath(s.At, kind.name)] {
			kinds = append(kinds, kind.name)
		}
	}
	p.unsure = p.unsure || len(kinds) != 1 || p.faulty[subPath(s.At, kinds[0])]
	switch {
	case len(kinds) == 0 && p.fineInside(s.At):
		p.bad(s.At, "want one of csv, jsonl, images or folder")
	case len(kinds) > 1:
		p.bad(subPath(s.At, kinds[1]), "%s and %s exclude each other; a source has one kind", kinds[0], kinds[1])
	}
	if s.CSV != nil {
		p.csv(subPath(s.At, "csv"), s.CSV)
	}
	for i := range s.Join {
		p.join(&s.Join[i])
	}
	p.sets = append(p.sets, p.columns(s))
	for _, key := range []struct{ name, column string }{{"by", s.Split.By}, {"column", s.Split.Column}} {
		if key.column != "" {
			p.notLoaded(subPath(s.Split.At, key.name), key.column, s)
		}
	}
}

// csv checks the keys of a table together.
func (p *parser) csv(path string, t *CSV) {
	switch {
	case !p.fine(path, path+".header", path+".columns"):
	case !t.Header && t.Columns == nil:
		p.hinted(path+".header", "columns: [id, text]", "header: false needs columns, the names in order")
	}
	quote := t.Quotes == "rfc4180" && t.Delimiter == `"`
	switch {
	case !p.fine(path, path+".delimiter", path+".comment", path+".quotes"):
	case quote:
		p.bad(path+".delimiter", "a quote as the delimiter needs quotes: none")
	case t.Comment != "" && t.Comment == t.Delimiter:
		p.bad(path+".comment", "comment and delimiter are both %s", quoteValue(t.Comment))
	case t.Comment == `"` && t.Quotes == "rfc4180":
		p.bad(path+".comment", "a quote as the comment needs quotes: none")
	}
}

// join checks the keys of a side table together.
func (p *parser) join(j *Join) {
	table := ""
	switch {
	case j.CSV != nil && j.JSONL != nil:
		p.bad(j.At+".jsonl", "csv and jsonl exclude each other; a side table has one kind")
	case j.CSV != nil:
		table = j.At + ".csv"
		p.csv(table, j.CSV)
		p.noRoot(table, j.CSV.Root)
	case j.JSONL != nil:
		table = j.At + ".jsonl"
		p.noRoot(table, j.JSONL.Root)
	case p.fineInside(j.At):
		p.bad(j.At, "want one of csv or jsonl")
	}
	if table == "" || j.CSV == nil || j.CSV.Columns == nil || !p.fine(j.At+".on", table+".columns") {
		return
	}
	if !slices.Contains(j.CSV.Columns, j.On.Theirs) {
		p.hinted(j.At+".on", didYouMean(nearest.Of(j.On.Theirs, j.CSV.Columns)),
			"the side table has no column %s", quoteValue(j.On.Theirs))
	}
}

func (p *parser) noRoot(path, root string) {
	if root != "" {
		p.bad(path+".root", "root is for the addresses of rows; a side table has none")
	}
}
