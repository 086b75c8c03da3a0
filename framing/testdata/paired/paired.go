package framing

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"tfr-build/tfrecord"
	"tfr-build/webdataset"
)

// paired is a format of tests, with what no other format has: each record is two entries, of which
// the first has the row ID, and a trailer has the number of records.
//
//	┌──────────┬────────┬───────┬────────┬───────┬───┬─────────┐
//	│ PAIRED01 │ row ID │ value │ row ID │ value │ … │ trailer │
//	└──────────┴────────┴───────┴────────┴───────┴───┴─────────┘
//
//	an entry: type, 1 byte   size, 4 bytes   content   CRC-32C of all these, 4 bytes
var paired = Format{
	Name: "paired", Title: "Paired", Files: "a paired file",
	Users:        "of a test",
	Filename:     "{SPLIT}-{INDEX}.{FILEFORMAT}",
	Digits:       5,
	Extension:    `\.paired`,
	MediaType:    "application/x-paired",
	HasChecksums: true,
	Compressions: []string{"none"},
	Writing: Writing{
		NewBatch:  func(string, webdataset.Sample) (Batch, error) { return new(pairedBatch), nil },
		NewLayout: func(string) Layout { return new(pairedLayout) },
		Overhead:  idSize + emptyEntry,
		EmptySize: int64(len(pairedMagic)) + trailerSize,
		NewWriter: func(w io.Writer, _ string) (Writer, error) { return &pairedWriter{w: w}, nil },
	},
	Reading: Reading{
		Begins:     func(head []byte, _ int64) bool { return bytes.HasPrefix(head, []byte(pairedMagic)) },
		IsSearched: true,
		NewReader:  func(r io.Reader, opt ReadOptions) Reader { return &pairedReader{in: r, opt: opt, number: -1} },
		Resumes:    true,
	},
	Support: Support{NoTFDS: "TFDS reads no paired files", Python: pairedPython},
}

const (
	pairedMagic = "PAIRED01"
	emptyEntry  = 1 + 4 + 4
	idSize      = emptyEntry + 8
	trailerSize = emptyEntry + 8

	idEntry      = 'h'
	valueEntry   = 'v'
	trailerEntry = 't'
)

const pairedPython = `

def _payloads(split, directory, shuffle, seed):
    """Returns the records as they are stored, and how many they are."""
    paths, counts = _shards(split, directory)

    def read():
        for path in paths:
            with open(path, "rb") as f:
                data = f.read()
            at = 8
            while data[at : at + 1] == b"h":
                at += 17
                size = int.from_bytes(data[at + 1 : at + 5], "little")
                yield data[at + 5 : at + 5 + size]
                at += size + 9

    payloads = tf.data.Dataset.from_generator(read, output_signature=tf.TensorSpec([], tf.string))
    if shuffle:
        payloads = payloads.shuffle(10_000 if shuffle is True else shuffle, seed)
    return payloads, sum(counts)
`

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func appendEntry(dst []byte, kind byte, content []byte) []byte {
	start := len(dst)
	dst = append(dst, kind, 0, 0, 0, 0)
	return endEntry(append(dst, content...), start)
}

// endEntry completes the entry that begins at start.
func endEntry(dst []byte, start int) []byte {
	binary.LittleEndian.PutUint32(dst[start+1:], uint32(len(dst)-start-5))
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

func appendNumber(dst []byte, kind byte, n uint64) []byte {
	return appendEntry(dst, kind, binary.LittleEndian.AppendUint64(nil, n))
}

// cutEntry returns the content of the entry that data begins with; ok is false if it is damaged, or
// of another type.
func cutEntry(data []byte, kind byte) (content, rest []byte, ok bool) {
	if len(data) < emptyEntry || data[0] != kind {
		return nil, nil, false
	}
	size := uint64(binary.LittleEndian.Uint32(data[1:]))
	if size > uint64(len(data)-emptyEntry) {
		return nil, nil, false
	}
	end := 5 + int(size)
	return data[5:end:end], data[end+4:], crc32.Checksum(data[:end], castagnoli) == binary.LittleEndian.Uint32(data[end:])
}

type pairedBatch struct {
	open  int // offset of the record
	value int // offset of its second entry
}

func (b *pairedBatch) Begin(dst []byte, id uint64) []byte {
	b.open = len(dst)
	dst = appendNumber(dst, idEntry, id)
	b.value = len(dst)
	return append(dst, valueEntry, 0, 0, 0, 0)
}

func (b *pairedBatch) End(dst []byte) []byte    { return endEntry(dst, b.value) }
func (b *pairedBatch) Cancel(dst []byte) []byte { return dst[:b.open] }
func (b *pairedBatch) Seal([]byte)              {}
func (b *pairedBatch) Reset()                   {}

type pairedLayout struct{ records uint64 }

func (l *pairedLayout) AppendHead(dst []byte) []byte { return append(dst, pairedMagic...) }

func (l *pairedLayout) LayOut(block []byte, _ int64) []byte {
	for rest := block; len(rest) > 0; l.records++ {
		_, rest, _ = cutEntry(rest, idEntry)
		_, rest, _ = cutEntry(rest, valueEntry)
	}
	return block
}

func (l *pairedLayout) AppendTail(dst []byte, _ int64) []byte {
	return appendNumber(dst, trailerEntry, l.records)
}

// A pairedWriter gives records their numbers as IDs: salvaged records have lost theirs.
type pairedWriter struct {
	w      io.Writer
	batch  pairedBatch
	layout pairedLayout
	buf    []byte
}

func (w *pairedWriter) Write(payload []byte) error {
	if w.layout.records == 0 {
		w.buf = w.layout.AppendHead(w.buf)
	}
	w.buf = w.batch.End(append(w.batch.Begin(w.buf, w.layout.records), payload...))
	w.layout.records++
	return nil
}

func (w *pairedWriter) Close() error {
	if w.layout.records == 0 {
		w.buf = w.layout.AppendHead(w.buf)
	}
	_, err := w.w.Write(w.layout.AppendTail(w.buf, 0))
	return err
}

// A pairedReader reads the complete file into memory.
type pairedReader struct {
	in     io.Reader
	opt    ReadOptions
	data   []byte
	isRead bool

	at, end   int // of the current record
	next      int // offset of the record after it
	number    int64
	records   int64 // number of the next record
	damaged   bool
	payload   []byte
	isPending bool // Length has read the record
	err       error
}

func (r *pairedReader) Record() int64 { return r.number }
func (r *pairedReader) Offset() int64 { return int64(r.at) }
func (r *pairedReader) End() int64    { return int64(r.end) }

func (r *pairedReader) Length() (int64, error) {
	if r.err == nil && !r.isPending {
		r.err = r.read()
	}
	return int64(len(r.payload)), r.err
}

func (r *pairedReader) Next() ([]byte, error) {
	if _, err := r.Length(); err != nil {
		return nil, err
	}
	r.isPending, r.end = false, r.next
	return r.payload, nil
}

func (r *pairedReader) Copy(w io.Writer) (int64, error) {
	payload, err := r.Next()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(payload)
	r.err = err
	return int64(n), err
}

// read reads the next record.
func (r *pairedReader) read() (err error) {
	if !r.isRead {
		if r.data, err = io.ReadAll(r.in); err != nil {
			return fmt.Errorf("reading %s: %w", r.opt.File, err)
		}
		r.isRead = true
		if !bytes.HasPrefix(r.data, []byte(pairedMagic)) {
			return r.corrupt("the file does not begin with " + pairedMagic)
		}
		r.next = len(pairedMagic)
	}
	payload, size := r.record(r.next)
	if size == 0 {
		return r.atEnd()
	}
	if r.opt.MaxRecord > 0 && int64(len(payload)) > r.opt.MaxRecord {
		return r.corrupt(fmt.Sprintf("its length %d is above the limit", len(payload)))
	}
	r.at, r.next, r.payload, r.isPending = r.next, r.next+size, payload, true
	r.number = r.records
	r.records++
	return nil
}

// record returns the record at an offset. If no record begins there, size is 0.
func (r *pairedReader) record(at int) (payload []byte, size int) {
	_, rest, ok := cutEntry(r.data[at:], idEntry)
	if !ok {
		return nil, 0
	}
	payload, rest, ok = cutEntry(rest, valueEntry)
	if !ok {
		return nil, 0
	}
	return payload, len(r.data) - at - len(rest)
}

// atEnd returns io.EOF if the trailer is next, and ends the file.
func (r *pairedReader) atEnd() error {
	count, rest, ok := cutEntry(r.data[r.next:], trailerEntry)
	switch {
	case r.next == len(r.data):
		return r.corrupt("the file ends without a trailer")
	case !ok:
		return r.corrupt("an entry of the record is damaged")
	case len(rest) > 0:
		return r.corrupt("bytes follow the trailer")
	case !r.damaged && binary.LittleEndian.Uint64(count) != uint64(r.records):
		return r.corrupt(fmt.Sprintf("the trailer has %d records, and the file %d", binary.LittleEndian.Uint64(count),
			r.records))
	}
	return io.EOF
}

func (r *pairedReader) corrupt(reason string) error {
	return &tfrecord.CorruptError{File: r.opt.File, Record: r.records, Offset: int64(r.next), Reason: reason}
}

func (r *pairedReader) Resync() error {
	if corrupt := new(tfrecord.CorruptError); !errors.As(r.err, &corrupt) {
		return r.err
	}
	r.damaged = true
	for at := r.next + 1; at < len(r.data); at++ {
		if _, size := r.record(at); size > 0 {
			r.next, r.err = at, nil
			return nil
		}
	}
	r.err = io.EOF
	return r.err
}
