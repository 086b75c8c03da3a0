package order

import "context"

// A stripe is a part of every bucket. Entries move only within a stripe.
type stripe struct {
	next []int // by bucket: entries before it are in their bucket
	end  []int // by bucket: entries from it on remain, because their bucket was full
}

// newStripe returns the i-th of n stripes of the buckets with these bounds.
func newStripe(bounds []int, i, n int) stripe {
	p := stripe{make([]int, len(bounds)-1), make([]int, len(bounds)-1)}
	for b := range p.next {
		size := bounds[b+1] - bounds[b]
		p.next[b] = bounds[b] + share(i, size, n)
		p.end[b] = bounds[b] + share(i+1, size, n)
	}
	return p
}

// inFlight is the number of entries that move at the same time, so that their cache misses
// overlap.
const inFlight = 8

// permute moves entries to their buckets, in place. It takes a few entries out of a bucket and
// swaps each with an entry in its own bucket. That ends when entries are found that belong in the
// first bucket.
func (p *stripe) permute(ctx context.Context, entries []Entry, bucket func(Entry) int) error {
	for b := range p.next {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for p.next[b] < p.end[b] {
			p.fillBucket(b, entries, bucket)
		}
	}
	return nil
}

// fillBucket finds entries for the next few positions of bucket b.
func (p *stripe) fillBucket(b int, entries []Entry, bucket func(Entry) int) {
	var moving [inFlight]Entry
	n := copy(moving[:], entries[p.next[b]:p.end[b]])
	for n > 0 {
		for j := 0; j < n; j++ {
			switch to := bucket(moving[j]); {
			case to == b:
				entries[p.next[b]] = moving[j]
				p.next[b]++
				n--
				moving[j] = moving[n]
			case p.next[to] < p.end[to]:
				at := p.next[to]
				p.next[to]++
				moving[j], entries[at] = entries[at], moving[j]
			default:
				// Its bucket is full in this stripe, so the entry remains here. That never
				// happens in a stripe of complete buckets.
				p.end[b]--
				if p.end[b] >= p.next[b]+n {
					moving[j], entries[p.end[b]] = entries[p.end[b]], moving[j]
				} else {
					entries[p.end[b]] = moving[j]
					n--
					moving[j] = moving[n]
				}
			}
		}
	}
}
