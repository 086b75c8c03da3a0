// Package survey counts the values of records that are finished: of a dataset, or of
// files of records by whomever.
//
//	records, err := dataset.OpenDataset(nil, "out/penguins")
//	document, err := survey.Document(ctx, records, 8)
//
// What a dataset knows of itself tells what its features are, and the same comes out
// as when it was built, to the byte:
//
//	_tfr/statistics.json ─► keys, lists, kinds, classes; the most frequent values
//	_tfr/reader.py ───────► classes, where there is no such file
//	records ──────────────► all else, and everything of other files
package survey

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tfr-build/dataset"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/statistics"
)

// Stored returns the statistics that a dataset has of itself; nil where it has none.
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

// Document counts all records, so many files at once.
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
	err = records.Each(ctx, workers, func(worker int, at dataset.RecordPlace, payload []byte) error {
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

// A survey is what is counted, and how.
type survey struct {
	layout     *statistics.Layout
	candidates []*statistics.Candidates // by split
	count      func(c *statistics.Counter, payload []byte)
	record     string // what it is in a config; empty: what the layout calls it
}

func newSurvey(ctx context.Context, records *dataset.Records) (*survey, error) {
	stored, err := Stored(records)
	if err != nil {
		return nil, err
	}
	s := &survey{}
	var fields []statistics.Field
	options := statistics.Options{Values: true}
	if stored != nil {
		fields, options = fieldsOf(stored), optionsOf(stored)
		s.record = stored.Record
	} else if fields, err = classFields(records); err != nil {
		return nil, err
	} else if records.Manifest != nil {
		s.record = records.Manifest.Record
	}
	kind := kindOf(records.Record)
	s.layout = statistics.NewLayout(kind, fields, options)
	s.count = counting(records.Record, len(fields) > 0)
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

// fieldsOf are the features of stored statistics.
func fieldsOf(d *statistics.Document) (fields []statistics.Field) {
	for i := range d.Features {
		f := &d.Features[i]
		fields = append(fields, statistics.Field{Key: f.Key, List: f.List, Kind: f.Kind, Steps: f.Steps, First: f.First, Classes: f.Classes})
	}
	return fields
}

// optionsOf are the options with which the statistics come out again. No list of
// frequent values is cut at more than the longest has, and values that are none of
// classes are shown by some list, or by none.
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

// classFields are the features with classes of a dataset without statistics. Its
// reader does not tell those of a SequenceExample's steps from others.
func classFields(records *dataset.Records) (fields []statistics.Field, err error) {
	if records.Manifest == nil || records.Record == schema.SequenceMessage {
		return nil, nil
	}
	reader, found, err := records.ReadFile(dataset.ReaderName)
	if err != nil || !found {
		return nil, err
	}
	for _, c := range dataset.ReaderClassLists(reader) {
		fields = append(fields, statistics.Field{Key: c.Key, List: message.Int64List, Kind: statistics.Class, First: c.First, Classes: c.Names})
	}
	slices.SortFunc(fields, func(a, b statistics.Field) int { return strings.Compare(a.Key, b.Key) })
	return fields, nil
}

// kindOf is the message that a record is; None where it is the value itself.
func kindOf(record schema.Message) message.Kind {
	switch record {
	case schema.ExampleMessage, schema.JSONExampleMessage:
		return message.Example
	case schema.SequenceMessage:
		return message.SequenceExample
	case schema.OFRecordMessage:
		return message.OFRecord
	}
	return message.None
}

// counting is how a record is counted. Of one that is no message only the size is,
// unless the statistics of the dataset have its value.
func counting(record schema.Message, isValue bool) func(c *statistics.Counter, payload []byte) {
	switch {
	case record == schema.JSONExampleMessage:
		return (*statistics.Counter).AddJSON
	case kindOf(record) != message.None:
		return (*statistics.Counter).Add
	case isValue:
		return (*statistics.Counter).AddValue
	}
	return func(c *statistics.Counter, payload []byte) { c.AddRecord(len(payload)) }
}
