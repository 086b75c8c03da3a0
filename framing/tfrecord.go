package framing

import (
	_ "embed" // for the Python readers
	"io"

	"tfr-build/tfrecord"
	"tfr-build/webdataset"
)

//go:embed python/records.py
var pythonRecords string

var tfRecord = Format{
	Name: "tfrecord", Title: "TFRecord", Files: "a TFRecord file",
	Filename:  "{SPLIT}-{SHARD_X_OF_Y}",
	Digits:    5,
	Extension: `\.tfrecords?`,
	MediaType: "application/x-tfrecord",

	HasChecksums:    true,
	Compressions:    []string{"none", "gzip", "zlib"},
	CompressesFiles: true,

	Writing: Writing{
		NewBatch:    newFrames(tfrecord.TFRecord),
		Overhead:    tfrecord.TFRecord.Overhead(),
		AppendIndex: tfrecord.AppendIndex,
		NewWriter:   newFramesWriter(tfrecord.TFRecord),
		CopyLong:    func(to Writer, from Reader) error { return to.(*tfrecord.Writer).Copy(from.(*tfrecord.Reader)) },
		IsForJSON:   true,
	},
	Reading: Reading{
		Begins: func(head []byte, _ int64) bool { return tfrecord.IsRecord(head) },
		NewReader: func(r io.Reader, opt ReadOptions) Reader {
			return tfrecord.NewReader(r, tfrecord.Options{File: opt.File, Compression: opt.Compression,
				MaxRecord: opt.MaxRecord})
		},
		IsFrames: true,
	},
	Support: Support{Torch: true, DALI: true, Python: pythonRecords},
}

// frames is a tfrecord.Batch: its records have no row IDs.
type frames struct{ tfrecord.Batch }

// Begin begins a record.
func (f *frames) Begin(dst []byte, _ uint64) []byte { return f.Batch.Begin(dst) }

func newFrames(f tfrecord.Framing) func(string, webdataset.Sample) (Batch, error) {
	return func(string, webdataset.Sample) (Batch, error) { return &frames{tfrecord.Batch{Framing: f}}, nil }
}

func newFramesWriter(f tfrecord.Framing) func(io.Writer, string) (Writer, error) {
	return func(w io.Writer, compression string) (Writer, error) {
		c, err := tfrecord.ParseCompression(compression)
		return tfrecord.NewWriter(w, f, c), err
	}
}
