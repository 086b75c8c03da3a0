// Package plan describes what a build will write. A plan can be stored, loaded by another process,
// and compared. It does not change while rows are written.
//
//	counts of rows, sizes of a sample ─New─► Plan ─Encode─► plan.json
//	files in the order of the listing ───── Listing ─Encode─► listing
//
// With a plan, its listing, the config, and the input, a process can write any shard. A shard is a
// range of the ranks of its split, and so a range of keys.
package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"tfr-build/framing"
	"tfr-build/internal/order"
	"tfr-build/internal/order/inception"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/config"
)

// Format is the version of the plan's format.
const Format = 2

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
	Name   string   `json:"name"`
	Rows   int      `json:"rows"`
	Beyond int      `json:"beyond,omitempty"` // rows above the limit
	Bytes  uint64   `json:"bytes"`            // estimated size, uncompressed
	Raw    uint64   `json:"raw"`              // mean text size of a row, if rows are measured
	Shards int      `json:"shards"`
	Each   int      `json:"each,omitempty"` // rows of a shard, of which the last one has the rest; 0 if shards are even
	Why    string   `json:"why"`            // reason for the number of shards
	Kept   *Kept    `json:"kept,omitempty"` // of `append`; else nil
	Keys   []string `json:"keys,omitempty"` // the key of each shard's first row; empty for a shard without rows

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

// A Size is the size of a row in a sample, or the mean size.
type Size struct {
	Record uint64 `json:"record"` // size of its record in bytes; 0 if unknown
	Raw    uint64 `json:"raw"`    // size of its text in bytes
}

// Counted has the counts of a split.
type Counted struct {
	Name     string `json:"name"`
	Rows     int    `json:"rows"`
	Beyond   int    `json:"beyond,omitempty"` // rows above the limit of their value, which are among Rows
	Measured int    `json:"measured"`         // rows whose size is estimated from a sample
	Listed   uint64 `json:"listed"`           // total size of the other rows in bytes
	Mean     Size   `json:"mean"`             // of the sample

	Candidates []byte `json:"candidates,omitempty"` // of the sample, as Split.Candidates

	Kept *Kept `json:"kept,omitempty"` // see Split
}

// Pool sets the mean size and the candidates of all splits, and gives each split its part of the
// listed size. It is for splits whose rows depend on other rows: a scan knows sizes before splits.
func Pool(counted []Counted, mean Size, candidates []byte) {
	all := Counted{}
	for i := range counted {
		c := &counted[i]
		all.Rows, all.Measured, all.Listed = all.Rows+c.Rows, all.Measured+c.Measured, all.Listed+c.Listed
	}
	for i := range counted {
		c := &counted[i]
		c.Mean, c.Candidates = mean, candidates
		c.Measured, c.Listed = int(share(uint64(all.Measured), c.Rows, all.Rows)), share(all.Listed, c.Rows, all.Rows)
	}
}

// share returns the part of a number for some of all rows, rounded down; 0 without rows.
func share(of uint64, part, all int) uint64 {
	if all == 0 {
		return 0
	}
	high, low := bits.Mul64(of, uint64(part))
	quotient, _ := bits.Div64(high, low, uint64(all))
	return quotient
}

// limitTo returns the counts for the rows that limit keeps. Sizes are reduced in proportion: not
// all callers know which rows are kept.
func (c Counted) limitTo(limit config.RowLimits) Counted {
	kept := c.Rows - c.Beyond
	if l := limit.Of(c.Name); l != nil && l.Per == "" {
		kept = int(min(l.Rows, int64(c.Rows)))
	}
	if kept == c.Rows {
		return c
	}
	c.Measured, c.Listed = int(share(uint64(c.Measured), kept, c.Rows)), share(c.Listed, kept, c.Rows)
	c.Rows = kept
	return c
}

// New decides the number of shards of each split. counted has the splits in output order. sized
// says that all rows are files. An error is a problem of the config.
func New(cfg *config.Config, job Job, sources []Source, counted []Counted, sized bool) (*Plan, error) {
	p := &Plan{Format: Format, Job: job, Sources: sources, Sized: sized, Template: cfg.Shards.Filename, Dataset: cfg.Name,
		Framing: cfg.Framing().Stored()}
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

// newSplit returns a split without shards.
func newSplit(cfg *config.Config, all *Counted) Split {
	c := all.limitTo(cfg.Limit)
	return Split{
		Name: c.Name, Rows: c.Rows, Beyond: all.Rows - c.Rows,
		Bytes: c.Mean.Record*uint64(c.Measured) + c.Listed, Raw: c.Mean.Raw, Candidates: c.Candidates, Kept: c.Kept,
	}
}

// countShards decides the number of shards of the split.
func (s *Split) countShards(cfg *config.Config) error {
	c := &cfg.Shards
	if _, ok := cfg.Inception(); ok {
		s.Threads = cfg.Threads
	}
	switch {
	case s.Rows == 0 && s.kept() > 0:
		s.Why = "no new " + cfg.Unit()
		return nil
	case len(c.Count.Splits) > 0 || c.Count.Every > 0:
		if s.Shards = c.Count.Of(s.Name); s.Shards == 0 {
			return cfg.Problem("shards.count", "no count for split %q, which has %s", s.Name, plural.Of(s.Rows, cfg.Unit()))
		}
		s.Why = "as the config says"
	case c.Size > 0:
		s.Shards = order.ShardsOfSize(s.Bytes, uint64(c.Size))
		s.Why = fmt.Sprintf("%d bytes at %d a shard", s.Bytes, c.Size)
	case c.Rows > 0:
		return s.cutByRows(cfg)
	case s.Rows == 0:
		s.Shards, s.Why = 1, "the split has no "+cfg.Unit()
	default:
		s.Shards, s.Why = order.ShardCount(s.Bytes, c.Hosts)
	}
	s.roundToThreads()
	return nil
}

// cutByRows decides the number of shards that have the same number of rows.
func (s *Split) cutByRows(cfg *config.Config) error {
	s.Each = int(cfg.Shards.Rows)
	s.Shards = order.ShardsOfSize(uint64(s.Rows), uint64(s.Each))
	s.Why = plural.Of(s.Each, cfg.Unit()) + " each"
	if s.Shards > config.MaxShards {
		return cfg.Problem("shards.rows", "split %q has %s, which are %d shards; expected at most %d", s.Name,
			plural.Of(s.Rows, cfg.Unit()), s.Shards, config.MaxShards)
	}
	return nil
}

// A shard of less than smallShard bytes costs readers more time than it saves.
const smallShard = 1_000_000

// SmallShards warns if the same number of shards for each split makes some shards too small. The
// warning says what to write.
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
	rows := plural.Of((smallest.Rows+every-1)/every, cfg.Unit())
	if len(p.Splits) == 1 {
		return []string{fmt.Sprintf("shards: %d leaves about %s per shard; write shards: %s", every, rows, write)}
	}
	return []string{fmt.Sprintf("shards: %d is the number for each split: %s in all, with about %s per shard in %q; "+
		"write shards: %s",
		every, plural.Of(every*len(p.Splits), "shard"), rows, smallest.Name, write)}
}

// roundToThreads rounds the number of shards up to a multiple of the threads of Inception's script.
// The config check rejects other counts in the config.
func (s *Split) roundToThreads() {
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

// Cut returns the range of ranks of each shard.
func (s *Split) Cut() []order.Range {
	if s.Threads > 0 {
		return inception.Cut(s.Rows, s.Shards, s.Threads)
	}
	if s.Each > 0 {
		return order.CutBy(s.Rows, s.Each)
	}
	return order.Cut(s.Rows, s.Shards)
}

// rowsOf returns the number of rows of shard i.
func (s *Split) rowsOf(i int) int {
	switch {
	case s.Threads > 0:
		return s.Cut()[i].Len()
	case s.Each > 0:
		return min(s.Each, s.Rows-i*s.Each)
	}
	return order.CutOne(s.Rows, s.Shards, i).Len()
}

// Mean returns the estimated size of a record in bytes.
func (s *Split) Mean() uint64 { return s.Bytes / uint64(max(1, s.Rows)) }

// SetKeys stores the key of each shard's first row. key returns the key of a rank.
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

// ShardName returns the name of shard i of a split. {COUNT} is the number of its rows: the config check rejects
// it if a shard may have fewer records.
func (p *Plan) ShardName(split *Split, i int) string {
	return p.nameOf(split, i+split.kept(), func() int { return split.rowsOf(i) })
}

// KeptName returns the name of kept shard i of a split, which has so many records.
func (p *Plan) KeptName(split *Split, i int, records int64) string {
	return p.nameOf(split, i, func() int { return int(records) })
}

// nameOf returns the name of a shard of a split, kept ones included.
func (p *Plan) nameOf(split *Split, i int, rows func() int) string {
	f, _ := framing.ByStored(p.Framing) // of this program
	all := split.Shards + split.kept()
	digits := max(f.Digits, len(strconv.Itoa(all)))
	index, total := fmt.Sprintf("%0*d", digits, i), fmt.Sprintf("%0*d", digits, all)
	count := ""
	if strings.Contains(p.Template, "{COUNT}") {
		count = strconv.Itoa(rows())
	}
	return strings.NewReplacer(
		"{COUNT}", count,
		"{DATASET}", p.Dataset,
		"{SPLIT}", split.Name,
		"{FILEFORMAT}", f.Name,
		"{INDEX}", strconv.Itoa(i),
		"{SHARD_INDEX}", index,
		"{NUM_SHARDS}", total,
		"{SHARD_X_OF_Y}", index+"-of-"+total,
	).Replace(p.Template) + p.Suffix
}

// Blocks divides the ranks of a shard into blocks. If rows are files, the size of a block is based
// on the listing: size returns the size of a rank. Otherwise it is based on the mean size of a
// record or row. A worker may not have the memory for 4,096 large rows. An empty shard has one
// empty block, which creates its file.
func (p *Plan) Blocks(s *Split, shard order.Range, size func(rank int) int64) []order.Range {
	unit := max(s.Mean(), s.Raw) // the text of a block's rows is in memory, too
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

// SameRows reports whether two plans have the same rows in the same shards.
func (p *Plan) SameRows(q *Plan) bool {
	a, b := *p, *q
	a.Classes, b.Classes = nil, nil
	return reflect.DeepEqual(&a, &b)
}

// SameInput reports whether two plans of a job have the same numbers of rows and the same samples.
// This holds for plans of the same input, no matter how its rows were counted.
func (p *Plan) SameInput(q *Plan) bool {
	return slices.EqualFunc(p.Sources, q.Sources, func(a, b Source) bool { return a.equal(&b) }) &&
		slices.EqualFunc(p.Splits, q.Splits, func(a, b Split) bool {
			return a.Name == b.Name && a.Rows == b.Rows && a.Shards == b.Shards && a.Each == b.Each &&
				bytes.Equal(a.Candidates, b.Candidates)
		})
}

// Encode returns the plan as JSON.
func (p *Plan) Encode() ([]byte, error) {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding the plan: %w", err)
	}
	return append(text, '\n'), nil
}

// Parse reads the result of Encode.
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

// Check returns an error if a stored plan has values that no build plans.
func (p *Plan) Check() error {
	if p.Format != Format {
		return fmt.Errorf("the plan has format %d; this program knows %d", p.Format, Format)
	}
	for i := range p.Splits {
		if s := &p.Splits[i]; s.Kept != nil && min(s.Kept.Shards, s.Kept.Rows) < 0 {
			return errors.New("a split of the plan keeps fewer shards or rows than none")
		} else if s.Rows < 0 || s.Shards < 1 && (s.Rows > 0 || s.kept() < 1) || s.Each < 0 || s.Each > 0 &&
			s.Shards != order.ShardsOfSize(uint64(s.Rows), uint64(s.Each)) || s.Threads < 0 || s.Threads > 0 &&
			s.Shards%s.Threads != 0 {
			return errors.New("a split of the plan has no shard, or not as many for each thread")
		}
	}
	return nil
}
