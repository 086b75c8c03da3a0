package order

import "math/bits"

// BlockRows is the maximum number of rows in a block.
const BlockRows = 4096

// BlockBytes is the maximum size of a block of complete files, unless it is a single larger file.
const BlockBytes = 1 << 20

// A Range has the ranks From … To-1.
type Range struct{ From, To int }

// Len returns the number of ranks.
func (r Range) Len() int { return r.To - r.From }

// Cut divides the ranks of a split among at least one shard. Shard i gets those from
// i·rows/shards up to (i+1)·rows/shards, rounded down. So the sizes of shards differ by at most
// one row. The larger shards, of which there are rows mod shards, are distributed evenly and
// include the last one.
func Cut(rows, shards int) []Range {
	cut := make([]Range, shards)
	for i := range cut {
		cut[i] = CutOne(rows, shards, i)
	}
	return cut
}

// CutOne returns element i of Cut.
func CutOne(rows, shards, i int) Range {
	return Range{share(i, rows, shards), share(i+1, rows, shards)}
}

// CutBy divides the ranks of a split into shards of each ranks, which is not 0. The last shard has the
// rest. Without rows there is one shard, which is empty.
func CutBy(rows, each int) []Range {
	cut := make([]Range, ShardsOfSize(uint64(rows), uint64(each)))
	for i := range cut {
		cut[i] = Range{i * each, min((i+1)*each, rows)}
	}
	return cut
}

// share returns i·rows/shards. The product may need 128 bits.
func share(i, rows, shards int) int {
	hi, lo := bits.Mul64(uint64(i), uint64(rows))
	n, _ := bits.Div64(hi, lo, uint64(shards))
	return int(n)
}

// Blocks divides the ranks of a shard into blocks of BlockRows. The last block may be smaller.
func Blocks(shard Range) []Range {
	blocks := make([]Range, 0, (shard.Len()+BlockRows-1)/BlockRows)
	for from := shard.From; from < shard.To; from += BlockRows {
		blocks = append(blocks, Range{from, min(from+BlockRows, shard.To)})
	}
	return blocks
}

// BlocksBySize divides the ranks of a shard into blocks of at most BlockRows rows and BlockBytes
// bytes. Each block has as many rows as possible. A larger row has its own block.
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
