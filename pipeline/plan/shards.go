package plan

import (
	"fmt"
	"strconv"
	"strings"

	"tfr-build/internal/order"
	"tfr-build/internal/order/inception"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/config"
)

// newSplit returns a split without shards.
func newSplit(cfg *config.Config, all *Counted) Split {
	c := all.limitTo(cfg.Limit)
	return Split{
		Name: c.Name, Rows: c.Rows, OverLimit: all.Rows - c.Rows,
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
			return cfg.Problem("shards.count", "no count for split %q, which has %s", s.Name,
				plural.Of(s.Rows, cfg.Unit()))
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
