// Package survey computes the statistics of finished records, in a dataset or in files from any
// program.
//
//	records, err := dataset.OpenDataset(nil, "out/penguins")
//	document, err := survey.Document(ctx, records, 8)
//
// The files of a dataset describe its features. So the result is equal to the statistics of the
// build, byte for byte:
//
//	_tfr/statistics.json ─► keys, lists, kinds, classes; the most frequent values
//	manifest ─────────────► classes, if that file is missing
//	records ──────────────► everything else, and everything of other files
package survey

import (
	"context"
	"fmt"

	"tfr-build/dataset"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/statistics"
	"tfr-build/statistics/images"
)

// Stored returns the statistics in a dataset, or nil if it has none.
func Stored(records *dataset.Records) (*statistics.Document, error) {
	if records.Manifest == nil {
		return nil, nil
	}
	data, found, err := records.ReadFile(dataset.StatisticsName)
	if err != nil || !found {
		return nil, err
	}
	d, err := statistics.ParseDocument(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dataset.StatisticsName, err)
	}
	return d, nil
}

// Document counts all records with so many workers.
func Document(ctx context.Context, records *dataset.Records, workers int) (*statistics.Document, error) {
	s, err := newSurvey(ctx, records)
	if err != nil {
		return nil, err
	}
	counters := make([][]*statistics.Counter, max(1, workers)) // by worker and split
	for i := range counters {
		counters[i] = make([]*statistics.Counter, len(records.Splits))
	}
	sums := make([]*statistics.Summary, len(records.Splits))
	for split := range sums {
		sums[split] = s.layout.NewSummary(s.candidates[split])
	}
	err = records.Each(ctx, workers, func(worker int, at dataset.RecordPosition, payload []byte) error {
		split := records.Files[at.File].Split
		c := counters[worker][split]
		if c == nil {
			c = s.layout.NewCounter()
			c.Begin(sums[split])
			counters[worker][split] = c
		}
		s.count(c, payload)
		return nil
	})
	if err != nil {
		return nil, err
	}
	summaries := make([]statistics.SplitSummary, len(records.Splits))
	for split, name := range records.Splits {
		for _, of := range counters {
			if of[split] != nil {
				of[split].End()
			}
		}
		summaries[split] = statistics.SplitSummary{Name: name, Summary: sums[split]}
	}
	d := s.layout.Document(summaries)
	if s.record != "" {
		d.Record = s.record
	}
	return d, nil
}

// A survey says what is counted, and how.
type survey struct {
	layout     *statistics.Layout
	candidates []*statistics.Candidates // by split
	count      func(c *statistics.Counter, payload []byte)
	record     string // the record type in a config; empty: the layout's type
}

func newSurvey(ctx context.Context, records *dataset.Records) (*survey, error) {
	stored, err := Stored(records)
	if err != nil {
		return nil, err
	}
	s := &survey{}
	var fields []statistics.Feature
	options := statistics.Options{Values: true}
	if stored != nil {
		fields, options = stored.Features, optionsOf(stored)
		s.record = stored.Record
	} else if records.Manifest != nil {
		fields, s.record = classFields(records), records.Manifest.Record
	}
	options.Images = images.Reader()
	s.layout = statistics.NewLayout(records.Record.Kind(), fields, options)
	s.count = countFunc(records.Record, len(fields) > 0)
	s.candidates = make([]*statistics.Candidates, len(records.Splits))
	for split := range records.Splits {
		if stored != nil {
			s.candidates[split] = s.layout.CandidatesOf(stored, split)
			continue
		}
		sample, err := records.First(ctx, split, statistics.SampleRecords)
		if err != nil {
			return nil, err
		}
		s.candidates[split] = s.layout.Candidates(sample)
	}
	return s, nil
}

// optionsOf returns options with which the statistics are computed again with equal bytes. Top is
// the length of the longest list of frequent values. Values is true if a feature without class
// names has such a list.
func optionsOf(d *statistics.Document) (o statistics.Options) {
	for i := range d.Features {
		f := &d.Features[i]
		for _, v := range f.Splits {
			o.Top = max(o.Top, len(v.Top))
			o.Values = o.Values || len(v.Top) > 0 && len(f.Classes) == 0
		}
	}
	if o.Top == 0 {
		o.Top = -1
	}
	return o
}

// classFields returns the features with class numbers of a dataset without statistics. It skips
// SequenceExamples, because the manifest does not say which classes belong to steps.
func classFields(records *dataset.Records) (fields []statistics.Feature) {
	if records.Record.HasSteps() {
		return nil
	}
	for _, c := range records.Manifest.Classes {
		if c.MultiHot {
			continue
		}
		fields = append(fields, statistics.Feature{Key: c.Key, List: message.Int64List, Kind: statistics.Class,
			First: c.First, Classes: c.Names})
	}
	return fields
}

// countFunc returns how a record is counted. If records are not messages, only their sizes are
// counted, unless the dataset's statistics have their values.
func countFunc(record schema.Message, isValue bool) func(c *statistics.Counter, payload []byte) {
	switch {
	case record.WireKind() != message.None:
		return (*statistics.Counter).Add
	case record.Kind() != message.None:
		return (*statistics.Counter).AddJSON
	case isValue:
		return (*statistics.Counter).AddValue
	}
	return func(c *statistics.Counter, payload []byte) { c.AddRecord(len(payload)) }
}
