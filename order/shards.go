package order

import "math/bits"

// BlockRows is how many rows a block holds at most.
const BlockRows = 4096

// BlockBytes is how many bytes of whole files a block holds at most, unless
// a single file is larger.
const BlockBytes = 1 << 20

// A Range is the ranks From … To-1.
type Range struct{ From, To int }

// Len is the number of ranks.
func (r Range) Len() int { return r.To - r.From }

// Cut divides the ranks of a split among shards, of which there is at least
// one: shard i gets those from i·rows/shards to (i+1)·rows/shards, rounded
// down. So shards differ by one row at most; the larger ones, rows mod shards
// of them, are spread evenly and the last shard is one of them.
func Cut(rows, shards int) []Range {
	cut := make([]Range, shards)
	for i := range cut {
		cut[i] = Range{share(i, rows, shards), share(i+1, rows, shards)}
	}
	return cut
}

// share is i·rows/shards, whose product may need 128 bits.
func share(i, rows, shards int) int {
	hi, lo := bits.Mul64(uint64(i), uint64(rows))
	n, _ := bits.Div64(hi, lo, uint64(shards))
	return int(n)
}

// Blocks divides the ranks of a shard into blocks of BlockRows; the last one
// has what is left.
func Blocks(shard Range) []Range {
	blocks := make([]Range, 0, (shard.Len()+BlockRows-1)/BlockRows)
	for from := shard.From; from < shard.To; from += BlockRows {
		blocks = append(blocks, Range{from, min(from+BlockRows, shard.To)})
	}
	return blocks
}

// BlocksBySize divides the ranks of a shard into blocks of at most BlockRows
// rows and BlockBytes bytes; each takes as many rows as it can. A row that is
// larger has a block for itself.
func BlocksBySize(shard Range, size func(rank int) int64) []Range {
	var blocks []Range
	from, bytes := shard.From, int64(0)
	for rank := shard.From; rank < shard.To; rank++ {
		n := size(rank)
		if rank > from && (rank-from == BlockRows || n > BlockBytes-bytes) {
			blocks = append(blocks, Range{from, rank})
			from, bytes = rank, 0
		}
		bytes = min(bytes+n, BlockBytes)
	}
	if from < shard.To {
		blocks = append(blocks, Range{from, shard.To})
	}
	return blocks
}
