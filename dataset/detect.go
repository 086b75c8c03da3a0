package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"slices"

	"tfr-build/framing"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/tfrecord"
	"tfr-build/webdataset"
)

// A format says how a file stores records.
type format struct {
	*framing.Format
	compression tfrecord.Compression // of the complete file
	inside      string               // compression of single records, if the format has it
	sample      webdataset.Sample    // of records that are samples, if the manifest is known
}

// newFormat returns a format without compression.
func newFormat(f *framing.Format) format { return format{Format: f, inside: tfrecord.None.String()} }

// newReader returns a reader of the records in r. name is for errors.
func (f format) newReader(r io.Reader, name string) framing.Reader {
	return f.NewReader(r, f.options(name))
}

// options returns the options of a reader of a file.
func (f format) options(name string) framing.ReadOptions {
	return framing.ReadOptions{File: name, Compression: f.compression, Sample: f.sample}
}

// formatOf returns the format of the shards of a dataset.
func formatOf(m *Manifest) format {
	_, f := m.Records()
	return format{f, f.FileCompression(m.Compression), m.Compression, m.Members}
}

// newWriter returns a writer of records in this format.
func (f format) newWriter(w io.Writer) (framing.Writer, error) {
	if f.CompressesFiles {
		return f.NewWriter(w, f.compression.String())
	}
	return f.NewWriter(w, f.inside)
}

// messages returns the types that a record of this format may have without a manifest.
func (f format) messages() []schema.Message {
	m := f.message()
	if !m.IsGuessed() {
		return []schema.Message{m}
	}
	return slices.DeleteFunc(schema.Messages(), func(m schema.Message) bool {
		return m.IsImplied() ||
			m.WireKind() == message.None
	})
}

// message returns the type of a record of this format without a manifest, unless it is guessed.
func (f format) message() schema.Message { return schema.ImpliedMessage(f.Message) }

// detect returns the format of a file by its first framing.DetectSize bytes, or all bytes of a
// shorter file. If no format matches, known is false and the format is the default.
func detect(head []byte) (f format, known bool) {
	if found := framing.Detect(head, framing.AnySize); found != nil {
		return newFormat(found), true
	}
	f = newFormat(framing.Default())
	if f.compression = tfrecord.Detect(head); f.compression == tfrecord.Gzip {
		f.Format = detectInside(head)
	}
	return f, f.compression != tfrecord.None
}

// detectInside returns the format of a file by the first bytes of its gzip stream.
func detectInside(head []byte) *framing.Format {
	z, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return framing.Default()
	}
	inside := make([]byte, framing.DetectSize)
	n, _ := io.ReadFull(z, inside) // head is only a part
	if found := framing.Detect(inside[:n], framing.AnySize); found != nil && found.HasCompression("gzip") {
		return found
	}
	return framing.Default()
}

// maxSearch is the number of bytes that are searched for a record if the beginning of a file is
// damaged.
const maxSearch = 16 << 20

// search returns the format of a file whose beginning is damaged: the one that an intact record in
// it has, or the default.
func search(beginning []byte) format {
	for _, f := range framing.All() {
		if !f.IsSearched {
			continue
		}
		in := newFormat(f).newReader(bytes.NewReader(beginning), "")
		if _, err := in.Next(); err == nil || in.Resync() == nil {
			return newFormat(f)
		}
	}
	return newFormat(framing.Default())
}

// peek returns a reader of all that r reads, and its beginning, from which detect finds the format.
func peek(r io.Reader) (in *bufio.Reader, head []byte, err error) {
	in = bufio.NewReaderSize(r, 64<<10)
	if head, err = in.Peek(framing.DetectSize); err == io.EOF {
		err = nil
	}
	return in, head, err
}
