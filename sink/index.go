package sink

import "context"

// indexFolder is where the indexes of shards stand in the dataset.
const indexFolder = "_tfr/index/"

// IndexSuffix is what an index has after the name of its shard.
const IndexSuffix = ".idx"

// MaxIndexed is how many bytes the name of a shard can have that has an index.
const MaxIndexed = MaxName - len(IndexSuffix)

// IndexName is the name of the index of a shard.
func IndexName(shard string) string { return indexFolder + shard + IndexSuffix }

// note writes the lines about the records of block i, or of a piece of it, to the index.
// Where they stand in the file is known by now. Lines are made by all workers at once, and
// take their places in the index as blocks do in the shard: nobody who waits for one holds
// another.
func (sh *Shard) note(ctx context.Context, i, next int, data []byte, off int64) error {
	if sh.index == nil {
		return nil
	}
	lines, _ := sh.stage.lines.Get().(*[]byte)
	if lines == nil {
		lines = new([]byte)
	}
	defer sh.stage.lines.Put(lines)
	*lines = sh.lines((*lines)[:0], data, off)
	return sh.index.take(ctx, i, next, *lines, nil)
}

// files are a shard and its index, if it has one.
func (l *LeftShard) files() []*LeftShard {
	if l.Index == nil {
		return []*LeftShard{l}
	}
	return []*LeftShard{l, l.Index}
}

// namesIndex reports whether the index of a line is one, of this shard.
func (l *LeftShard) namesIndex() bool {
	i := l.Index
	return i == nil || i.Name == IndexName(l.Name) && i.Bytes >= 0 && i.Index == nil && i.Rejects == nil && i.Statistics == nil
}
