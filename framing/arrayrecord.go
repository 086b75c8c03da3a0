package framing

import (
	_ "embed" // for the Python readers
	"io"

	"tfr-build/arrayrecord"
	"tfr-build/webdataset"
)

//go:embed python/array_records.py
var pythonArrayRecords string

var arrayRecord = Format{
	Name: "array_record", Title: "ArrayRecord", Files: "an ArrayRecord file",
	Users:     "of Grain and tfds.data_source",
	Filename:  "{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}",
	Digits:    5,
	Extension: `\.array_?record`,
	MediaType: "application/x-array_record",

	HasChecksums: true,
	Compressions: []string{"none", "zstd"},

	Writing: Writing{
		NewBatch:     newChunks,
		MovesPayload: true,
		NewLayout: func(compression string) Layout {
			c, _ := arrayrecord.ParseCompression(compression) // one of Compressions
			return arrayrecord.NewLayout(c)
		},
		Overhead:  arrayrecord.Overhead,
		EmptySize: arrayrecord.EmptySize,
		NewWriter: newArrayWriter,
	},
	Reading: Reading{
		Begins:        func(head []byte, _ int64) bool { return arrayrecord.IsFile(head) },
		NewReader:     func(r io.Reader, opt ReadOptions) Reader { return arrayrecord.NewReader(r, opt.File) },
		Open:          openArrayFile,
		CompressionOf: func(r Reader) string { return r.(*arrayrecord.Reader).Compression().String() },
		Resumes:       true,
	},
	Support: Support{IsDataSource: true, Python: pythonArrayRecords},
}

// chunks is an arrayrecord.Batch: its records have no row IDs.
type chunks struct{ *arrayrecord.Batch }

// Begin begins a record.
func (c chunks) Begin(dst []byte, _ uint64) []byte { return c.Batch.Begin(dst) }

func newChunks(compression string, _ webdataset.Sample) (Batch, error) {
	c, err := arrayrecord.ParseCompression(compression)
	if err != nil {
		return nil, err
	}
	b, err := arrayrecord.NewBatch(c)
	return chunks{b}, err
}

func newArrayWriter(w io.Writer, compression string) (Writer, error) {
	c, err := arrayrecord.ParseCompression(compression)
	if err != nil {
		return nil, err
	}
	return arrayrecord.NewWriter(w, c)
}

// arrayFile is an arrayrecord.File that returns a Reader of this package.
type arrayFile struct{ *arrayrecord.File }

// From returns a Reader of the records from number record on.
func (f arrayFile) From(record int64) (Reader, error) { return f.File.From(record) }

func openArrayFile(file io.ReaderAt, size int64, name string) (File, error) {
	f, err := arrayrecord.OpenFile(file, size, name)
	return arrayFile{f}, err
}
