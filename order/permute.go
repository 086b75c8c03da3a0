package order

import "context"

// A stripe is a share of every bucket, whose entries are moved among each other.
type stripe struct {
	next []int // by bucket: entries before it are where they belong
	end  []int // by bucket: entries from it on wait, since their bucket was full
}

// newStripe is the i-th of n shares of the buckets within bounds.
func newStripe(bounds []int, i, n int) stripe {
	p := stripe{make([]int, len(bounds)-1), make([]int, len(bounds)-1)}
	for b := range p.next {
		size := bounds[b+1] - bounds[b]
		p.next[b] = bounds[b] + share(i, size, n)
		p.end[b] = bounds[b] + share(i+1, size, n)
	}
	return p
}

// held is how many entries are on their way at once. Each waits for memory, and
// so they wait together.
const held = 8

// permute moves entries to their buckets, in place: a few are taken out, and
// each is put where it belongs in exchange for the one that was there, until
// one is found that belongs where the first were taken from.
func (p *stripe) permute(ctx context.Context, entries []Entry, bucket func(Entry) int) error {
	for b := range p.next {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for p.next[b] < p.end[b] {
			p.fill(b, entries, bucket)
		}
	}
	return nil
}

// fill finds entries for the next few places of bucket b.
func (p *stripe) fill(b int, entries []Entry, bucket func(Entry) int) {
	var hand [held]Entry
	n := copy(hand[:], entries[p.next[b]:p.end[b]])
	for n > 0 {
		for j := 0; j < n; j++ {
			switch to := bucket(hand[j]); {
			case to == b:
				entries[p.next[b]] = hand[j]
				p.next[b]++
				n--
				hand[j] = hand[n]
			case p.next[to] < p.end[to]:
				at := p.next[to]
				p.next[to]++
				hand[j], entries[at] = entries[at], hand[j]
			default:
				// Its bucket has no room left in this stripe, so it stays here, among
				// those that wait. Never so in a stripe of whole buckets.
				p.end[b]--
				if p.end[b] >= p.next[b]+n {
					hand[j], entries[p.end[b]] = entries[p.end[b]], hand[j]
				} else {
					entries[p.end[b]] = hand[j]
					n--
					hand[j] = hand[n]
				}
			}
		}
	}
}
