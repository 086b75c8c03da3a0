// Package search finds records of a dataset, or of files, by their content. It returns the file,
// the number of the record, and its offset.
//
//	records ─Each─► worker: Query.weigh(feature) ─┐
//	        ─Each─► worker: …                     ├─► []Hit, in the order of the files
//
//	hits, err := search.Run(ctx, records, workers, search.Value("id", "8734", nil))
//	hits, err := search.Run(ctx, records, workers, search.File("photos/cat/7.jpg"))
package search

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"tfr-build/dataset"
	"tfr-build/message"
)

// A Hit is a record that matches.
type Hit struct {
	dataset.RecordPosition
	weight int // quality of the match
}

// Run reads all records, with several files in parallel, and returns the best matches in the
// order of the files.
func Run(ctx context.Context, records *dataset.Records, workers int, query *Query) ([]Hit, error) {
	kind := records.Record.WireKind()
	if kind == message.None {
		return nil, errNoFeatures
	}
	workers = max(1, workers)
	found := make([][]Hit, workers)
	readers := make([]reader, workers)
	for i := range readers {
		readers[i] = reader{query: query, kind: kind}
	}
	err := records.Each(ctx, workers, func(worker int, at dataset.RecordPosition, payload []byte) error {
		if weight := readers[worker].weigh(payload); weight > 0 {
			found[worker] = append(found[worker], Hit{at, weight})
		}
		return nil
	})
	return best(slices.Concat(found...)), err
}

// errNoFeatures is the error of records without features.
var errNoFeatures = errors.New("its records have no features to search in")

// best returns the hits with the largest weight in the order of the files.
func best(hits []Hit) []Hit {
	most := 0
	for _, h := range hits {
		most = max(most, h.weight)
	}
	hits = slices.DeleteFunc(hits, func(h Hit) bool { return h.weight < most })
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Record, b.Record))
	})
	return hits
}

// A reader weighs records for one worker.
type reader struct {
	query  *Query
	kind   message.Kind
	weight int // of the current record
}

// weigh returns how well a record matches, or 0 if it does not. A payload that cannot be parsed
// does not match.
func (r *reader) weigh(payload []byte) int {
	r.weight = 0
	message.Walk(r.kind, payload, r.feature, func(key []byte, l message.FeatureList) {
		for step := range l.Steps() {
			r.feature(key, step)
		}
	})
	return r.weight
}

func (r *reader) feature(key []byte, f message.Feature) {
	if r.query.key == "" || r.query.key == string(key) {
		r.weight = max(r.weight, r.query.weigh(f))
	}
}
