package inception

import "tfr-build/internal/order"

// Cut divides the ranks of a split among shards as the scripts do: first among the threads, and
// then among the shards of each thread. shards must be a multiple of threads.
func Cut(rows, shards, threads int) []order.Range {
	ranges := make([]order.Range, 0, shards)
	for _, ofThread := range linspace(order.Range{To: rows}, threads) {
		ranges = append(ranges, linspace(ofThread, shards/threads)...)
	}
	return ranges
}

// linspace divides a range as np.linspace(From, To, n+1).astype(int) does: NumPy computes in
// float64, and astype truncates. The outer conversion prevents a fused multiply-add, which some
// CPUs have and which rounds differently.
func linspace(r order.Range, n int) []order.Range {
	step := float64(r.Len()) / float64(n)
	ranges := make([]order.Range, n)
	for i := range ranges {
		ranges[i] = order.Range{From: int(float64(float64(i)*step) + float64(r.From)), To: r.To}
		if i > 0 {
			ranges[i-1].To = ranges[i].From
		}
	}
	return ranges
}
