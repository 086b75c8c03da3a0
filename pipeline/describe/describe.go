// Package describe does the accounting of a dataset whose shards are finished. Every row of the
// input is written, rejected, or filtered. It also makes the files that describe the dataset.
//
//	plan, reports of the shards, rejects ─NewAccounting─► Accounting ─Check─► each row is accounted for
//	                                                   ├─ Files ──► manifest, reader.py, TFDS files …
//	                                                   ├─ Summary ► the last line of a run
//	                                                   └─ Warnings ► what is printed, and in the manifest
package describe

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/dataset"
	"tfr-build/internal/bug"
	"tfr-build/pipeline/base"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/task"
	"tfr-build/report"
	"tfr-build/sink"
)

// An Accounting counts what happened to each row.
type Accounting struct {
	set      *rows.Set
	plan     *plan.Plan
	shards   [][]*task.Shard // by split; nil before rows are written
	sources  []dataset.Counts
	splits   []dataset.Counts
	without  dataset.Counts               // rows without a split
	dropped  []map[string]dataset.Dropped // by split
	observed rows.Observations
	base     *base.Base    // nil without `append`
	kept     [][]KeptShard // by split; nil without a base

	Lost []int64 // by number of the rule: rows that it skips for a row that was rejected

	valueInfo
}

// NewAccounting adds up what happened to the rows of a plan. without are the rejects without a split.
func NewAccounting(set *rows.Set, p *plan.Plan, shards [][]*task.Shard, without *rejects.List) *Accounting {
	b := &Accounting{set: set, plan: p, shards: shards, sources: make([]dataset.Counts, len(set.Sources)),
		observed: rows.NewObservations()}
	for i := range b.sources {
		b.sources[i].Found = p.Sources[i].Found
		addSkippedOf(&b.sources[i], &p.Sources[i])
	}
	b.without.Found = without.Len()
	b.addRejects(&b.without, without)
	for i := range shards {
		c, observed := dataset.Counts{Found: int64(p.Splits[i].Rows + p.Splits[i].Beyond)}, rows.NewObservations()
		add(&c.Skipped, dataset.SkippedByLimit, int64(p.Splits[i].Beyond))
		for _, sh := range shards[i] {
			c.Written += sh.Report.Records
			for k, n := range sh.Report.Written {
				b.sources[k].Written += n
			}
			if p.Groups > 0 {
				b.addRejects(&dataset.Counts{}, &sh.Report.Rejects)
				for code, records := range sh.Report.Invalid {
					add(&c.Rejected, code, records)
				}
			} else {
				b.addRejects(&c, &sh.Report.Rejects)
			}
			observed.Add(&sh.Report.Observations)
		}
		b.observed.Add(&observed)
		b.splits, b.dropped = append(b.splits, c), append(b.dropped, droppedOf(&observed, c.Written))
	}
	if shards != nil {
		b.countBeyond()
	}
	return b
}

// Keep adds the rows and records of the shards that the dataset keeps of another one.
func (b *Accounting) Keep(of *base.Base) {
	if b.base = of; of == nil {
		return
	}
	b.keepShards()
	for i := range b.sources {
		b.sources[i].Add(of.Manifest.Sources[i].Counts)
	}
	if w := of.Manifest.WithoutSplit; w != nil {
		b.without.Add(*w)
	}
	for i := range b.splits {
		if k := b.baseSplit(i); k >= 0 {
			b.splits[i].Add(of.Manifest.Splits[k].Counts)
			seen := rows.NewObservations()
			seen.Add(&of.Splits[k].Observed)
			for _, sh := range b.shards[i] {
				seen.Add(&sh.Report.Observations)
			}
			b.dropped[i] = droppedOf(&seen, b.splits[i].Written)
			b.observed.Add(&of.Splits[k].Observed)
		}
	}
}

// baseSplit returns the index of a split in the manifest of the dataset whose shards are kept, or -1.
func (b *Accounting) baseSplit(i int) int {
	if b.base == nil {
		return -1
	}
	return slices.IndexFunc(b.base.Manifest.Splits, func(s dataset.Split) bool { return s.Name == b.plan.Splits[i].Name })
}

// A KeptShard is a shard that the dataset keeps of another one.
type KeptShard struct {
	dataset.Shard                          // with its new name
	From                string             // its name there
	Index               *dataset.FileEntry // of its index, with its new name; nil without one
	IndexFrom           string
	CRC32C, IndexCRC32C uint32
}

// keepShards sets the kept shards of each split.
func (b *Accounting) keepShards() {
	files := map[string]dataset.FileEntry{}
	if b.set.Config.Index {
		for _, f := range b.base.Manifest.Files {
			files[f.Name] = f
		}
	}
	b.kept = make([][]KeptShard, len(b.plan.Splits))
	for i := range b.kept {
		k := b.baseSplit(i)
		if k < 0 {
			continue
		}
		for n, shard := range b.base.Manifest.Splits[k].Shards {
			kept := KeptShard{Shard: shard, From: shard.Name, IndexFrom: sink.IndexOf(shard.Name, b.set.Framing.IndexBeside)}
			kept.Name = b.plan.KeptName(&b.plan.Splits[i], n, shard.Records)
			of := &b.base.Splits[k].Shards[n]
			kept.PayloadBytes, kept.CRC32C, kept.IndexCRC32C = of.Payload, of.CRC32C, of.IndexCRC32C
			if index, ok := files[kept.IndexFrom]; ok {
				index.Name = sink.IndexOf(kept.Name, b.set.Framing.IndexBeside)
				kept.Index = &index
			}
			b.kept[i] = append(b.kept[i], kept)
		}
	}
}

// KeptShards returns the shards of a split that the dataset keeps of another one.
func (b *Accounting) KeptShards(i int) []KeptShard {
	if b.kept == nil {
		return nil
	}
	return b.kept[i]
}

// Stored returns what a later version that appends needs of the splits. counts returns what was counted of a split.
func (b *Accounting) Stored(counts func(split int) []byte) ([]byte, error) {
	list := make([]base.Split, len(b.shards))
	for i := range list {
		p := &b.plan.Splits[i]
		s := base.Split{Rows: p.AllRows(), Candidates: p.Candidates, Counts: counts(i), Observed: rows.NewObservations()}
		if k := b.baseSplit(i); k >= 0 {
			s.Observed.Add(&b.base.Splits[k].Observed)
		}
		for _, shard := range b.KeptShards(i) {
			s.Shards = append(s.Shards, base.Shard{
				Payload: shard.PayloadBytes, CRC32C: shard.CRC32C, IndexCRC32C: shard.IndexCRC32C,
			})
		}
		for _, sh := range b.shards[i] {
			of := base.Shard{Payload: sh.Report.Payload, CRC32C: sh.Sum.CRC32C}
			if sh.Index != nil {
				of.IndexCRC32C = sh.Index.CRC32C
			}
			s.Shards = append(s.Shards, of)
			s.Observed.Add(&sh.Report.Observations)
		}
		s.Observed.ForgetPlaces()
		list[i] = s
	}
	return json.Marshal(list)
}

// add adds a number to a count of a map, which it makes first. Counts of 0 are not in the map.
func add(counts *map[string]int64, key string, n int64) {
	if n == 0 {
		return
	}
	if *counts == nil {
		*counts = map[string]int64{}
	}
	(*counts)[key] += n
}

// addSkippedOf counts the rows of a source that each rule filters, except the limits of the splits.
func addSkippedOf(c *dataset.Counts, s *plan.Source) {
	for rule, n := range s.Skipped {
		add(&c.Skipped, rule, n)
	}
}

// countBeyond counts the rows of each source that are above the limits of their splits. These are
// all rows that are not counted otherwise. Check compares their sum with the sum of the splits.
func (b *Accounting) countBeyond() {
	if !slices.ContainsFunc(b.plan.Splits, func(s plan.Split) bool { return s.Beyond > 0 }) {
		return
	}
	for i := range b.sources {
		c := &b.sources[i]
		add(&c.Skipped, dataset.SkippedByLimit, c.Found-c.Written-rejects.Total(c.Rejected)-rejects.Total(c.Skipped))
	}
}

// Skipped returns the number of rows that each rule of the config filters, for all sources.
func (b *Accounting) Skipped() map[string]int64 {
	all := dataset.Counts{}
	for i := range b.plan.Sources {
		addSkippedOf(&all, &b.plan.Sources[i])
	}
	if b.plan.Groups > 0 { // limit counts records
		for i := range b.sources {
			add(&all.Skipped, dataset.SkippedByLimit, b.sources[i].Skipped[dataset.SkippedByLimit])
		}
		return all.Skipped
	}
	for i := range b.plan.Splits {
		add(&all.Skipped, dataset.SkippedByLimit, int64(b.plan.Splits[i].Beyond))
	}
	return all.Skipped
}

// addRejects counts the rejects of a split, and the rejects of each source, by reason.
func (b *Accounting) addRejects(c *dataset.Counts, list *rejects.List) {
	for r := range list.All() {
		src, _ := b.set.File(r.File)
		add(&c.Rejected, r.Code, 1)
		add(&b.sources[src.Number].Rejected, r.Code, 1)
	}
}

// Check returns an error if a row is lost or counted twice.
func (b *Accounting) Check() error {
	check := func(what string, c dataset.Counts) error {
		rejected, left := rejects.Total(c.Rejected), rejects.Total(c.Skipped)
		switch {
		case c.Found == c.Written+rejected+left && left >= 0:
			return nil
		case left != 0:
			return bug.Errorf("%s has %d rows, but %d were written, %d rejected and %d skipped", what, c.Found, c.Written,
				rejected, left)
		}
		return bug.Errorf("%s has %d rows, but %d were written and %d rejected", what, c.Found, c.Written, rejected)
	}
	for i, c := range b.sources {
		if err := check(fmt.Sprintf("source %d", i+1), c); err != nil {
			return err
		}
	}
	for i, c := range b.splits {
		if err := check("split "+b.plan.Splits[i].Name, c); err != nil {
			return err
		}
	}
	if b.plan.Groups > 0 { // splits count records, and sources rows
		return nil
	}
	return b.checkBeyond()
}

// checkBeyond compares the numbers of rows above the limits, by source and by split.
func (b *Accounting) checkBeyond() error {
	bySource, bySplit := int64(0), int64(0)
	for _, c := range b.sources {
		if n := c.Skipped[dataset.SkippedByLimit]; n >= 0 {
			bySource += n
			continue
		}
		return bug.Errorf("a source has %d rows, but more became something", c.Found)
	}
	for _, c := range b.splits {
		bySplit += c.Skipped[dataset.SkippedByLimit]
	}
	if bySource != bySplit {
		return bug.Errorf("%d rows of the sources are beyond the limits, and %d of the splits", bySource, bySplit)
	}
	return nil
}

// records returns the number of records of a split.
func (b *Accounting) records(split int) (n int64) {
	for _, sh := range b.shards[split] {
		n += sh.Report.Records
	}
	if k := b.baseSplit(split); k >= 0 {
		n += b.base.Manifest.Splits[k].Records
	}
	return n
}

// Summary returns a line about the finished dataset: `train=8 shards=2 digest=…`.
func (b *Accounting) Summary(digest string) string {
	var text strings.Builder
	shards := 0
	for i, s := range b.plan.Splits {
		fmt.Fprintf(&text, "%s=%d ", s.Name, b.records(i))
		shards += len(b.shards[i])
		if k := b.baseSplit(i); k >= 0 {
			shards += len(b.base.Manifest.Splits[k].Shards)
		}
	}
	fmt.Fprintf(&text, "shards=%d digest=%s", shards, digest)
	return text.String()
}

// A Job has the facts about the run's input for the manifest.
type Job struct {
	ConfigDigest string
	Inputs       int // number of files that were read
	BytesVersion int
	Provenance   string // digest of the predicate; empty without provenance
	More         []dataset.File
}

// Files returns the files next to the shards, and the manifest, which lists them. Seal the manifest
// once they are written. open opens a shard.
func (b *Accounting) Files(job Job, open func(name string) (report.ShardFile, error)) ([]dataset.File,
	*dataset.Manifest, error) {
	config := b.configFile()
	files, err := b.descriptionFiles(config)
	if err != nil {
		return nil, nil, err
	}
	files = append(files, job.More...)
	m := b.manifest(files)
	m.ConfigDigest, m.Inputs, m.BytesVersion, m.Provenance = job.ConfigDigest, int64(
		job.Inputs), job.BytesVersion, job.Provenance
	page, err := b.report(m, config.Data, open)
	if err != nil {
		return nil, nil, err
	}
	files = append(files, page...)
	m.Files = dataset.Entries(files, b.indexes()...)
	return files, m, nil
}

// descriptionFiles returns the files that describe the dataset to other tools.
func (b *Accounting) descriptionFiles(config dataset.File) ([]dataset.File, error) {
	info := b.info()
	files, err := dataset.Describe(info)
	if err != nil {
		return nil, err
	}
	more, err := b.valueFiles(info)
	return append(append(files, config), more...), err
}

func (b *Accounting) configFile() dataset.File {
	return dataset.File{Name: dataset.ConfigName, Data: b.set.Config.Canonical(b.set.Classes.InFile)}
}

// info returns the description of the dataset for other tools.
func (b *Accounting) info() *dataset.Info {
	cfg := b.set.Config
	info := &dataset.Info{
		Name: cfg.Name, Version: cfg.Version, Description: cfg.Description,
		Record:           b.set.Sources[0].Schema.Record(),
		Framing:          cfg.Framing(),
		Indexed:          cfg.Index,
		SourceOrder:      cfg.Order == "source",
		Compression:      cfg.Framing().FileCompression(cfg.Compression),
		FilenameTemplate: cfg.Shards.Filename,
		Hidden:           cfg.Metadata == "hidden",
		Images:           b.images(),
		Folds:            cfg.Folds(),
		Steps:            cfg.Group.Nested(),
		Splits:           b.datasetSplits(),
	}
	return info
}

// datasetSplits returns the splits with their shards; nil before rows are written.
func (b *Accounting) datasetSplits() (splits []dataset.Split) {
	for i := range b.shards {
		split := dataset.Split{Name: b.plan.Splits[i].Name, Records: b.records(i), Counts: b.splits[i], Dropped: b.dropped[i]}
		for _, kept := range b.KeptShards(i) {
			split.Shards = append(split.Shards, kept.Shard)
			split.Content.Add(kept.Content)
		}
		for _, sh := range b.shards[i] {
			split.Shards = append(split.Shards, dataset.Shard{
				Name: sh.Name, Records: sh.Report.Records, Bytes: sh.Sum.Bytes, PayloadBytes: sh.Report.Payload,
				CRC32C: fmt.Sprintf("%08x", sh.Sum.CRC32C), Digest: sh.Sum.Digest, Content: sh.Report.Content,
			})
			split.Content.Add(sh.Report.Content)
		}
		splits = append(splits, split)
	}
	return splits
}

// images returns the metadata of the images of each feature.
func (b *Accounting) images() map[string]dataset.ImageMetadata {
	all := map[string]dataset.ImageMetadata{}
	for _, f := range b.set.Config.AllFeatures() {
		if !f.IsImage || len(f.From.Columns) == 0 {
			continue
		}
		if seen := b.observed.Rows.Images(f.From.Columns[0]); seen != nil {
			all[f.Key] = dataset.ImageMetadata{
				Formats:     slices.Sorted(maps.Keys(seen.Formats)),
				Colorspaces: slices.Sorted(maps.Keys(seen.Colorspaces)),
				Channels:    slices.Sorted(maps.Keys(seen.Channels)),
				OneSize:     seen.Width > 0,
			}
		}
	}
	return all
}

// manifest returns the manifest with the files and counts of the dataset.
func (b *Accounting) manifest(files []dataset.File) *dataset.Manifest {
	cfg := b.set.Config
	m := &dataset.Manifest{
		Format: dataset.ManifestFormat, Tool: "tfr-build",
		Name: cfg.Name, Version: cfg.Version,
		Order: cfg.Order, Seed: cfg.Seed, Compression: cfg.Compression, DigestAlgorithm: cfg.Digest, Zones: cfg.Zones(),
		Files: dataset.Entries(files, b.indexes()...),
	}
	m.SetRecords(cfg.Message(), cfg.Framing())
	m.Members = b.set.Members()
	record := b.set.Sources[0].Schema.Record()
	m.Classes = dataset.NewClassLists(&record)
	m.Warnings = append(ConfigWarnings(cfg), b.Warnings()...)
	m.Equal = b.equal
	for _, f := range b.findings {
		m.Findings = append(m.Findings, dataset.Finding(f))
	}
	if b.without.Found > 0 {
		m.WithoutSplit = &b.without
	}
	m.Splits = b.datasetSplits()
	m.Joins = b.joins()
	m.Stratified, m.Groups = b.stratified(), b.plan.Groups
	if b.base != nil {
		m.Base = &dataset.Base{Version: b.base.Manifest.Version, Digest: b.base.Digest}
	}
	for i, src := range b.set.Sources {
		m.Sources = append(m.Sources, dataset.Source{
			Index: i, Name: src.Spec().Name, Kind: src.Spec().Kind.Name,
			Counts: b.sources[i], BlankLines: b.plan.Sources[i].Blank,
		})
		if b.base != nil {
			m.Sources[i].BlankLines += b.base.Manifest.Sources[i].BlankLines
		}
	}
	return m
}

// stratified returns the entries of the manifest for stratified splits.
func (b *Accounting) stratified() (list []dataset.Stratified) {
	for i := range b.plan.Stratified {
		s := &b.plan.Stratified[i]
		of := dataset.Stratified{Column: s.Column, By: s.By, Splits: s.Splits, Strata: s.Strata, Few: s.Few}
		for _, v := range s.Values {
			rows := make([]int64, len(v.Rows))
			for k, n := range v.Rows {
				rows[k] = int64(n)
			}
			of.Values = append(of.Values, dataset.Stratum{Value: v.Value, Rows: rows})
		}
		list = append(list, of)
	}
	return list
}

// indexes returns the entries of the index files of the shards.
func (b *Accounting) indexes() (list []dataset.FileEntry) {
	for i, shards := range b.shards {
		for _, kept := range b.KeptShards(i) {
			if kept.Index != nil {
				list = append(list, *kept.Index)
			}
		}
		for _, sh := range shards {
			if sum := sh.Index; sum != nil {
				list = append(list, dataset.FileEntry{Name: sum.Name, Bytes: sum.Bytes, SHA256: sum.Digest})
			}
		}
	}
	return list
}

// Locate reads the rows again that warnings name, to know their lines. Call it before Warnings.
func (b *Accounting) Locate(ctx context.Context) error { return b.observed.Locate(ctx, b.set) }

// Skipped returns the counts of rejected rows; nil if list is empty.
func Skipped(list *rejects.List, first *rejects.RowsError, file string) *rejects.Rejected {
	if list.Len() == 0 {
		return nil
	}
	return &rejects.Rejected{First: first, Counts: list.Count(nil), File: file}
}
