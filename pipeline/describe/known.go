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

// known is what is known of the values of a dataset.
type known struct {
	statistics *statistics.Document // nil where values are not counted
	findings   []checks.Finding     // of the config's checks
}

// Count takes what was counted of the records of each split, and holds it against
// what the config expects. c is nil where nothing was counted.
func (b *Books) Count(c *count.Counting, splits []*count.Tally) {
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

// Findings are what the config's checks found.
func (b *Books) Findings() []checks.Finding { return b.findings }

// knownFiles are the files that tell what is known of the values.
func (b *Books) knownFiles(info *dataset.Info) (files []dataset.File, err error) {
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

// report is the page about the dataset.
func (b *Books) report(m *dataset.Manifest, open func(name string) (report.ShardFile, error)) (dataset.File, error) {
	p := report.Page{
		Manifest: m, Statistics: b.statistics, Findings: b.findings,
		Config: b.configFile().Data, Shown: ShownOf(b.set.Config, b.set.Classes.InFile),
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
