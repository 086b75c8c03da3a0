package rows

import (
	"context"
	"slices"

	"tfr-build/pipeline/config"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// A Lack is a column that the rows of a source do not have.
type Lack struct {
	sources.Lack
	Source  *Source
	Feature string // that is made of it; empty for none
	Config  input.Place
	Hint    string // what may be meant instead; may be empty
	Fatal   bool   // no row can be used without it
}

// Sample reads the first rows of all sources, and tells which columns none of them
// has, of those that only rows tell.
func Sample(ctx context.Context, s *Set) ([]Lack, error) {
	uses := usesOf(s)
	var all []Lack
	for _, src := range s.Sources {
		layouts := []*sources.Layout{src.layout}
		if src.decider != nil {
			layouts = append(layouts, src.decider.layout)
		}
		found, err := src.Sample(ctx, layouts...)
		if err != nil {
			return nil, err
		}
		for _, lack := range found {
			all = append(all, lackOf(uses, src, lack))
		}
	}
	return all, nil
}

// Lacking are the columns that no row has, as facts of all rows tell.
func Lacking(s *Set, facts *Facts) []Lack {
	uses := usesOf(s)
	var all []Lack
	for i, src := range s.Sources {
		for _, lack := range src.layout.Lacking(facts.columns[i]) {
			all = append(all, lackOf(uses, src, lack))
		}
	}
	return all
}

// uses are what is made of a column.
type uses struct {
	config   *config.Config
	features map[string][]*config.Feature
	payload  string // the column that is a record's payload; empty for none
}

func usesOf(s *Set) uses {
	u := uses{s.Config, map[string][]*config.Feature{}, s.Config.Record.Column()}
	for _, f := range s.Config.AllFeatures() {
		for _, column := range f.From.Columns {
			u.features[column] = append(u.features[column], f)
		}
		if f.Repeat != "" {
			u.features[f.Repeat] = append(u.features[f.Repeat], f)
		}
	}
	return u
}

// lackOf says what a lacking column means for features.
func lackOf(u uses, src *Source, found sources.Lack) Lack {
	l := Lack{Lack: found, Source: src, Fatal: found.Needed || found.Join < 0 && src.decidedBy(found.Column) || u.payload == found.Column && found.Column != ""}
	many := found.Join >= 0 && src.Spec().Join[found.Join].Many // a list without values, where none matches
	for i, f := range u.features[found.Column] {
		if i == 0 {
			l.Feature, l.Config = f.Key, config.PlaceOfColumns(u.config, f)
		}
		l.Fatal = l.Fatal || f.Missing.Form == "error" && !many
	}
	l.Hint = config.WhereHint(u.config.Where, found.Column)
	return l
}

// decidedBy reports whether a column decides the place of rows.
func (src *Source) decidedBy(column string) bool {
	d := src.decider
	return d != nil && slices.ContainsFunc([]*deciding{d.split, d.key}, func(by *deciding) bool { return by != nil && by.column == column })
}

// Fit is the lack as a fault of the input.
func (l *Lack) Fit() *input.FitError {
	return &input.FitError{Path: l.Source.Listing().Label, Text: l.Text(), Code: input.MissingColumn, Column: l.Column, Feature: l.Feature, Config: l.Config, Hint: l.Hint}
}

// Warning is the lack as a sentence.
func (l *Lack) Warning() string {
	text := l.Source.Config.At + ": " + l.Text()
	if l.Hint != "" {
		text += "; " + l.Hint
	}
	return text
}
