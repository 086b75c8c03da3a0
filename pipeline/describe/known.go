package describe

import (
	"tfr-build/checks"
	"tfr-build/dataset"
	"tfr-build/dataset/croissant"
	"tfr-build/dataset/tfx"
	"tfr-build/pipeline/count"
	"tfr-build/report"
	"tfr-build/statistics"
)

// valueInfo is what a build learns about the values of a dataset.
type valueInfo struct {
	statistics *statistics.Document // nil if values are not counted
	findings   []checks.Finding     // findings of the config's checks
}

// Count adds the counts of the records of each split, and runs the checks of the config. c is nil
// if nothing was counted.
func (b *Accounting) Count(c *count.Counting, splits []*count.Accumulator) {
	doc := &statistics.Document{}
	var leaks []checks.Leak
	names := make([]string, len(b.plan.Splits))
	for i, s := range b.plan.Splits {
		names[i] = s.Name
		doc.Splits = append(doc.Splits, statistics.Split{Name: s.Name, Records: b.records(i)})
	}
	if c != nil {
		if b.statistics = c.Document(names, splits); b.statistics != nil {
			doc = b.statistics
		}
		counts, _ := c.Leaks(splits)
		for i, rows := range counts {
			leaks = append(leaks, checks.Leak{Split: names[i], Rows: rows})
		}
	}
	if expected := b.set.Config.Expected(); expected != nil {
		b.findings = checks.Run(doc, expected, leaks)
	}
}

// Findings returns the findings of the config's checks.
func (b *Accounting) Findings() []checks.Finding { return b.findings }

// valueFiles returns the files about the values: statistics, TFX files, and the Croissant file.
func (b *Accounting) valueFiles(info *dataset.Info) (files []dataset.File, err error) {
	add := func(name string, data []byte) { files = append(files, dataset.File{Name: name, Data: data}) }
	if b.statistics != nil {
		add(dataset.StatisticsName, b.statistics.Append(nil))
	}
	if tfx.Reason(info) == "" {
		add(tfx.SchemaName, tfx.Schema(info, b.statistics))
		if b.statistics != nil {
			add(tfx.StatisticsName, tfx.Statistics(b.statistics))
		}
	}
	if card := b.set.Config.Card; card != nil {
		data, err := croissant.Describe(info, &croissant.Card{
			License: card.License, URL: card.URL, Creator: card.Creator, DatePublished: card.DatePublished,
			Citation: card.Citation, Keywords: card.Keywords,
		})
		if err != nil {
			return nil, err
		}
		add(croissant.Name, data)
	}
	return files, nil
}

// report returns the report about the dataset.
func (b *Accounting) report(m *dataset.Manifest, config []byte, open func(name string) (report.ShardFile, error)) (dataset.File, error) {
	p := report.Page{
		Manifest: m, Statistics: b.statistics, Findings: b.findings,
		Config: config, Shown: ShownOf(b.set.Config, b.set.Classes.InFile),
	}
	var err error
	if p.Values {
		record := b.set.Sources[0].Schema.Record()
		if p.Records, err = report.FirstRecords(open, m, &record); err != nil {
			return dataset.File{}, err
		}
	}
	if b.statistics != nil {
		p.Remarks = checks.Remarks(b.statistics, b.findings)
		if p.Values {
			if p.Thumbs, err = report.Thumbnails(open, m, b.statistics, p.By, report.DefaultThumbs); err != nil {
				return dataset.File{}, err
			}
		}
	}
	data, err := report.Append(nil, &p)
	return dataset.File{Name: report.Name, Data: data}, err
}
