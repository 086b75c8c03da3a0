package task

import (
	"tfr-build/arrayrecord"
	"tfr-build/sink"
	"tfr-build/tfrecord"
)

// A batch frames the records of a block in a buffer, as [tfrecord.Batch] says.
type batch interface {
	Begin(dst []byte) []byte
	End(dst []byte) []byte
	Cancel(dst []byte) []byte
	Seal(buf []byte)
	Reset()
}

// newBatch returns what a worker frames records with.
func (w *Work) newBatch() (batch, error) {
	if w.Set.Framing == tfrecord.ArrayRecord {
		return arrayrecord.NewBatch(w.recordCompression())
	}
	return &tfrecord.Batch{Framing: w.Set.Framing}, nil
}

// newLayout returns what lays out a shard; nil where blocks are the same wherever
// they stand.
func (w *Work) newLayout() sink.Layout {
	if w.Set.Framing == tfrecord.ArrayRecord {
		return arrayrecord.NewLayout(w.recordCompression())
	}
	return nil
}

// emptySize is about how many bytes a shard has that has no record.
func (w *Work) emptySize() int64 {
	if w.Set.Framing == tfrecord.ArrayRecord {
		return arrayrecord.EmptySize
	}
	return 0
}

// recordCompression is the compression of each record by itself, in a file that has
// it.
func (w *Work) recordCompression() arrayrecord.Compression {
	c, _ := arrayrecord.ParseCompression(w.Set.Config.Compression) // the config has none but these
	return c
}
