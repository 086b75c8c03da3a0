package describe

import (
	"fmt"
	"strings"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/sources/input"
)

// ConfigWarnings returns the warnings about the config alone, which are known before rows are read.
func ConfigWarnings(cfg *config.Config) (list []dataset.Warning) {
	list = addTexts(addTexts(nil, cfg.UnmovedCoordinates().Warnings()), cfg.OtherCoordinates().Warnings())
	return addTexts(list, cfg.ForDALI())
}

// Warnings returns the warnings about the listing, the rows, and the splits, in a fixed order. They
// depend on the config and the input alone.
func (b *Accounting) Warnings() []dataset.Warning {
	list := ofSources(b.set, b.plan.Sources)
	list = append(list, ofStrata(b.set, b.plan.Stratified)...)
	list = append(list, b.ofValues()...)
	list = append(list, b.ofMissingColumns()...)
	list = append(list, lossesOf(b.datasetSplits())...)
	list = append(list, ofSplits(b.set, b.plan)...)
	list = append(list, ofLost(b.set, b.Lost)...)
	if b.shards == nil { // the names of `classes: auto` are not known yet
		return list
	}
	return append(list, b.info().LabelWarnings()...)
}

// About returns a warning about a source; nil if it is not about one source alone.
func About(source *rows.Source, w input.Warning) dataset.Warning {
	about := dataset.Warning{Code: w.Code, Column: valid(w.Column), Feature: valid(w.Feature), Text: valid(w.Text)}
	if source != nil {
		about.Source = &source.Number
	}
	return about
}

func addWarnings(list []dataset.Warning, source *rows.Source, more []input.Warning) []dataset.Warning {
	for _, w := range more {
		list = append(list, About(source, w))
	}
	return list
}

// ofValues returns the warnings about values in the rows.
func (b *Accounting) ofValues() []dataset.Warning {
	list := addWarnings(nil, nil, b.observed.Warnings(b.set.Config.Statistics.Values))
	for _, w := range b.observed.CoordinateWarnings() {
		list = append(list, About(w.Source, w.Warning))
	}
	return list
}

func addTexts(list []dataset.Warning, texts []string) []dataset.Warning {
	for _, text := range texts {
		list = append(list, dataset.Warning{Text: valid(text)})
	}
	return list
}

// valid returns text as JSON can store it.
func valid(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// ofSources returns the warnings about the listing and the headers of each source.
func ofSources(set *rows.Set, found []plan.Source) (list []dataset.Warning) {
	for i, src := range set.Sources {
		list = addWarnings(list, src, src.Remarks(found[i].Blank))
	}
	return list
}

func ofStrata(set *rows.Set, strata []plan.Stratified) (list []dataset.Warning) {
	for i := range strata {
		list = addWarnings(list, nil, strata[i].Warnings(set.Config.Unit()))
	}
	return list
}

// ofSplits returns the warnings about splits without rows, and about names of splits.
func ofSplits(set *rows.Set, p *plan.Plan) (list []dataset.Warning) {
	for _, s := range p.Splits {
		if s.AllRows() == 0 {
			list = append(list, dataset.Warning{Text: fmt.Sprintf("split %q has no %s; TFDS does not list it", s.Name,
				set.Config.Unit())})
		}
	}
	return addTexts(list, p.MisspelledSplits(set.Config))
}

// ofLost returns the warnings about rows that rules skip for a row that was rejected.
func ofLost(set *rows.Set, lost []int64) (list []dataset.Warning) {
	for i, n := range lost {
		if n > 0 {
			text := fmt.Sprintf("%s: %s skipped although the equal row that stays was rejected", set.Rules[i].Name,
				plural.Of(n, "row"))
			list = append(list, dataset.Warning{Text: text})
		}
	}
	return list
}

// maxAlike is the largest number of warnings of a kind of which there may be one per feature. One
// more counts the others.
const maxAlike = 20

// ofMissingColumns returns warnings about columns that no row has. It returns nil before rows are
// written.
func (b *Accounting) ofMissingColumns() (list []dataset.Warning) {
	if b.shards == nil {
		return nil
	}
	missing := rows.MissingColumns(b.set, &b.observed)
	for i := range missing[:min(len(missing), maxAlike)] {
		list = append(list, About(missing[i].Source, missing[i].Warning()))
	}
	if n := len(missing) - maxAlike; n > 0 {
		list = addTexts(list, []string{fmt.Sprintf("no row has %s more", plural.Of(n, "column"))})
	}
	return list
}

// lossesOf returns warnings about features whose records miss values that the rows have.
func lossesOf(splits []dataset.Split) (list []dataset.Warning) {
	all := dataset.Losses(splits)
	for i := range all[:min(len(all), maxAlike)] {
		list = append(list, dataset.Warning{Feature: all[i].Feature, Text: all[i].Text()})
	}
	if n := len(all) - maxAlike; n > 0 {
		list = addTexts(list, []string{fmt.Sprintf("%s more lack values that rows have", plural.Of(n, "feature"))})
	}
	return list
}

// Lines returns warnings as lines of a log, with the positions of their sources in the config.
func Lines(set *rows.Set, list []dataset.Warning) (lines []string) {
	for i := range list {
		at := ""
		if source := list[i].Source; source != nil {
			at = set.Sources[*source].Config.At
		}
		lines = append(lines, list[i].Line(at))
	}
	return lines
}

// RowWarnings returns the warnings about values in the rows and in the records.
func (b *Accounting) RowWarnings() []dataset.Warning {
	return append(b.ofValues(), lossesOf(b.datasetSplits())...)
}

// FirstWarnings returns the other warnings that the first rows show. all says that the sources have no other rows.
func (b *Accounting) FirstWarnings(all bool) []dataset.Warning {
	list := ofSources(b.set, b.plan.Sources)
	if !all {
		return addTexts(list, b.plan.MisspelledSplits(b.set.Config))
	}
	list = append(list, ofStrata(b.set, b.plan.Stratified)...)
	list = append(list, ofSplits(b.set, b.plan)...)
	list = append(list, ofLost(b.set, b.Lost)...)
	return append(list, b.info().LabelWarnings()...)
}

// recordsOverLimit returns the number of records of groups that limit skips. Only a build knows how many of their rows
// are in no other record.
func (b *Accounting) recordsOverLimit() (n int) {
	for i := range b.plan.Splits {
		if b.set.Groups() {
			n += b.plan.Splits[i].OverLimit
		}
	}
	return n
}

// PlanNotes returns notes about the config and what is written. They matter before a build, not
// after it.
func (b *Accounting) PlanNotes() []string {
	var notes []string
	for _, src := range b.set.Sources {
		if src.ByPosition() && !b.set.Groups() { // a group is in the split of its values
			notes = append(notes, src.Config.At+": a row's split depends on its position, so rows that an export "+
				"reorders change split; split.by names a column that decides instead")
		}
	}
	if note := b.set.Ranks.Note(); note != "" {
		notes = append(notes, note)
	}
	if n := b.recordsOverLimit(); n > 0 {
		notes = append(notes, "limit skips "+plural.Of(n, "record"))
	}
	if reason := b.info().TFDSReason(); reason != "" {
		notes = append(notes, reason+": dataset_info.json and features.json are not written")
	}
	return notes
}
