package framing

import (
	_ "embed" // for the Python readers
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"

	"tfr-build/internal/tarfile"
	"tfr-build/tfrecord"
	"tfr-build/webdataset"
)

//go:embed python/webdataset.py
var pythonSamples string

var webDataset = Format{
	Name: "webdataset", Title: "WebDataset", Files: "a tar archive of WebDataset",
	Users:     "of webdataset, Energon, and Ray",
	Filename:  "{DATASET}-{SPLIT}-{SHARD_INDEX}.tar",
	Digits:    6,
	Extension: `\.tar`,
	MediaType: "application/x-tar",

	HasSamples:      true,
	Compressions:    []string{"none", "gzip"},
	CompressesFiles: true,

	Writing: Writing{
		NewBatch:     func(_ string, s webdataset.Sample) (Batch, error) { return webdataset.NewBatch(s), nil },
		MovesPayload: true,
		Tail:         make([]byte, webdataset.TailSize),
		Overhead:     2 * tarfile.BlockSize,
		EmptySize:    webdataset.TailSize,
		AppendIndex:  webdataset.AppendIndex,
		IndexBeside:  true,
		NewWriter:    newSampleWriter,
		CopyStored: func(to Writer, from Reader) error {
			return to.(*sampleWriter).WriteText(from.(*webdataset.Reader).Text())
		},
	},
	Reading: Reading{
		Begins:     func(head []byte, _ int64) bool { return webdataset.Begins(head) },
		IsSearched: true,
		NewReader: func(r io.Reader, opt ReadOptions) Reader {
			return webdataset.NewReader(r, webdataset.Options{
				File: opt.File, IsGzip: opt.Compression == tfrecord.Gzip, Sample: opt.Sample, MaxSize: opt.MaxRecord,
			})
		},
		Resumes: true, // a header is found again after damage
	},
	Support: Support{NoTFDS: "TFDS reads no tar archives", Python: pythonSamples},
}

// A sampleWriter writes an archive, compressed or not.
type sampleWriter struct {
	*webdataset.Writer
	z io.Closer // the compressor; nil without one
}

func newSampleWriter(w io.Writer, compression string) (Writer, error) {
	c, err := tfrecord.ParseCompression(compression)
	if err != nil {
		return nil, err
	}
	if c != tfrecord.Gzip {
		return &sampleWriter{Writer: webdataset.NewWriter(w)}, nil
	}
	z := gzip.NewWriter(w)
	return &sampleWriter{webdataset.NewWriter(z), z}, nil
}

func (w *sampleWriter) Close() error {
	err := w.Writer.Close()
	if w.z != nil {
		err = errors.Join(err, w.z.Close())
	}
	return err
}
