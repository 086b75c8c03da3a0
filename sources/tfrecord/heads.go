package records

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"tfr-build/arrayrecord"
	"tfr-build/message"
	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// A packing is how a file is compressed. The listing keeps it.
type packing struct {
	Compression tfrecord.Compression
	Packed      bool   // in another way, that package compress knows
	Hint        string // what helps where the first record cannot be read; may be empty
}

// isNone reports whether the file is not compressed.
func (p *packing) isNone() bool { return p.Compression == tfrecord.None && !p.Packed }

// ReadHeads finds out which files are compressed.
func (in *recordInput) ReadHeads(ctx context.Context) error {
	if in.packings != nil {
		return nil
	}
	if in.packings = in.known(); in.packings != nil {
		in.pack()
		return nil
	}
	packings := make([]packing, len(in.Listing().Files))
	err := files.Each(ctx, len(packings), func(i int) (err error) {
		packings[i], err = in.packing(i)
		return err
	})
	if err != nil {
		return err
	}
	in.packings = packings
	for i := range packings {
		text, err := json.Marshal(&packings[i])
		if err != nil {
			return err
		}
		in.Listing().Heads = append(in.Listing().Heads, string(text))
	}
	in.pack()
	return nil
}

// pack notes which files are compressed.
func (in *recordInput) pack() {
	for i := range in.packings {
		if in.isArray || !in.packings[i].isNone() {
			in.Pack(i)
		}
	}
}

// known are the packings that the listing has; nil where it has none.
func (in *recordInput) known() []packing {
	heads := in.Listing().Heads
	if len(heads) == 0 || len(heads) != len(in.Listing().Files) {
		return nil
	}
	list := make([]packing, len(heads))
	for i, text := range heads {
		if json.Unmarshal([]byte(text), &list[i]) != nil {
			return nil
		}
	}
	return list
}

// packing tells how a file is compressed by its first bytes. Where a record seems
// to begin there, it is not.
func (in *recordInput) packing(file int) (p packing, err error) {
	head, codec, err := in.head(file)
	if err != nil {
		return p, err
	}
	format, known := formatOf(head, in.Listing().Files[file].Size, in.framing)
	switch {
	case known && format == in.options.Format:
		return p, nil
	case known:
		return packing{Hint: "format: " + format}, nil
	case in.isArray:
		return p, nil
	case codec == compress.Zstd, codec == compress.Bzip2:
		return packing{Packed: true}, nil
	}
	p.Compression = tfrecord.Detect(head)
	switch {
	case p.Compression == tfrecord.Zlib && !in.isZlib(file): // two bytes are found anywhere
		return packing{}, nil
	case p.Compression == tfrecord.None && len(head) > 0 && strings.HasSuffix(in.Path(file), ".gz"):
		p.Compression = tfrecord.Gzip // whose first bytes are damaged
	}
	return p, nil
}

// formatOf is the format that a file of size bytes begins with, as the key calls it.
// Where records of the first framing may begin there, that is it.
func formatOf(head []byte, size int64, first tfrecord.Framing) (format string, known bool) {
	if arrayrecord.IsFile(head) {
		return tfrecord.ArrayRecord.String(), true
	}
	for _, f := range []tfrecord.Framing{first, tfrecord.TFRecord, tfrecord.OFRecord} {
		if begins(f, head, size) {
			return f.String(), true
		}
	}
	return "", false
}

// open opens a file, decompressed where packages other than tfrecord do that.
func (in *recordInput) open(file int, p packing) (*compress.Stream, error) {
	open := compress.OpenPacked
	if p.Packed {
		open = compress.Open
	}
	return open(in.sys, in.Path(file), &in.Listing().Files[file])
}

// head is the first bytes of a file, and how it may be compressed.
func (in *recordInput) head(file int) ([]byte, compress.Codec, error) {
	f, err := in.open(file, packing{})
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	if err != nil {
		err = &input.Error{Path: in.Path(file), Err: err}
	}
	return head[:n], f.Codec, err
}

// headSize is how many of a file's first bytes are looked at: those of a header, and
// of the beginning of an OFRecord, and all of the head of an ArrayRecord file.
const headSize = arrayrecord.HeadSize

// begins reports whether a file of size bytes that begins with head begins with a
// record of a framing. An OFRecord has no checksum, but its message tells.
func begins(f tfrecord.Framing, head []byte, size int64) bool {
	record, ok := f.Size(head)
	if !ok || f == tfrecord.TFRecord {
		return ok
	}
	payload := head[f.Overhead():]
	length := int64(record - f.Overhead())
	return int64(record) <= size && message.BeginsOFRecord(payload[:min(int64(len(payload)), length)], length)
}

// isZlib reports whether a record, or that there is none, can be read of a file
// that may be compressed with zlib.
func (in *recordInput) isZlib(file int) bool {
	f, err := in.open(file, packing{})
	if err != nil {
		return false
	}
	defer f.Close()
	r := in.framedReader(f, tfrecord.Zlib)
	_, err = r.Length()
	return err == nil || err == io.EOF || r.Resync() == nil
}

// reader is a reader of a file.
func (in *recordInput) reader(r io.Reader, c tfrecord.Compression) recordReader {
	if in.isArray {
		return &arrayReader{Reader: arrayrecord.NewReader(r, "")}
	}
	return in.framedReader(r, c)
}

// framedReader is a reader of a file whose records are framed as rows are.
func (in *recordInput) framedReader(r io.Reader, c tfrecord.Compression) *tfrecord.Reader {
	opt := tfrecord.Options{Framing: in.framing, Compression: c}
	if in.framing == tfrecord.OFRecord { // which has no checksums: what is longer is not known to be whole
		opt.MaxRecord, opt.Whole = tfrecord.MaxHeld, message.BeginsOFRecord
	}
	return tfrecord.NewReader(r, opt)
}
