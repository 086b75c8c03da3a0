package sink

import "context"

// indexDir is the directory of the indexes in a dataset.
const indexDir = "_tfr/index/"

// IndexSuffix is what the name of an index adds to the name of its shard.
const IndexSuffix = ".idx"

// MaxIndexed is the length in bytes that the name of a shard with an index can have.
const MaxIndexed = MaxName - len(IndexSuffix)

// IndexOf returns the name of an index, which is in the directory of the shard if besides is true.
func IndexOf(shard string, besides bool) string {
	if besides {
		return shard + IndexSuffix
	}
	return indexDir + shard + IndexSuffix
}

// writeIndex writes the index lines for the records in data, which is block i or a piece of it
// at offset off. Workers format their lines in parallel. The lines get their offsets in the
// order of the blocks, and next is the block whose turn follows. A worker that waits for its
// turn in the index has already passed on its turn in the shard, so the two turns cannot
// deadlock.
func (sh *Shard) writeIndex(ctx context.Context, i, next int, data []byte, off int64) error {
	if sh.index == nil {
		return nil
	}
	lines, _ := sh.stage.indexBuffers.Get().(*[]byte)
	if lines == nil {
		lines = new([]byte)
	}
	defer sh.stage.indexBuffers.Put(lines)
	*lines = sh.appendIndex((*lines)[:0], data, off)
	return sh.index.writeInTurn(ctx, i, next, *lines, nil)
}

// files returns the shard and, if it has one, its index.
func (l *FinishedShard) files() []*FinishedShard {
	if l.Index == nil {
		return []*FinishedShard{l}
	}
	return []*FinishedShard{l, l.Index}
}

// hasValidIndex reports whether the line has no index, or a valid index of this shard.
func (l *FinishedShard) hasValidIndex() bool {
	i := l.Index
	return i == nil || (i.Name == IndexOf(l.Name, false) || i.Name == IndexOf(l.Name, true)) &&
		i.Bytes >= 0 && i.Index == nil && i.Rejects == nil && i.Statistics == nil
}
