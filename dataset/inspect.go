package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"tfr-build/internal/vfs"
	"tfr-build/message"
	"tfr-build/tfrecord"
)

// maxBare is the size up to which a file that is no TFRecord file is read as
// one bare Example.
const maxBare = 64 << 20

// InspectOptions say what Inspect prints.
type InspectOptions struct {
	Skip  int64 // records to skip
	Limit int64 // records to print; 0 means all
	JSON  bool  // one JSON object a line, instead of text
}

// Inspect prints the records in r to w. It finds out how r is compressed, and
// takes a file that holds one serialized Example and nothing else for one
// record.
//
// As JSON an Example has the form that tf.io.decode_json_example reads, and a
// payload that is no Example is {"payload": "BASE64"}. As text long values and
// long lists are cut. Of a record of more than [tfrecord.MaxHeld] bytes, which
// is not held, the text is its beginning; as JSON it is an error.
func Inspect(w io.Writer, r io.Reader, name string, opt InspectOptions) error {
	out := bufio.NewWriter(w)
	err := inspect(out, r, name, opt)
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	return err
}

// InspectDataset prints the records of the dataset in dir as if they were in one
// file. title gets the path of each shard before its records are printed.
func InspectDataset(w io.Writer, dir string, opt InspectOptions, title func(path string)) error {
	p := newPlace(dir, &VerifyOptions{})
	m, err := p.inspectManifest()
	if err != nil {
		return err
	}
	skip, left := opt.Skip, opt.Limit
	for _, split := range m.Splits {
		for _, shard := range split.Shards {
			if skip >= shard.Records { // the manifest has the count, so the file need not be read
				skip -= shard.Records
				continue
			}
			if err := p.inspect(w, shard.Name, InspectOptions{Skip: skip, Limit: left, JSON: opt.JSON}, title); err != nil {
				return err
			}
			if left -= shard.Records - skip; opt.Limit > 0 && left <= 0 {
				return nil
			}
			skip = 0
		}
	}
	return nil
}

func (p place) inspectManifest() (*Manifest, error) {
	f, err := p.openThere(ManifestName)
	if err != nil {
		return nil, fmt.Errorf("no dataset: %s: %w", ManifestName, vfs.Cause(err))
	}
	f.Close()
	data, damage, err := p.readFile(ManifestName)
	switch {
	case err != nil:
		return nil, err
	case damage != nil:
		return nil, damage
	}
	return ParseManifest(data)
}

// inspect prints the records of a shard.
func (p place) inspect(w io.Writer, name string, opt InspectOptions, title func(path string)) error {
	f, err := p.openThere(name)
	if err != nil {
		return err
	}
	defer f.Close()
	title(p.path(name))
	return Inspect(w, f, p.path(name), opt)
}

// openThere opens a file that has to be there, and a regular one.
func (p place) openThere(name string) (vfs.File, error) {
	if _, err := p.fs.Stat(p.path(name)); err != nil {
		return nil, err
	}
	f, damage, err := p.open(name)
	if damage != nil {
		err = &fs.PathError{Op: "open", Path: p.path(name), Err: errors.New(damage.Reason)}
	}
	return f, err
}

func inspect(w *bufio.Writer, r io.Reader, name string, opt InspectOptions) error {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(tfrecord.HeadSize)
	if err != nil && err != io.EOF {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	r = in
	compression := tfrecord.Detect(head)
	if compression == tfrecord.None && !tfrecord.IsRecord(head) && bytes.HasPrefix(head, []byte{0x0a}) {
		data, err := io.ReadAll(io.LimitReader(in, maxBare+1))
		if err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
		if len(data) <= maxBare && message.Is(message.Example, data) {
			return inspectBare(w, data, opt)
		}
		r = io.MultiReader(bytes.NewReader(data), in)
	}
	records := tfrecord.NewReader(r, tfrecord.Options{File: name, Compression: compression})
	for n := int64(0); opt.Limit <= 0 || n-opt.Skip < opt.Limit; n++ {
		err := inspectRecord(w, records, n < opt.Skip, name, opt)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// inspectRecord prints the next record, or skips it.
func inspectRecord(w *bufio.Writer, records *tfrecord.Reader, skip bool, name string, opt InspectOptions) error {
	length, err := records.Length()
	switch {
	case err != nil:
		return err
	case skip:
		_, err = records.Copy(io.Discard)
		return err
	case length > tfrecord.MaxHeld && opt.JSON:
		return tooLong(name, records, length, "without -json its beginning is shown")
	case length > tfrecord.MaxHeld:
		return inspectBeginning(w, records, length)
	}
	payload, err := records.Next()
	if err != nil {
		return err
	}
	if !opt.JSON {
		printHeading(w, records, length)
	}
	return printPayload(w, payload, opt.JSON)
}

func printHeading(w *bufio.Writer, records *tfrecord.Reader, length int64) {
	fmt.Fprintf(w, "record %d at byte %d, %d bytes\n", records.Record(), records.Offset(), length)
}

// inspectBeginning prints how a record begins that is too long to be parsed.
func inspectBeginning(w *bufio.Writer, records *tfrecord.Reader, length int64) error {
	var b beginning
	if _, err := records.Copy(&b); err != nil {
		return err
	}
	printHeading(w, records, length)
	_, err := fmt.Fprintf(w, "  not parsed, longer than %d MiB: %s… %d bytes\n", tfrecord.MaxHeld>>20, strconv.Quote(string(cutText(b))), length)
	return err
}

// A beginning keeps the first bytes that are written to it.
type beginning []byte

func (b *beginning) Write(p []byte) (int, error) {
	*b = append(*b, p[:min(len(p), maxShownBytes+1-len(*b))]...)
	return len(p), nil
}

// tooLong refuses the record whose length was read last, for it would have to be
// held in memory.
func tooLong(name string, records *tfrecord.Reader, length int64, hint string) error {
	return fmt.Errorf("%s: record %d at byte %d: it has %d bytes, and none of more than %d MiB is parsed; %s",
		name, records.Record(), records.Offset(), length, tfrecord.MaxHeld>>20, hint)
}

func inspectBare(w *bufio.Writer, data []byte, opt InspectOptions) error {
	if opt.Skip > 0 {
		return nil
	}
	if !opt.JSON {
		fmt.Fprintf(w, "a bare Example, %d bytes\n", len(data))
	}
	return printPayload(w, data, opt.JSON)
}

// PrintExample prints one serialized Example as [Inspect] does, without a
// heading.
func PrintExample(w io.Writer, payload []byte, asJSON bool) error {
	out := bufio.NewWriter(w)
	err := printPayload(out, payload, asJSON)
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	return err
}

func printPayload(w *bufio.Writer, payload []byte, asJSON bool) error {
	features, many, ok := sortedFeatures(payload)
	switch {
	case many:
		return fmt.Errorf("an Example of more than %d features is not shown", maxFeatures)
	case ok && asJSON:
		return printJSON(w, features)
	case ok:
		return printText(w, features)
	case asJSON:
		fmt.Fprint(w, `{"payload":`)
		if err := printBase64(w, payload); err != nil {
			return err
		}
		_, err := w.WriteString("}\n")
		return err
	}
	_, err := fmt.Fprintf(w, "  no Example: %s\n", shownBytes(payload))
	return err
}
