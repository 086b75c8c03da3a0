package inception

import "tfr-build/order"

// Cut divides the ranks of a split among shards as the scripts do: first among the
// threads, then each thread's among its shards, of which all threads have equally
// many. threads divides shards.
func Cut(rows, shards, threads int) []order.Range {
	cut := make([]order.Range, 0, shards)
	for _, part := range spaced(order.Range{To: rows}, threads) {
		cut = append(cut, spaced(part, shards/threads)...)
	}
	return cut
}

// spaced cuts a range as np.linspace(From, To, n+1).astype(int) does: NumPy adds up
// in float64 and cuts off what is behind the point. The outer conversion keeps the
// compiler from rounding product and sum at once, which some processors can.
func spaced(r order.Range, n int) []order.Range {
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
