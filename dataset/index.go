package dataset

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"tfr-build/framing"
	"tfr-build/tfrecord"
)

// WriteIndex writes the index of the TFRecord file at path to w, in the format of
// [tfrecord.AppendIndexLine], and returns the number of records. It reads the complete file. If
// the file is damaged, the error is a *[tfrecord.CorruptError].
func WriteIndex(ctx context.Context, from Store, path string, w io.Writer) (records int64, err error) {
	p := directory{fs: from}
	f, err := p.openRegular(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	buffered := bufio.NewReaderSize(&countingReader{ctx: ctx, r: f}, 1<<20)
	head, err := buffered.Peek(framing.DetectSize)
	if err != nil && err != io.EOF {
		return 0, fmt.Errorf("reading %s: %w", path, err)
	}
	how, _ := detect(head)
	if err := indexable(how); err != nil {
		return 0, err
	}
	in, out := how.newReader(buffered, path), bufio.NewWriterSize(w, 64<<10)
	var line []byte
	for ; ; records++ {
		if _, err := in.Copy(io.Discard); err == io.EOF {
			return records, out.Flush()
		} else if err != nil {
			return records, err
		}
		line = tfrecord.AppendIndexLine(line[:0], in.Offset(), in.End()-in.Offset())
		if _, err := out.Write(line); err != nil {
			return records, err
		}
	}
}

// indexable returns an error for files in which readers cannot seek to a record.
func indexable(f format) error {
	switch {
	case f.compression != tfrecord.None:
		return fmt.Errorf("it is compressed with %s, and no reader can begin inside it; an index is for a TFRecord "+
			"file that is not compressed", f.compression)
	case !f.DALI:
		return fmt.Errorf("it is %s; an index is for TFRecord files", f.Files)
	}
	return nil
}
