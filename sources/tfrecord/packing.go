package tfrecord

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"tfr-build/framing"
	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// A packing is how a file is compressed. The listing stores it as JSON.
type packing struct {
	Compression tfrecord.Compression
	Packed      bool   // compressed in another way that package compress supports
	Hint        string // what helps if the first record is unreadable; may be empty
}

// isNone reports whether the file is not compressed.
func (p *packing) isNone() bool { return p.Compression == tfrecord.None && !p.Packed }

// ReadHeads detects which files are compressed.
func (in *recordInput) ReadHeads(ctx context.Context) error {
	if in.packings != nil {
		return nil
	}
	if in.packings = in.savedPackings(); in.packings != nil {
		in.markPacked()
		return nil
	}
	packings := make([]packing, len(in.Listing().Files))
	err := files.Each(ctx, len(packings), func(i int) (err error) {
		packings[i], err = in.detectPacking(i)
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
	in.markPacked()
	return nil
}

// markPacked marks the files that have to be streamed, because they are compressed or not just
// frames.
func (in *recordInput) markPacked() {
	for i := range in.packings {
		if !in.format.IsFrames || !in.packings[i].isNone() {
			in.MarkCompressed(i)
		}
	}
}

// savedPackings returns the packings in the listing, or nil.
func (in *recordInput) savedPackings() []packing {
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

// detectPacking detects by the first bytes how a file is compressed. If a record seems to begin
// there, it is not compressed.
func (in *recordInput) detectPacking(file int) (p packing, err error) {
	head, codec, err := in.readHead(file)
	if err != nil {
		return p, err
	}
	format := framing.Detect(head, in.Listing().Files[file].Size)
	switch {
	case format == in.format:
		return p, nil
	case format != nil && format.HasSamples:
		return packing{Hint: "tar: {files: …}"}, nil
	case format != nil:
		return packing{Hint: "format: " + format.Name}, nil
	case !in.format.CompressesFiles:
		return p, nil
	case codec == compress.Zstd, codec == compress.Bzip2:
		return packing{Packed: true}, nil
	}
	p.Compression = tfrecord.Detect(head)
	switch {
	case p.Compression == tfrecord.Zlib && !in.isZlib(file): // other files have its two magic bytes, too
		return packing{}, nil
	case p.Compression == tfrecord.None && len(head) > 0 && strings.HasSuffix(in.Path(file), ".gz"):
		p.Compression = tfrecord.Gzip // its first bytes are damaged
	}
	return p, nil
}

// open opens a file. It decompresses it unless package tfrecord does that.
func (in *recordInput) open(file int, p packing) (*compress.Stream, error) {
	open := compress.OpenCompressed
	if p.Packed {
		open = compress.Open
	}
	return open(in.sys, in.Path(file), &in.Listing().Files[file])
}

// readHead returns the first bytes of a file, and how it may be compressed.
func (in *recordInput) readHead(file int) ([]byte, compress.Codec, error) {
	f, err := in.open(file, packing{})
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	head := make([]byte, framing.DetectSize)
	n, err := io.ReadFull(f, head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	if err != nil {
		err = &input.Error{Path: in.Path(file), Err: err}
	}
	return head[:n], f.Codec, err
}

// isZlib reports whether a file can be read as zlib: it has a record, or ends without one.
func (in *recordInput) isZlib(file int) bool {
	f, err := in.open(file, packing{})
	if err != nil {
		return false
	}
	defer f.Close()
	r := in.newReader(f, tfrecord.Zlib)
	_, err = r.Length()
	return err == nil || err == io.EOF || r.Resync() == nil
}

// newReader returns a reader of a file's records.
func (in *recordInput) newReader(r io.Reader, c tfrecord.Compression) recordReader {
	opt := framing.ReadOptions{Compression: c}
	if !in.format.HasChecksums { // then a record must be in memory to be recognized as complete
		opt.MaxRecord = tfrecord.MaxInMemory
	}
	reader := in.format.NewReader(r, opt)
	if in.format.IsFrames {
		return reader.(*tfrecord.Reader)
	}
	return &reframer{Reader: reader, frames: in.frames}
}
