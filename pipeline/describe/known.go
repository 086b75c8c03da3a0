package describe

import (
	"tfr-build/checks"
	"tfr-build/dataset"
	"tfr-build/dataset/croissant"
	"tfr-build/dataset/tfx"
	"tfr-build/internal/garbage"
	"tfr-build/pipeline/count"
	"tfr-build/report"
	"tfr-build/statistics"
)

// valueInfo is what a build learns about the values of a dataset.
type valueInfo struct {
	statistics *statistics.Document // nil if values are not counted
	findings   []checks.Finding     // findings of the config's checks
	equal      *dataset.EqualRecords
}

// Count adds the counts of the records of each split, and runs the checks of the config. c is nil
// if nothing was counted.
func (b *Accounting) Count(c *count.Counting, splits []*count.Accumulator) error {
	doc := &statistics.Document{}
	var leaks []checks.Leak
	names := make([]string, len(b.plan.Splits))
	for i, s := range b.plan.Splits {
		names[i] = s.Name
		doc.Splits = append(doc.Splits, statistics.Split{Name: s.Name, Records: b.records(i)})
	}
	if c != nil {
		err := dataset.MakeFile(dataset.StatisticsName, b.set.Config.WithoutStatistics(), func() error {
			b.statistics = c.Document(names, splits)
			return nil
		})
		if err != nil {
			return err
		}
		if b.statistics != nil {
			doc = b.statistics
		}
		b.equal = b.equalOf(c, splits)
		counts, _ := c.Leaks(splits)
		for i, rows := range counts {
			leaks = append(leaks, checks.Leak{Split: names[i], Rows: rows})
		}
	}
	if expected := b.set.Config.Expected(); expected != nil {
		b.findings = checks.Run(doc, expected, leaks)
	}
	return nil
}

// equalOf returns the counts of equal records; nil if no record is equal to another one. An estimate is at
// most the number of records.
func (b *Accounting) equalOf(c *count.Counting, splits []*count.Accumulator) *dataset.EqualRecords {
	counted, ok := c.Equal(splits)
	if !ok || counted.Records == 0 {
		return nil
	}
	e, all := &dataset.EqualRecords{About: counted.About}, int64(0)
	for i, n := range counted.Shared {
		all += b.records(i)
		if n > 0 {
			if e.Shared == nil {
				e.Shared = map[string]int64{}
			}
			e.Shared[b.plan.Splits[i].Name] = min(n, b.records(i))
		}
	}
	e.Records = min(counted.Records, all-1)
	return e
}

// Findings returns the findings of the config's checks.
func (b *Accounting) Findings() []checks.Finding { return b.findings }

// valueFiles returns the files about the values: statistics, TFX files, and the Croissant file. Each has a setting
// without which it is made.
func (b *Accounting) valueFiles(info *dataset.Info) (files []dataset.File, err error) {
	cfg := b.set.Config
	add := func(name, without string, makeData func() ([]byte, error)) {
		if err != nil {
			return
		}
		err = dataset.MakeFile(name, without, func() error {
			data, err := makeData()
			files = append(files, dataset.File{Name: name, Data: data})
			return err
		})
	}
	if b.statistics != nil {
		add(dataset.StatisticsName, cfg.WithoutStatistics(), func() ([]byte, error) {
			return b.statistics.Append(nil), nil
		})
	}
	if cfg.TFX && tfx.Reason(info) == "" {
		add(tfx.SchemaName, withoutTFX, func() ([]byte, error) { return tfx.Schema(info, b.statistics), nil })
		if b.statistics != nil {
			add(tfx.StatisticsName, withoutTFX, func() ([]byte, error) { return tfx.Statistics(b.statistics), nil })
		}
	}
	if card := cfg.Card; card != nil {
		add(croissant.Name, "no card", func() ([]byte, error) {
			return croissant.Describe(info, &croissant.Card{
				License: card.License, URL: card.URL, Creator: card.Creator, DatePublished: card.DatePublished,
				Citation: card.Citation, Keywords: card.Keywords,
			})
		})
	}
	return files, err
}

// Settings of a config without a file.
const (
	withoutTFX    = "tfx: false"
	withoutReport = "report: false"
)

// report returns the report about the dataset; no file with `report: false`.
func (b *Accounting) report(m *dataset.Manifest, config []byte,
	open func(name string) (report.ShardFile, error)) (files []dataset.File, err error) {
	if !b.set.Config.Report {
		return nil, nil
	}
	err = dataset.MakeFile(report.Name, withoutReport, func() error {
		page, err := b.page(m, config, open)
		if err != nil {
			return err
		}
		data, err := report.Append(nil, page)
		files = []dataset.File{{Name: report.Name, Data: data}}
		return err
	})
	return files, err
}

// page returns the content of the report.
func (b *Accounting) page(m *dataset.Manifest, config []byte,
	open func(name string) (report.ShardFile, error)) (*report.Page, error) {
	p := report.Page{
		Manifest: m, Statistics: b.statistics, Findings: b.findings,
		Config: config, Shown: ShownOf(b.set.Config, b.set.Classes.InFile),
	}
	garbage.Collect() // or the memory of the workers would count besides that of records that are shown
	var err error
	if p.Values {
		record := b.set.Sources[0].Schema.Record()
		if p.Records, err = report.FirstRecords(open, m, &record); err != nil {
			return nil, err
		}
	}
	if b.statistics != nil {
		p.Remarks = checks.Remarks(b.statistics, b.findings)
		if p.Values {
			if p.Thumbs, err = report.Thumbnails(open, m, b.statistics, &p.Shown, report.DefaultThumbs); err != nil {
				return nil, err
			}
		}
	}
	return &p, nil
}
