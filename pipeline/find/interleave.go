package find

import "tfr-build/pipeline/task"

// interleave returns the blocks of the shards so that adjacent blocks are in different shards.
// Workers that write the same file wait for each other in the kernel, which allows one write at a
// time.
//
//	shard 0   0 1 2 3          lane 0   0   1   2   3   …
//	shard 1   a b        ─►    lane 1     a   b   A   B
//	shard 2   A B C            ─►       0 a 1 b 2 A 3 B C
//
// There is one lane per worker. A lane takes the next shard after its last block. With more than
// two shards, there are at most about half as many lanes: so shards are finished one after another,
// and a build that resumes finds some finished. The blocks of a shard stay in order.
func interleave(shards [][]task.Block, workers int) []task.Block {
	total := 0
	for _, blocks := range shards {
		total += len(blocks)
	}
	lanes := make([][]task.Block, min(workers, max(2, (len(shards)+1)/2)))
	all := make([]task.Block, 0, total)
	for len(all) < total {
		for i := range lanes {
			if len(lanes[i]) == 0 && len(shards) > 0 {
				lanes[i], shards = shards[0], shards[1:]
			}
			if len(lanes[i]) > 0 {
				all, lanes[i] = append(all, lanes[i][0]), lanes[i][1:]
			}
		}
	}
	return all
}
