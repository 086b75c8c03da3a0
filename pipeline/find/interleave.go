package find

import "tfr-build/pipeline/task"

// inLanes lists the blocks of shards, given shard by shard, so that neighbours belong
// to different ones: workers that write the same file wait for each other in the
// kernel, which lets one write at a time.
//
//	shard 0   0 1 2 3          lane 0   0   1   2   3   …
//	shard 1   a b        ─►    lane 1     a   b   A   B
//	shard 2   A B C            ─►       0 a 1 b 2 A 3 B C
//
// Each worker has a lane, which takes the next shard after its last block. At least
// half of the shards wait for one, where there are more than two: they are finished one
// after another, and a run that resumes finds some. The blocks of a shard stay in order.
func inLanes(shards [][]task.Block, workers int) []task.Block {
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
