package inception

import "tfr-build/internal/order"

// Cut divides the ranks of a split among shards as the scripts do: first among the threads, and
// then among the shards of each thread. All threads have the same number of shards: threads
// divides shards.
func Cut(rows, shards, threads int) []order.Range {
	cut := make([]order.Range, 0, shards)
	for _, part := range linspace(order.Range{To: rows}, threads) {
		cut = append(cut, linspace(part, shards/threads)...)
	}
	return cut
}

// linspace divides a range as np.linspace(From, To, n+1).astype(int) does: NumPy computes in
// float64, and astype truncates. The outer conversion prevents a fused multiply-add, which some
// CPUs have and which rounds differently.
func linspace(r order.Range, n int) []order.Range {
	step := float64(r.Len()) / float64(n)
	cut := make([]order.Range, n)
	for i := range cut {
		cut[i] = order.Range{From: int(float64(float64(i)*step) + float64(r.From)), To: r.To}
		if i > 0 {
			cut[i-1].To = cut[i].From
		}
	}
	return cut
}
