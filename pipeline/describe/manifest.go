package describe

import (
	"fmt"
	"maps"
	"slices"

	"tfr-build/dataset"
	"tfr-build/report"
)

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
		split := dataset.Split{Name: b.plan.Splits[i].Name, Records: b.records(i), Counts: b.splits[i],
			Dropped: b.dropped[i]}
		for _, sh := range b.shardsOf(i) {
			split.Shards = append(split.Shards, sh.Shard)
			split.Content.Add(sh.Content)
		}
		splits = append(splits, split)
	}
	return splits
}

// shardsOf returns all shards of a split, those that are kept first.
func (b *Accounting) shardsOf(split int) []KeptShard {
	list := slices.Clone(b.KeptShards(split))
	for _, sh := range b.shards[split] {
		s := KeptShard{CRC32C: sh.Sum.CRC32C, Shard: dataset.Shard{
			Name: sh.Name, Records: sh.Report.Records, Bytes: sh.Sum.Bytes, PayloadBytes: sh.Report.Payload,
			CRC32C: fmt.Sprintf("%08x", sh.Sum.CRC32C), Digest: sh.Sum.Digest, Content: sh.Report.Content,
		}}
		if sum := sh.Index; sum != nil {
			s.Index = &dataset.FileEntry{Name: sum.Name, Bytes: sum.Bytes, SHA256: sum.Digest}
			s.IndexCRC32C = sum.CRC32C
		}
		list = append(list, s)
	}
	return list
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
	m.Joins = b.Joins()
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
		list = append(list, b.plan.Stratified[i].Stratified)
	}
	return list
}

// indexes returns the entries of the index files of the shards.
func (b *Accounting) indexes() (list []dataset.FileEntry) {
	for i := range b.shards {
		for _, sh := range b.shardsOf(i) {
			if sh.Index != nil {
				list = append(list, *sh.Index)
			}
		}
	}
	return list
}
