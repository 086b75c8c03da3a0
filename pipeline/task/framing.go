package task

import (
	"tfr-build/arrayrecord"
	"tfr-build/sink"
	"tfr-build/tfrecord"
)

// A batch frames the records of a block in a buffer; [tfrecord.Batch] has the contract of the
// methods.
type batch interface {
	Begin(dst []byte) []byte
	End(dst []byte) []byte
	Cancel(dst []byte) []byte
	Seal(buf []byte)
	Reset()
}

// newBatch returns the batch for the framing of the shards.
func (w *Work) newBatch() (batch, error) {
	if w.Set.Framing == tfrecord.ArrayRecord {
		return arrayrecord.NewBatch(w.recordCompression())
	}
	return &tfrecord.Batch{Framing: w.Set.Framing}, nil
}

// newLayout returns the layout of a shard; nil if the bytes of a block do not depend on its
// offset.
func (w *Work) newLayout() sink.Layout {
	if w.Set.Framing == tfrecord.ArrayRecord {
		return arrayrecord.NewLayout(w.recordCompression())
	}
	return nil
}

// emptySize returns about the size of a shard without records, in bytes.
func (w *Work) emptySize() int64 {
	if w.Set.Framing == tfrecord.ArrayRecord {
		return arrayrecord.EmptySize
	}
	return 0
}

// recordCompression returns the compression of single records, which only ArrayRecord files have.
func (w *Work) recordCompression() arrayrecord.Compression {
	c, _ := arrayrecord.ParseCompression(w.Set.Config.Compression) // checked with the config
	return c
}
