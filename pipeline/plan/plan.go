// Package plan is what a build will write, as a value: it can be stored, loaded
// by another process and compared, and nothing of it changes while rows are
// written.
//
//	counts of rows, sizes of a sample ─New─► Plan ─Encode─► plan.json
//	files as they were listed ───────────── Listing ─Encode─► listing
//
// From a plan, its listing, the config and the input a process can write any
// shard: a shard is a range of the ranks of its split, and of the keys.
package plan

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/order"
	"tfr-build/order/inception"
	"tfr-build/pipeline/config"
	"tfr-build/tfrecord"
)

// Format is the number of the plan's own form.
const Format = 1

// A Job says what a run builds: all that the bytes of a shard depend on.
type Job struct {
	ConfigDigest   string `json:"config_digest"` // of what a shard and its statistics depend on
	BytesVersion   int    `json:"bytes_version"`
	InputsDigest   string `json:"inputs_digest"` // of names, sizes, times and inodes
	ContentsDigest string `json:"contents_digest,omitempty"`
}

// An Aside is a file that is no source's own, or a folder of files that rows name.
type Aside struct {
	Path   string `json:"path"`
	Folder bool   `json:"folder,omitempty"`
	Digest string `json:"digest"` // of names, sizes, times and inodes
}

// A Plan says in which splits and shards the rows that were found are written.
type Plan struct {
	Format  int      `json:"format"`
	Job     Job      `json:"job"`
	Sources []Source `json:"sources"`
	Splits  []Split  `json:"splits"` // in the order of the dataset

	// Sized says that the listing tells the size of every row: all are files.
	Sized bool `json:"sized"`

	// Classes are the names of the features with `classes: auto`, by key. A
	// name need not be UTF-8.
	Classes map[string]Names `json:"classes,omitempty"`

	// Template names the shards, in the variables of TFDS; Suffix follows it.
	Template string `json:"template"`
	Dataset  string `json:"dataset"`
	Framing  string `json:"framing,omitempty"` // empty for tfrecord
	Suffix   string `json:"suffix,omitempty"`
}

// A Source is what was found of a source.
type Source struct {
	Found int64 `json:"found"`
	Blank int64 `json:"blank"`

	Unwanted int64 `json:"unwanted,omitempty"` // rows that where leaves out
	Sampled  int64 `json:"sampled,omitempty"`  // of the others, those that are not in the sample
}

// Add adds what was found of the same source elsewhere.
func (s *Source) Add(of Source) {
	s.Found += of.Found
	s.Blank += of.Blank
	s.Unwanted += of.Unwanted
	s.Sampled += of.Sampled
}

// A Split is one split and how it is cut.
type Split struct {
	Name   string   `json:"name"`
	Rows   int      `json:"rows"`
	Beyond int      `json:"beyond,omitempty"` // rows that are beyond the limit
	Bytes  uint64   `json:"bytes"`            // about, uncompressed
	Raw    uint64   `json:"raw"`              // the mean text of a row, where rows are measured
	Shards int      `json:"shards"`
	Why    string   `json:"why"`            // so many
	Keys   []string `json:"keys,omitempty"` // the key of each shard's first row; empty for one without rows

	// Candidates are the values of a sample of the records, from which the most
	// frequent ones are taken; as package statistics stores them.
	Candidates []byte `json:"candidates,omitempty"`

	// Threads are those that Inception's script would have parted the rows among; 0
	// where shards are even.
	Threads int `json:"threads,omitempty"`
}

// A Size is what rows of a sample take.
type Size struct {
	Record uint64 `json:"record"` // bytes of its record; 0 of a row that says nothing
	Raw    uint64 `json:"raw"`    // bytes of its text
}

// Counted is what was counted of a split.
type Counted struct {
	Name     string `json:"name"`
	Rows     int    `json:"rows"`
	Measured int    `json:"measured"` // those whose size only a sample tells
	Listed   uint64 `json:"listed"`   // bytes of the others
	Mean     Size   `json:"mean"`     // of the sample

	Candidates []byte `json:"candidates,omitempty"` // of the sample, as Split.Candidates
}

// first is what was counted, of the rows that limit leaves a split. What they take is
// their part of what all take: which rows they are is not known everywhere.
func (c Counted) first(limit config.RowLimits) Counted {
	most, limited := limit.Of(c.Name)
	if !limited || most >= int64(c.Rows) {
		return c
	}
	part := func(of uint64) uint64 {
		high, low := bits.Mul64(of, uint64(most))
		quotient, _ := bits.Div64(high, low, uint64(c.Rows))
		return quotient
	}
	c.Measured, c.Listed = int(part(uint64(c.Measured))), part(c.Listed)
	c.Rows = int(most)
	return c
}

// New decides how many shards each split has. counted are the splits in the order
// of the dataset; sized says that all rows are files. Its error is a fault of the
// config.
func New(cfg *config.Config, job Job, sources []Source, counted []Counted, sized bool) (*Plan, error) {
	p := &Plan{Format: Format, Job: job, Sources: sources, Sized: sized, Template: cfg.Shards.Filename, Dataset: cfg.Name}
	if cfg.Compression == "gzip" {
		p.Suffix = ".gz"
	}
	if cfg.Framing() != tfrecord.TFRecord {
		p.Framing = cfg.Format
	}
	for i := range counted {
		c := counted[i].first(cfg.Limit)
		s := Split{Name: c.Name, Rows: c.Rows, Beyond: counted[i].Rows - c.Rows, Bytes: c.Mean.Record*uint64(c.Measured) + c.Listed, Raw: c.Mean.Raw, Candidates: c.Candidates}
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
			return nil, cfg.Problem("limit."+l.Split, "no split has this name")
		}
	}
	return p, nil
}

// countShards decides how many shards the split has.
func (s *Split) countShards(cfg *config.Config) error {
	c := &cfg.Shards
	if _, ok := cfg.Inception(); ok {
		s.Threads = cfg.Threads
	}
	switch {
	case len(c.Count.Splits) > 0 || c.Count.Every > 0:
		if s.Shards = c.Count.Of(s.Name); s.Shards == 0 {
			return cfg.Problem("shards.count", "no count for split %q, which has %s", s.Name, plural.Of(s.Rows, "row"))
		}
		s.Why = "as the config says"
	case c.Size > 0:
		s.Shards = order.ShardsOfSize(s.Bytes, uint64(c.Size))
		s.Why = fmt.Sprintf("%d bytes at %d a shard", s.Bytes, c.Size)
	case s.Rows == 0:
		s.Shards, s.Why = 1, "the split has no row"
	default:
		s.Shards, s.Why = order.ShardCount(s.Bytes, c.Hosts)
	}
	s.fillThreads()
	return nil
}

// A shard of less than smallShard bytes costs readers more than it helps them.
const smallShard = 1_000_000

// SmallShards warns of one number of shards for each split that leaves little in the
// shards of some split, and says what to write.
func (p *Plan) SmallShards(cfg *config.Config) []string {
	every := cfg.Shards.Count.Every
	if _, fixed := cfg.Inception(); fixed || every < 2 || len(p.Splits) == 0 {
		return nil
	}
	smallest := &p.Splits[0]
	alike, counts := true, make([]string, len(p.Splits))
	for i := range p.Splits {
		s := &p.Splits[i]
		if s.Rows < smallest.Rows {
			smallest = s
		}
		count := min(every, order.ShardsOfSize(s.Bytes, 10*smallShard))
		counts[i] = s.Name + ": " + strconv.Itoa(count)
		alike = alike && count == 1
	}
	if smallest.Bytes >= uint64(every)*smallShard {
		return nil
	}
	write := "{count: {" + strings.Join(counts, ", ") + "}}"
	if alike {
		write = "1"
	}
	rows := plural.Of((smallest.Rows+every-1)/every, "row")
	if len(p.Splits) == 1 {
		return []string{fmt.Sprintf("shards: %d leaves about %s per shard; write shards: %s", every, rows, write)}
	}
	return []string{fmt.Sprintf("shards: %d is the number for each split: %s in all, with about %s per shard in %q; write shards: %s",
		every, plural.Of(every*len(p.Splits), "shard"), rows, smallest.Name, write)}
}

// fillThreads gives each thread of Inception's script equally many shards. Counts of
// the config are refused where they do not.
func (s *Split) fillThreads() {
	if s.Threads == 0 {
		return
	}
	each := (s.Shards + s.Threads - 1) / s.Threads
	if whole := each * s.Threads; whole != s.Shards {
		s.Shards = whole
		s.Why += fmt.Sprintf("; but %d, as many for each thread", whole)
	}
	s.Why += fmt.Sprintf("; %s, %d each", plural.Of(s.Threads, "thread"), each)
}

// Cut are the ranks of the shards.
func (s *Split) Cut() []order.Range {
	if s.Threads > 0 {
		return inception.Cut(s.Rows, s.Shards, s.Threads)
	}
	return order.Cut(s.Rows, s.Shards)
}

// Mean is about how many bytes a record of the split has.
func (s *Split) Mean() uint64 { return s.Bytes / uint64(max(1, s.Rows)) }

// SetKeys notes the key of each shard's first row; key gives that of a rank.
func (s *Split) SetKeys(key func(rank int) (key, place uint64)) {
	s.Keys = make([]string, s.Shards)
	for i, r := range s.Cut() {
		if r.Len() > 0 {
			k, at := key(r.From)
			s.Keys[i] = fmt.Sprintf("%016x", k)
			if at > 0 {
				s.Keys[i] += fmt.Sprintf(" %x", at)
			}
		}
	}
}

// Split is the split of a name; nil if there is none.
func (p *Plan) Split(name string) *Split {
	for i := range p.Splits {
		if p.Splits[i].Name == name {
			return &p.Splits[i]
		}
	}
	return nil
}

// Rows is how many rows were found, by all sources.
func (p *Plan) Rows() (n uint64) {
	for _, s := range p.Sources {
		n += uint64(s.Found)
	}
	return n
}

// ShardName is the name of shard i of a split.
func (p *Plan) ShardName(split *Split, i int) string {
	digits := max(5, len(strconv.Itoa(split.Shards)))
	index, total := fmt.Sprintf("%0*d", digits, i), fmt.Sprintf("%0*d", digits, split.Shards)
	return strings.NewReplacer(
		"{DATASET}", p.Dataset,
		"{SPLIT}", split.Name,
		"{FILEFORMAT}", cmp.Or(p.Framing, "tfrecord"),
		"{INDEX}", strconv.Itoa(i),
		"{SHARD_INDEX}", index,
		"{NUM_SHARDS}", total,
		"{SHARD_X_OF_Y}", index+"-of-"+total,
	).Replace(p.Template) + p.Suffix
}

// Blocks cuts the ranks of a shard into blocks: of files by the sizes of the
// listing, which size gives by rank, of rows by the mean size of their records or
// texts, for 4,096 large ones are more than a worker may hold. An empty shard has
// one empty block, which makes its file.
func (p *Plan) Blocks(s *Split, shard order.Range, size func(rank int) int64) []order.Range {
	unit := max(s.Mean(), s.Raw) // the text of a block's rows is held, too
	var blocks []order.Range
	switch {
	case p.Sized:
		blocks = order.BlocksBySize(shard, size)
	case unit*order.BlockRows <= order.BlockBytes:
		blocks = order.Blocks(shard)
	default:
		blocks = order.BlocksBySize(shard, func(int) int64 { return int64(unit) })
	}
	if len(blocks) == 0 {
		blocks = []order.Range{shard}
	}
	return blocks
}

// SameRows reports whether two plans are of the same rows in the same shards.
func (p *Plan) SameRows(q *Plan) bool {
	a, b := *p, *q
	a.Classes, b.Classes = nil, nil
	return reflect.DeepEqual(&a, &b)
}

// SameInput reports whether two plans of a job have equally many rows, and equal samples of
// them. Plans of the same input do, no matter how its rows were found.
func (p *Plan) SameInput(q *Plan) bool {
	return slices.Equal(p.Sources, q.Sources) && slices.EqualFunc(p.Splits, q.Splits, func(a, b Split) bool {
		return a.Name == b.Name && a.Rows == b.Rows && a.Shards == b.Shards && bytes.Equal(a.Candidates, b.Candidates)
	})
}

// Encode is the plan as it is stored.
func (p *Plan) Encode() ([]byte, error) {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding the plan: %w", err)
	}
	return append(text, '\n'), nil
}

// Parse reads a plan that Encode wrote.
func Parse(text []byte) (*Plan, error) {
	var p Plan
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		return nil, fmt.Errorf("decoding the plan: %w", err)
	}
	if dec.More() {
		return nil, errors.New("decoding the plan: there is more after it")
	}
	return &p, p.Check()
}

// Check says what of a plan that was stored no build can have planned.
func (p *Plan) Check() error {
	if p.Format != Format {
		return fmt.Errorf("the plan has format %d; this program knows %d", p.Format, Format)
	}
	for i := range p.Splits {
		if s := &p.Splits[i]; s.Rows < 0 || s.Shards < 1 || s.Threads < 0 || s.Threads > 0 && s.Shards%s.Threads != 0 {
			return errors.New("a split of the plan has no shard, or not as many for each thread")
		}
	}
	return nil
}
