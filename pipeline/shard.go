package pipeline

import (
	"encoding/json"
	"fmt"
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
	kept   bool  // a stopped run finished it
	holds  []*held

	once sync.Once
	file *sink.Shard
	err  error
	sum  sink.Sum
	done atomic.Bool // it is finished

	mu      sync.Mutex
	account account // of the blocks that are done
}

func (j *job) newShard(p *splitPlan, i int) *shard {
	return &shard{
		split: p.name, number: p.number, name: j.shardName(p.name, i, p.shards),
		account: account{Written: make([]int64, len(j.sources)), Facts: newFacts()},
	}
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

// count adds what a worker did of a block, and has the worker begin anew.
func (s *shard) count(w *worker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.account.Records += w.records
	s.account.Payload += w.payload
	for i, n := range w.written {
		s.account.Written[i] += n
		if r := w.readers[i]; len(r.Notes)+len(r.Seen) > 0 {
			s.account.Facts.read(r.Notes, r.Seen)
			clear(r.Notes)
			clear(r.Seen)
		}
		s.account.Facts.notice(w.encoders[i].TakeNotices())
	}
	clear(w.written)
	w.records, w.payload = 0, 0
}

// reject notes a row that the shard lacks.
func (s *shard) reject(r reject) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.account.rejects = append(s.account.rejects, r)
}

// finish completes the file after its last block.
func (s *shard) finish(j *job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	sortRejects(s.account.rejects)
	note, err := json.Marshal(&s.account)
	if err != nil {
		return fmt.Errorf("encoding the account of %s: %w", s.name, err)
	}
	if s.sum, err = s.file.Finish(j.writing, appendRejects(nil, s.account.rejects), note); err != nil {
		return err
	}
	s.done.Store(true)
	return s.release()
}
