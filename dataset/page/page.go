// Package page creates the report of a finished dataset again, or a report with the changes since
// another version.
//
//	p, err := page.Of(ctx, "out/v2", page.Options{Shows: shows, Against: "out/v1"})
//	file, err := report.Append(nil, p)
//
// For a dataset with statistics, and without another version, the result equals the dataset's
// report byte for byte:
//
//	manifest ───────────────────────────► figures, findings
//	_tfr/statistics.json, or the records ► features, classes, remarks
//	shards ─────────────────────────────► images
//	_tfr/config.yaml ───────────────────► text of the config
//	another version ─diff.Compare───────► changes
package page

import (
	"cmp"
	"context"
	"io/fs"
	"slices"

	"tfr-build/checks"
	"tfr-build/dataset"
	"tfr-build/dataset/diff"
	"tfr-build/dataset/survey"
	"tfr-build/report"
	"tfr-build/schema"
)

// Options control the content of the report.
type Options struct {
	// Shows returns what the report shows according to the config.
	Shows   func(config []byte) (report.Shown, error)
	Record  func(config []byte, m *dataset.Manifest) (schema.Record, error) // returns the schema with class names
	Against string                                                          // an older version; empty: none
	Workers int                                                             // files read in parallel
	Store   dataset.Store                                                   // nil: the operating system's
}

// Of creates the report of the dataset in dir.
func Of(ctx context.Context, dir string, opt Options) (*report.Page, error) {
	records, err := dataset.OpenDataset(opt.Store, dir)
	if err != nil {
		return nil, err
	}
	config, found, err := records.ReadFile(dataset.ConfigName)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, &fs.PathError{Op: "open", Path: dataset.ConfigName, Err: fs.ErrNotExist}
	}
	p := &report.Page{Manifest: records.Manifest, Config: config}
	for _, f := range records.Manifest.Findings {
		p.Findings = append(p.Findings, checks.Finding(f))
	}
	if p.Shown, err = opt.Shows(config); err != nil {
		return nil, err
	}
	if p.Statistics, err = survey.Stored(records); err == nil && p.Statistics == nil {
		p.Statistics, err = survey.Document(ctx, records, opt.Workers)
	}
	if err != nil {
		return nil, err
	}
	p.Remarks = checks.Remarks(p.Statistics, p.Findings)
	if p.Values {
		open := func(name string) (report.ShardFile, error) { return records.OpenFile(name) }
		if p.Records, err = opt.firstRecords(records, open, config); err != nil {
			return nil, err
		}
		if p.Thumbs, err = report.Thumbnails(open, records.Manifest, p.Statistics, &p.Shown,
			report.DefaultThumbs); err != nil {
			return nil, err
		}
	}
	if opt.Against != "" {
		p.Against, err = change(ctx, opt.Against, dir, diff.Options{Workers: opt.Workers, Store: opt.Store})
	}
	return p, err
}

// firstRecords reads the first records of each split.
func (opt *Options) firstRecords(records *dataset.Records, open func(string) (report.ShardFile, error),
	config []byte) ([]report.Records, error) {
	record, err := opt.Record(config, records.Manifest)
	if err != nil {
		return nil, err
	}
	return report.FirstRecords(open, records.Manifest, &record)
}

// change returns the changes since an older version.
func change(ctx context.Context, old, new string, opt diff.Options) (*report.Change, error) {
	result, err := diff.Compare(ctx, old, new, opt)
	if err != nil {
		return nil, err
	}
	c := &report.Change{Name: cmp.Or(result.Old.Name, result.Old.Path), Version: result.Old.Version,
		Notes: slices.Clone(result.Notes)}
	for _, s := range result.Splits {
		c.Splits = append(c.Splits, report.SplitChange{Name: s.Name, Old: s.Old, New: s.New, Added: s.Added,
			Removed: s.Removed, Moved: s.MovedIn})
		if s.Reordered {
			c.Notes = append(c.Notes, s.Name+": the records that both have are in another order")
		}
	}
	for i := range result.Features {
		f := &result.Features[i]
		c.Features = append(c.Features, report.FeatureChange{Key: f.Key, Old: shape(f.Old), New: shape(f.New),
			Drift: f.Worst(), Note: f.Note()})
	}
	slices.SortStableFunc(c.Features, func(a, b report.FeatureChange) int { return cmp.Compare(b.Drift, a.Drift) })
	for _, l := range result.Config {
		sign := "− "
		if l.In == "new" {
			sign = "+ "
		}
		c.Notes = append(c.Notes, "config "+sign+l.Text)
	}
	return c, nil
}

func shape(s *diff.Shape) string {
	if s == nil {
		return ""
	}
	return s.List + " " + string(s.Kind)
}
