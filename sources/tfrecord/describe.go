package tfrecord

import (
	"bytes"
	"compress/zlib"
	"context"
	"io"

	"tfr-build/framing"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{
		Reads: "TFRecord, OFRecord, and ArrayRecord files", Noun: "record file", Rows: input.Lists, Record: "record",
		Recognize: recognize, Choose: chooseOptions,
	}
}

// recognize recognizes the framing of records, which is the variant of a file.
func recognize(h *input.FileHead) input.Match {
	if tfrecord.Detect(h.Stored) == tfrecord.Zlib && isZlib(h.Stored) {
		return input.Match{Certainty: input.Proven}
	}
	f := framing.Detect(h.Bytes, framing.AnySize)
	if f == nil || f.HasSamples { // which the source type tar reads
		return input.Match{Certainty: input.NotRead}
	}
	return input.Match{Certainty: input.Proven, Variant: f.Stored()}
}

// chooseOptions returns the format of the files.
func chooseOptions(_ context.Context, g *input.FileGroup) (*input.Choice, error) {
	f, _ := framing.ByStored(g.Matches[0].Variant)
	if f.Stored() == "" { // the default
		return &input.Choice{}, nil
	}
	return &input.Choice{Options: []input.Option{{Name: "format", Value: f.Name, Note: f.Users}}}, nil
}

// isZlib reports whether the data is compressed with zlib and begins with a TFRecord.
func isZlib(stored []byte) bool {
	r, err := zlib.NewReader(bytes.NewReader(stored))
	if err != nil {
		return false
	}
	head := make([]byte, tfrecord.HeaderSize)
	n, _ := io.ReadFull(r, head)
	return tfrecord.IsRecord(head[:n])
}
