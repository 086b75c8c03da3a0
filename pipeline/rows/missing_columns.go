package rows

import (
	"context"
	"slices"

	"tfr-build/pipeline/config"
	"tfr-build/pipeline/decide"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// A MissingColumn is a column that no row of a source has.
type MissingColumn struct {
	sources.MissingColumn
	Source  *Source
	Feature string            // the first feature that uses it; empty if none does
	Config  input.KeyPosition // of the key that names the column
	Hint    string            // suggestion; may be empty
	Fatal   bool              // without the column every row is invalid
	AllSame bool              // without the column a rule that compares rows skips all rows but one
}

// Sample reads the first rows of all sources. It returns the columns that none of these rows has,
// for sources whose columns are known only from rows.
func Sample(ctx context.Context, s *Set) ([]MissingColumn, error) {
	uses := usesOf(s)
	var all []MissingColumn
	for i, src := range s.Sources {
		if s.before != nil && s.before.ColumnsOnly[i] {
			continue
		}
		layouts := []*sources.Layout{src.layout}
		if src.decider != nil {
			layouts = append(layouts, src.decider.layout)
		}
		found, err := src.Sample(ctx, layouts...)
		if err != nil {
			return nil, err
		}
		isMissing := func(name string) bool {
			return slices.ContainsFunc(found, func(m sources.MissingColumn) bool {
				return m.Join < 0 && m.Column == name
			})
		}
		for _, missing := range found {
			m := newMissingColumn(uses, src, missing)
			m.AllSame = s.Config.Where == "" && isMissing(m.Column) && slices.ContainsFunc(s.Rules,
				func(rule *decide.Rule) bool {
					has := func(name string) bool { return !isMissing(name) }
					return slices.Contains(rule.By, m.Column) && !slices.ContainsFunc(rule.By, has)
				})
			all = append(all, m)
		}
	}
	return all, nil
}

// MissingColumns returns the columns that no row has. observed must cover all rows.
func MissingColumns(s *Set, observed *Observations) []MissingColumn {
	uses := usesOf(s)
	var all []MissingColumn
	for i, src := range s.Sources {
		for _, missing := range src.layout.MissingColumns(observed.columns[i]) {
			all = append(all, newMissingColumn(uses, src, missing))
		}
	}
	return all
}

// A uses says which features use a column.
type uses struct {
	set      *Set
	features map[string][]*config.Feature
	payload  string // the column that is a record's payload; empty for none
}

func usesOf(s *Set) uses {
	u := uses{s, map[string][]*config.Feature{}, s.Config.Record.Column()}
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

// newMissingColumn returns the missing column with the features that use it and whether the build
// can go on without it.
func newMissingColumn(u uses, src *Source, found sources.MissingColumn) MissingColumn {
	m := MissingColumn{MissingColumn: found, Source: src, Fatal: found.Needed || found.Join < 0 &&
		src.needsColumn(found.Column) || u.payload == found.Column && found.Column != ""}
	// With `many`, a row without a match gets an empty list.
	many := found.Join >= 0 && src.Spec().Join[found.Join].Many.Allowed
	for i, f := range u.features[found.Column] {
		if i == 0 {
			m.Feature, m.Config = f.Key, config.ColumnsPositionOf(u.set.Config, f)
		}
		m.Fatal = m.Fatal || f.Missing.Form == "error" && !many
	}
	// The rows without the column may be those that where skips.
	m.Fatal = m.Fatal && (u.set.Config.Where == "" || found.Rows == 0 || found.Join >= 0)
	m.Hint = config.WhereHint(u.set.Config.Where, found.Column)
	if m.Feature == "" {
		fit := m.Fit()
		src.addKey(fit, src.comparedColumns())
		src.nameKey(fit)
		m.Config = fit.Config
	}
	return m
}

// needsColumn reports whether a row without a value in a column has no split, no key, or no group.
func (src *Source) needsColumn(column string) bool {
	return slices.ContainsFunc(src.keyColumns(), func(of keyColumn) bool { return of.needed && of.name == column })
}

// Fit returns the missing column as an error of the input.
func (m *MissingColumn) Fit() *input.MismatchError {
	return &input.MismatchError{Path: m.Source.Listing().Label, Text: m.Text(), Code: input.MissingColumn,
		Column: m.Column, Feature: m.Feature, Config: m.Config, Hint: m.Hint}
}

// Warning returns the missing column as a warning about the source.
func (m *MissingColumn) Warning() input.Warning {
	text := m.Text()
	if m.Hint != "" {
		text += "; " + m.Hint
	}
	return input.Warning{Column: m.Column, Feature: m.Feature, Text: text}
}
