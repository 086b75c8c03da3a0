package describe

import (
	"encoding/json"
	"slices"

	"tfr-build/dataset"
	"tfr-build/pipeline/base"
	"tfr-build/pipeline/rows"
	"tfr-build/sink"
)

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
	return slices.IndexFunc(b.base.Manifest.Splits, func(s dataset.Split) bool {
		return s.Name == b.plan.Splits[i].Name
	})
}

// A KeptShard is a shard that the dataset keeps of another one, or with shardsOf any shard.
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
			kept := KeptShard{Shard: shard, From: shard.Name,
				IndexFrom: sink.IndexOf(shard.Name, b.set.Framing.IndexBeside)}
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

// Stored returns what a later version that appends needs of the records. counts returns what was counted of a split.
func (b *Accounting) Stored(counts func(split int) []byte) ([]byte, error) {
	list := make([]base.Split, len(b.shards))
	for i := range list {
		p := &b.plan.Splits[i]
		s := base.Split{Rows: p.AllRows(), Candidates: p.Candidates, Counts: counts(i),
			Observed: rows.NewObservations()}
		if k := b.baseSplit(i); k >= 0 {
			s.Observed.Add(&b.base.Splits[k].Observed)
		}
		for _, sh := range b.shardsOf(i) {
			s.Shards = append(s.Shards,
				base.Shard{Payload: sh.PayloadBytes, CRC32C: sh.CRC32C, IndexCRC32C: sh.IndexCRC32C})
		}
		for _, sh := range b.shards[i] {
			s.Observed.Add(&sh.Report.Observations)
		}
		s.Observed.ForgetPlaces()
		list[i] = s
	}
	return json.Marshal(base.Summary{Splits: list, Strata: b.plan.Strata})
}
