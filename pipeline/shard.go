package pipeline

import (
	"sync"
	"sync/atomic"

	"tfr-build/sink"
)

// A shard is one output file in the making. It is opened by the first of its
// blocks that is written and finished after the last.
type shard struct {
	split  string
	number int // of the split
	name   string
	blocks int
	size   int64 // about, uncompressed

	once    sync.Once
	file    *sink.Shard
	err     error
	records atomic.Int64
	payload atomic.Int64 // bytes of the Examples alone
	sum     sink.Sum
}

// open creates the file, once.
func (s *shard) open(j *job) (*sink.Shard, error) {
	s.once.Do(func() {
		hint := s.size
		if j.compression() != sink.None {
			hint = 0
		}
		s.file, s.err = j.stage.CreateShard(s.name, sink.ShardOptions{
			Blocks: s.blocks, SizeHint: hint, Compression: j.compression(), Digest: j.digestKind(),
		})
	})
	return s.file, s.err
}

// count adds what a block holds.
func (s *shard) count(records, payload int64) {
	s.records.Add(records)
	s.payload.Add(payload)
}
