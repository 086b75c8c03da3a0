// Package plan describes what a build will write. A plan can be stored, loaded by another process,
// and compared. It does not change while rows are written.
//
//	counts of rows, sizes of a sample ─New─► Plan ──┐
//	files, in their order ────────────── Listings ──┴─EncodeWith─► a file
//
// With a plan, its listing, the config, and the input, a process can write any shard. A shard is a
// range of the ranks of its split, and so a range of keys.
package plan

import (
	"maps"

	"tfr-build/pipeline/config"
)

// A Job identifies what a run builds: everything that the bytes of a shard depend on.
type Job struct {
	ConfigDigest   string `json:"config_digest"` // of the config keys that shards and statistics depend on
	BytesVersion   int    `json:"bytes_version"`
	InputsDigest   string `json:"inputs_digest"` // of names, sizes, times, and inodes
	ContentsDigest string `json:"contents_digest,omitempty"`
	// settings of the statistics that shards have; empty if none are needed
	Statistics string `json:"statistics,omitempty"`
	Base       Base   `json:"base,omitzero"` // of `append`
}

// A Base identifies the dataset whose shards a build keeps.
type Base struct {
	Path   string `json:"path"`   // of its directory
	Digest string `json:"digest"` // of its manifest
}

// An ExtraInput is a file that is not listed by a source, or a directory of files that rows name.
type ExtraInput struct {
	Path      string `json:"path"`
	Directory bool   `json:"folder,omitempty"`
	Digest    string `json:"digest"` // of names, sizes, times, and inodes
}

// A Plan assigns the rows of a dataset to splits and shards.
type Plan struct {
	Format  int      `json:"format"`
	Job     Job      `json:"job"`
	Sources []Source `json:"sources"`
	Splits  []Split  `json:"splits"` // in output order

	Groups int64 `json:"groups,omitempty"` // number of groups, with `group`

	Stratified []Stratified `json:"stratified,omitempty"` // by `split` of the config
	// for a later version that appends; see strata.Decision.Encode
	Strata []byte `json:"strata,omitempty"`

	// Sized says that the listing has the size of every row: all rows are files.
	Sized bool `json:"sized"`

	// Classes has the class names of features with `classes: auto`, by key. A name may not be
	// UTF-8.
	Classes map[string]Names `json:"classes,omitempty"`

	// Template is the name of the shards with the variables of TFDS; Suffix follows it.
	Template string `json:"template"`
	Dataset  string `json:"dataset"`
	Framing  string `json:"framing,omitempty"` // empty for tfrecord
	Suffix   string `json:"suffix,omitempty"`
}

// A Source has the row counts of a source.
type Source struct {
	Found int64 `json:"found"`
	Blank int64 `json:"blank"`

	// Skipped has the rows that rules skip before they are in a split, by the names of dataset.SkipRules.
	Skipped map[string]int64 `json:"skipped,omitempty"`
}

// Add adds counts of the same source.
func (s *Source) Add(of Source) {
	s.Found += of.Found
	s.Blank += of.Blank
	for rule, n := range of.Skipped {
		s.Skip(rule, n)
	}
}

// Skip counts rows that a rule skips.
func (s *Source) Skip(rule string, n int64) {
	if n == 0 {
		return
	}
	if s.Skipped == nil {
		s.Skipped = map[string]int64{}
	}
	s.Skipped[rule] += n
}

func (s *Source) equal(of *Source) bool {
	return s.Found == of.Found && s.Blank == of.Blank && maps.Equal(s.Skipped, of.Skipped)
}

// A Split is a split and its division into shards.
type Split struct {
	Name      string `json:"name"`
	Rows      int    `json:"rows"`
	OverLimit int    `json:"beyond,omitempty"` // rows above the limit
	Bytes     uint64 `json:"bytes"`            // estimated size, uncompressed
	Raw       uint64 `json:"raw"`              // mean text size of a row, if rows are measured
	Shards    int    `json:"shards"`
	Each      int    `json:"each,omitempty"` // rows of a shard, the last of which has the rest; 0 if shards are even
	Why       string `json:"why"`            // reason for the number of shards
	Kept      *Kept  `json:"kept,omitempty"` // of `append`; else nil

	// Candidates are values of a sample of the records, in the format of package statistics. The
	// most frequent values are chosen from them.
	Candidates []byte `json:"candidates,omitempty"`

	// Threads is the number of threads of Inception's script among which the rows are split; 0 if
	// the shards are even.
	Threads int `json:"threads,omitempty"`
}

// A Kept has the shards of a split that a dataset keeps of another one. They come before its own shards, and are not
// counted in Split.
type Kept struct {
	Shards int `json:"shards"`
	Rows   int `json:"rows"` // that were found for them
}

// kept returns the number of kept shards.
func (s *Split) kept() int {
	if s.Kept == nil {
		return 0
	}
	return s.Kept.Shards
}

// AllRows returns the number of rows, also of those in kept shards.
func (s *Split) AllRows() int {
	if s.Kept == nil {
		return s.Rows
	}
	return s.Rows + s.Kept.Rows
}

// New decides the number of shards of each split. counted has the splits in output order. sized
// says that all rows are files. An error is a problem of the config.
func New(cfg *config.Config, job Job, sources []Source, counted []Counted, sized bool) (*Plan, error) {
	p := &Plan{Format: Format, Job: job, Sources: sources, Sized: sized, Template: cfg.Shards.Filename,
		Dataset: cfg.Name, Framing: cfg.Framing().Stored()}
	if cfg.Compression == "gzip" {
		p.Suffix = ".gz"
	}
	for i := range counted {
		s := newSplit(cfg, &counted[i])
		if err := s.countShards(cfg); err != nil {
			return nil, err
		}
		p.Splits = append(p.Splits, s)
	}
	for _, c := range cfg.Shards.Count.Splits {
		if p.Split(c.Split) == nil {
			return nil, cfg.Problem("shards.count."+c.Split, "no split has this name")
		}
	}
	for _, l := range cfg.Limit {
		if p.Split(l.Split) == nil {
			return nil, cfg.Problem(l.At(), "no split has this name")
		}
	}
	return p, nil
}

// NewTrial returns the plan of the first rows, which are converted and not written. A split has so many shards.
func NewTrial(cfg *config.Config, sources []Source, counted []Counted, shards int) *Plan {
	p := &Plan{Sources: sources}
	for i := range counted {
		s := newSplit(cfg, &counted[i])
		s.Shards = shards
		p.Splits = append(p.Splits, s)
	}
	return p
}

// Split returns the split with a name; nil if the plan does not have it.
func (p *Plan) Split(name string) *Split {
	for i := range p.Splits {
		if p.Splits[i].Name == name {
			return &p.Splits[i]
		}
	}
	return nil
}

// Rows returns the number of rows of all sources.
func (p *Plan) Rows() (n uint64) {
	for _, s := range p.Sources {
		n += uint64(s.Found)
	}
	return n
}
