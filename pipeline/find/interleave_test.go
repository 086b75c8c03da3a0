package find

import (
	"fmt"
	"strings"
	"testing"

	"tfr-build/pipeline/task"
)

// shardsOf are shards of so many blocks.
func shardsOf(blocks ...int) (shards [][]task.Block) {
	for _, n := range blocks {
		sh := &task.Shard{Name: fmt.Sprint(len(shards))}
		list := make([]task.Block, n)
		for i := range list {
			list[i] = task.Block{Shard: sh, Number: i}
		}
		shards = append(shards, list)
	}
	return shards
}

// TestInterleave checks the order of blocks: neighbors are in different shards, if there are some, and
// no more shards are begun than there are lanes.
func TestInterleave(t *testing.T) {
	for _, c := range []struct {
		workers int
		blocks  []int
		want    string
	}{
		{1, []int{2, 2}, "0.0 0.1 1.0 1.1"},
		{2, nil, ""},
		{2, []int{3}, "0.0 0.1 0.2"},
		{2, []int{2, 2}, "0.0 1.0 0.1 1.1"},
		{2, []int{4, 2, 3}, "0.0 1.0 0.1 1.1 0.2 2.0 0.3 2.1 2.2"},
		{2, []int{1, 1, 1, 2}, "0.0 1.0 2.0 3.0 3.1"},
		{8, []int{2, 2, 2, 2}, "0.0 1.0 0.1 1.1 2.0 3.0 2.1 3.1"}, // the later half waits
		{8, []int{1, 1}, "0.0 1.0"},
	} {
		var got []string
		for _, b := range interleave(shardsOf(c.blocks...), c.workers) {
			got = append(got, fmt.Sprintf("%s.%d", b.Shard.Name, b.Number))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%d workers, shards of %v blocks:\n got %s\nwant %s", c.workers, c.blocks, text, c.want)
		}
	}
}

// TestInterleaveBeginsFewShards counts the shards that are begun and not finished.
func TestInterleaveBeginsFewShards(t *testing.T) {
	for workers := 1; workers <= 70; workers++ {
		shards := shardsOf(5, 9, 1, 7, 7, 2, 8, 30, 4, 4, 4, 1, 1, 1, 12, 5)
		left := map[*task.Shard]int{}
		total := 0
		for _, blocks := range shards {
			left[blocks[0].Shard] = len(blocks)
			total += len(blocks)
		}
		begun, most := map[*task.Shard]int{}, 0
		for _, b := range interleave(shards, workers) {
			if b.Number != begun[b.Shard] {
				t.Fatalf("%d workers: block %d of shard %s comes in place of %d", workers, b.Number, b.Shard.Name,
					begun[b.Shard])
			}
			begun[b.Shard]++
			most = max(most, len(begun))
			if left[b.Shard]--; left[b.Shard] == 0 {
				delete(begun, b.Shard)
			}
			total--
		}
		if total != 0 || most > min(workers, len(shards)/2) {
			t.Errorf("%d workers: %d blocks are missing; %d shards at once", workers, total, most)
		}
	}
}
