package tfrecord

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"tfr-build/framing"
	"tfr-build/sources/compress"
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

// ReadHeads detects which files are compressed. Those that are, or are not just frames, have to be streamed.
func (in *recordInput) ReadHeads(ctx context.Context) error {
	heads, err := in.SavedHeads(ctx, func(i int) (string, error) {
		p, err := in.detectPacking(i)
		if err != nil {
			return "", err
		}
		text, err := json.Marshal(&p)
		return string(text), err
	})
	if err != nil {
		return err
	}
	packings := make([]packing, len(heads))
	for i, text := range heads {
		if err := json.Unmarshal([]byte(text), &packings[i]); err != nil {
			return err
		}
		if !in.format.IsFrames || !packings[i].isNone() {
			in.MarkCompressed(i)
		}
	}
	in.packings = packings
	return nil
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
	if p.Packed {
		return in.Content(file)
	}
	return in.Stored(file)
}

// readHead returns the first bytes of a file, and how it may be compressed.
func (in *recordInput) readHead(file int) ([]byte, compress.Codec, error) {
	f, err := in.Stored(file)
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
	f, err := in.Stored(file)
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
