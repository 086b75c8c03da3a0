package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
)

// commit writes what describes the dataset and brings it into sight.
func (j *job) commit(ctx context.Context, plans []*splitPlan) (*Result, error) {
	j.run.Progress.start("committing", 0)
	books, err := j.balance(plans)
	if err != nil {
		return nil, err
	}
	manifest, err := j.describe(plans, books)
	if err != nil {
		return nil, err
	}
	s, err := j.newState(ctx)
	if err != nil {
		return nil, err
	}
	if *s != *j.before {
		return nil, j.changedInput()
	}
	list := j.allRejects(plans)
	first, err := j.placeRejects(ctx, list)
	if err != nil {
		return nil, err
	}
	s.ManifestDigest = dataset.ManifestDigest(manifest)
	s.Summary = summary(plans, s.ManifestDigest[:16])
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding the state: %w", err)
	}
	if err := j.stage.Commit(append(data, '\n')); err != nil {
		return nil, err
	}
	j.report(plans, &books.facts)
	result := j.result(s.Summary, false)
	result.Rejected = j.leftOut(list, first)
	return result, nil
}

// describe writes the files beside the shards and returns the text of the
// manifest.
func (j *job) describe(plans []*splitPlan, books *balance) (manifest []byte, err error) {
	files, err := dataset.Describe(j.info(plans, &books.facts))
	if err != nil {
		return nil, err
	}
	files = append(files, dataset.File{Name: dataset.ConfigName, Data: j.cfg.Canonical(j.classNames)})
	sealed, err := j.manifest(plans, files, books).Seal()
	if err != nil {
		return nil, err
	}
	for _, f := range append(files, sealed...) {
		if err := j.stage.WriteFile(f.Name, f.Data); err != nil {
			return nil, err
		}
	}
	return sealed[0].Data, nil
}

// info is what other tools want to know of the dataset.
func (j *job) info(plans []*splitPlan, facts *facts) *dataset.Info {
	info := &dataset.Info{
		Name: j.cfg.Name, Version: j.cfg.Version, Description: j.cfg.Description,
		Features:         j.sources[0].schema.Features(),
		SourceOrder:      j.cfg.Order == "source",
		Compression:      j.framing(),
		FilenameTemplate: j.cfg.Shards.Filename,
		Images:           j.imageFacts(facts),
	}
	for _, p := range plans {
		split := dataset.SplitInfo{Name: p.name}
		for _, s := range p.files {
			split.Shards = append(split.Shards, dataset.ShardInfo{
				Name: s.name, Records: s.account.Records, Bytes: s.sum.Bytes, PayloadBytes: s.account.Payload,
			})
		}
		info.Splits = append(info.Splits, split)
	}
	return info
}

// imageFacts are what was seen of the images of each feature.
func (j *job) imageFacts(facts *facts) map[string]dataset.ImageFacts {
	all := map[string]dataset.ImageFacts{}
	for i := range j.cfg.Features {
		f := &j.cfg.Features[i]
		if !f.IsImage || len(f.From.Columns) == 0 {
			continue
		}
		if seen := facts.seen[f.From.Columns[0]]; seen != nil {
			all[f.Key] = dataset.ImageFacts{
				Formats:     slices.Sorted(maps.Keys(seen.Formats)),
				Colorspaces: slices.Sorted(maps.Keys(seen.Colorspaces)),
				Channels:    slices.Sorted(maps.Keys(seen.Channels)),
			}
		}
	}
	return all
}

// manifest is the account of the dataset.
func (j *job) manifest(plans []*splitPlan, files []dataset.File, books *balance) *dataset.Manifest {
	m := &dataset.Manifest{
		Format: dataset.ManifestFormat, BytesVersion: BytesVersion, Tool: "tfr-build",
		Name: j.cfg.Name, Version: j.cfg.Version, ConfigDigest: j.digest,
		Order: j.cfg.Order, Seed: j.cfg.Seed, Compression: j.cfg.Compression, DigestAlgorithm: j.cfg.Digest,
		Inputs: int64(j.before.Inputs), Files: dataset.Entries(files),
	}
	if books.without.Found > 0 {
		m.WithoutSplit = &books.without
	}
	for i, p := range plans {
		split := dataset.Split{Name: p.name, Records: p.records(), Counts: books.splits[i]}
		for _, s := range p.files {
			split.Shards = append(split.Shards, dataset.Shard{
				Name: s.name, Records: s.account.Records, Bytes: s.sum.Bytes,
				CRC32C: fmt.Sprintf("%08x", s.sum.CRC32C), Digest: s.sum.Digest,
			})
		}
		m.Splits = append(m.Splits, split)
	}
	for i, s := range j.sources {
		m.Sources = append(m.Sources, dataset.Source{
			Index: i, Name: s.Spec().Name, Kind: s.Spec().Kind.String(),
			Counts:     books.sources[i],
			BlankLines: j.tally.sources[i].Blank,
		})
	}
	return m
}

// classNames are the names in a file of classes, by its path in the config.
func (j *job) classNames(path string) []string {
	for i := range j.cfg.Features {
		if f := &j.cfg.Features[i]; f.Classes != nil && f.Classes.File == path {
			return j.names[f.Key]
		}
	}
	for i, s := range j.sources {
		if j.cfg.Sources[i].ClassFile() == path {
			return s.Spec().Classes
		}
	}
	return nil
}

// report tells what deserves a look.
func (j *job) report(plans []*splitPlan, facts *facts) {
	for _, text := range j.notes(plans, facts) {
		j.run.warn(text)
	}
}

// notes are sentences about the listing, the rows and the splits, in a fixed
// order.
func (j *job) notes(plans []*splitPlan, facts *facts) []string {
	var notes []string
	for i, s := range j.sources {
		notes = append(notes, j.sourceNotes(s, &j.tally.sources[i])...)
	}
	notes = append(notes, facts.sentences()...)
	for _, p := range plans {
		if p.rows == 0 {
			notes = append(notes, fmt.Sprintf("split %q has no row; TFDS does not list it", p.name))
		}
	}
	return notes
}

func (j *job) sourceNotes(s *source, t *sourceTally) []string {
	var notes []string
	say := func(n int, noun, text string) {
		if n > 0 {
			notes = append(notes, fmt.Sprintf("%s: %s %s", s.cfg.At, plural.Of(n, noun), text))
		}
	}
	say(s.Passed.Hidden, "hidden file", "passed over")
	say(s.Passed.Links, "link", "passed over (follow_links is false)")
	say(s.Passed.Loops, "link", "back to a folder around it passed over")
	say(s.Passed.Extensions, "file", "of another extension passed over")
	say(s.Passed.Empty, "folder", "without a file that is wanted"+bracketed("CLASS_EMPTY"))
	say(s.Passed.Twins, "file", "under a second name; both are rows"+bracketed("SAME_FILE"))
	for _, pair := range s.AlikeClasses() {
		notes = append(notes, fmt.Sprintf("%s: the classes %+q and %+q look the same%s", s.cfg.At, pair[0], pair[1], bracketed("CLASS_AMBIGUOUS")))
	}
	say(int(t.Blank), "blank line", "passed over")
	if !s.Spec().Kind.IsTable() {
		return notes
	}
	bom, empty := 0, 0
	for i := range s.Files {
		if s.HasBOM(i) {
			bom++
		}
		if s.IsEmpty(i) {
			empty++
		}
	}
	say(bom, "file", "with a byte order mark, which is no data")
	say(empty, "file", "without a header or a byte")
	return notes
}

// bracketed is a code at the end of a message.
func bracketed(code string) string { return " [" + code + "]" }
