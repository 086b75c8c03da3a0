package pipeline

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/order"
	"tfr-build/pipeline/config"
)

// A Plan is what a build will write, and why.
type Plan struct {
	Name   string
	Output string
	Order  string
	Rows   int64
	Splits []PlannedSplit
	Inputs int      // files
	Parts  bool     // the input goes through parts on disk
	Notes  []string // what deserves a look
}

// A PlannedSplit is a split of a Plan.
type PlannedSplit struct {
	Name   string
	Rows   int64
	Bytes  int64 // about, uncompressed
	Shards int
	Why    string // why so many
	First  string // the name of the first shard, which shows how they are named
}

// A splitPlan is a split with what is needed to cut it into shards and blocks.
type splitPlan struct {
	name   string
	number int // among splits.names
	rows   int
	sizes  sizes
	bytes  uint64
	shards int
	why    string
	files  []*shard
}

// sizes says how large a split's records are.
type sizes struct {
	mean rowSize // of the rows of tables, by the sample; zero where no row is known
	tree uint64  // of all files, from the listing
	rows uint64  // of tables
}

// total is about how many bytes the split has.
func (s *sizes) total() uint64 { return s.mean.record*s.rows + s.tree }

// planSplits decides how many shards each split has.
func (j *job) planSplits(indexes []*order.Index) (plans []*splitPlan, err error) {
	defer j.guard(&err)()
	w, err := j.newWorker()
	if err != nil {
		return nil, err
	}
	defer w.close()
	for _, n := range j.splits.sorted() {
		x := indexes[n]
		p := &splitPlan{name: j.splits.names[n], number: n, rows: x.Len(), sizes: j.listed(x)}
		if p.sizes.mean, err = w.sampleOf(x, uint8(n)); err != nil {
			return nil, err
		}
		if err := j.countShards(p); err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	if err := j.checkCounts(plans); err != nil {
		return nil, err
	}
	return plans, j.nameShards(plans)
}

// listed adds up what the listing says of the files among a split's rows.
func (j *job) listed(x *order.Index) sizes {
	s := sizes{rows: uint64(x.Len())}
	if !j.hasTrees() {
		return s
	}
	var places []order.Place
	for from := 0; from < x.Len(); from += order.BlockRows {
		places = x.Places(places[:0], from, min(from+order.BlockRows, x.Len()))
		for _, p := range places {
			if f := j.files[p.File]; !f.source.Spec().Kind.IsTable() {
				s.rows--
				s.tree += uint64(f.source.Files[f.local].Size)
			}
		}
	}
	return s
}

func (j *job) hasTrees() bool {
	for _, s := range j.sources {
		if !s.Spec().Kind.IsTable() {
			return true
		}
	}
	return false
}

// countShards decides how many shards p has.
func (j *job) countShards(p *splitPlan) error {
	c := &j.cfg.Shards
	p.bytes = p.sizes.total()
	switch {
	case c.Count.Every > 0:
		p.shards, p.why = c.Count.Every, "as the config says"
	case len(c.Count.Splits) > 0:
		n, ok := countOf(c.Count.Splits, p.name)
		if !ok {
			return j.cfg.Problem("shards.count", "no count for split %q, which has %s", p.name, plural.Of(p.rows, "row"))
		}
		p.shards, p.why = n, "as the config says"
	case c.Size > 0:
		p.shards = order.ShardsOfSize(p.bytes, uint64(c.Size))
		p.why = fmt.Sprintf("%d bytes at %d a shard", p.bytes, c.Size)
	case p.rows == 0:
		p.shards, p.why = 1, "the split has no row"
	default:
		p.shards, p.why = order.ShardCount(p.bytes, c.Hosts)
	}
	return nil
}

func countOf(counts []config.SplitCount, name string) (int, bool) {
	for _, c := range counts {
		if c.Split == name {
			return c.Count, true
		}
	}
	return 0, false
}

// checkCounts finds counts of splits that no row is in.
func (j *job) checkCounts(plans []*splitPlan) error {
	for _, c := range j.cfg.Shards.Count.Splits {
		found := false
		for _, p := range plans {
			found = found || p.name == c.Split
		}
		if !found {
			return j.cfg.Problem("shards.count."+c.Split, "no split has this name")
		}
	}
	return nil
}

// nameShards names the shards of all splits, and takes those that a stopped run
// finished.
func (j *job) nameShards(plans []*splitPlan) error {
	j.plans = plans
	taken := 0
	for _, p := range plans {
		p.files = make([]*shard, p.shards)
		for i := range p.files {
			p.files[i] = j.newShard(p, i)
			if err := j.takeKept(p.files[i]); err != nil {
				return err
			}
			if p.files[i].kept {
				taken++
			}
		}
	}
	if taken < len(j.kept) {
		return errors.New("the stopped run finished shards that are not planned now; -fresh starts without them")
	}
	return nil
}

// blocks cuts the shards of p into blocks: of files by the sizes of the
// listing, of rows by the mean size of their records or texts, for 4,096 large
// ones are more than a worker may hold.
func (j *job) blocks(p *splitPlan, rows ranked) []block {
	mean := p.bytes / uint64(max(1, p.rows))
	unit := max(mean, p.sizes.mean.raw) // the text of a block's rows, too, is held
	var blocks []block
	for i, r := range order.Cut(p.rows, p.shards) {
		sh := p.files[i]
		var cut []order.Range
		switch {
		case len(j.tableFiles()) == 0:
			cut = order.BlocksBySize(r, j.fileSize(rows))
		case unit*order.BlockRows <= order.BlockBytes:
			cut = order.Blocks(r)
		default:
			cut = order.BlocksBySize(r, func(int) int64 { return int64(unit) })
		}
		if len(cut) == 0 {
			cut = []order.Range{r} // an empty shard has one empty block, which makes its file
		}
		for n, rows := range cut {
			blocks = append(blocks, block{shard: sh, number: n, rows: rows})
		}
		sh.blocks = len(cut)
		sh.size = int64(uint64(r.Len()) * mean)
	}
	return blocks
}

// fileSize tells the size of the file that is the row of a rank.
func (j *job) fileSize(rows ranked) func(rank int) int64 {
	var one []row
	return func(rank int) int64 {
		one = rows.append(one[:0], rank, rank+1)
		f := j.files[one[0].file]
		return f.source.Files[f.local].Size
	}
}

// shardName fills the template of shard names, which is TFDS's.
func (j *job) shardName(split string, i, of int) string {
	digits := max(5, len(strconv.Itoa(of)))
	index, total := fmt.Sprintf("%0*d", digits, i), fmt.Sprintf("%0*d", digits, of)
	name := strings.NewReplacer(
		"{DATASET}", j.cfg.Name,
		"{SPLIT}", split,
		"{FILEFORMAT}", "tfrecord",
		"{SHARD_INDEX}", index,
		"{NUM_SHARDS}", total,
		"{SHARD_X_OF_Y}", index+"-of-"+total,
	).Replace(j.cfg.Shards.Filename)
	if j.cfg.Compression == "gzip" {
		name += ".gz"
	}
	return name
}
