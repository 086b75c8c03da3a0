package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// maxBare is the size up to which a file that is no TFRecord file is read as
// one bare message.
const maxBare = 64 << 20

// InspectOptions say what Inspect prints.
type InspectOptions struct {
	Store store.Reader // of datasets; nil: that of the system
	Skip  int64        // records to skip
	Limit int64        // records to print; 0 means all
	Form  Form

	// Split is the split of a dataset whose records are printed; empty: all.
	Split string
	// Record tells what the records of a dataset are from the content of
	// ConfigName and ReaderName, so that classes have names, and plain JSON the
	// types of the config. Without it, and in files, each payload speaks for itself.
	Record func(config, reader []byte) (schema.Record, error)
	// Warn says why Record was not asked, or failed; it may be nil.
	Warn func(text string)
}

// A SplitError says that a dataset has no split of that name.
type SplitError struct {
	Name   string
	Splits []string // that it has
}

func (e *SplitError) Error() string { return fmt.Sprintf("no split %q", e.Name) }

// Inspect prints the records in r to w. It finds out how r is framed and
// compressed, and takes a file that holds one serialized message and nothing else
// for one record. A payload with feature lists is a SequenceExample, one without
// any that is an Example is taken for that; OFRecords are in OFRecord files, or
// what is neither of the two. The Examples of an ExampleListWithContext stand each by
// itself.
//
// In JSON features are in the order of the payload, in text in that of their keys. Of
// a record of more than [tfrecord.MaxHeld] bytes, which is not held, the text is
// its beginning; in JSON it is an error.
func Inspect(w io.Writer, r io.Reader, name string, opt InspectOptions) error {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(detectSize)
	if err != nil && err != io.EOF {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	format, known := detect(head)
	i := newInspection(w, knownRecord{message: schema.ExampleMessage}, opt)
	if format.framing == tfrecord.OFRecord {
		i.message = schema.OFRecordMessage
	}
	isField := len(head) > 0 && (head[0] == 0x0a || head[0] == 0x12) // the first or second of a message, of bytes
	if !known && isField {
		return i.flush(i.unknown(in, format.options(name)))
	}
	return i.flush(i.records(in, format.options(name)))
}

// InspectDataset prints the records of the dataset in dir, or of one of its splits, as
// if they were in one file, after what it says of rows that rules left out. title gets
// the path of each shard before its records are printed. The error is a *SplitError
// if the dataset does not have the split.
func InspectDataset(w io.Writer, dir string, opt InspectOptions, title func(path string)) error {
	p := newPlace(dir, &VerifyOptions{Store: opt.Store})
	m, err := p.inspectManifest()
	if err != nil {
		return err
	}
	shards, err := m.shardsOf(opt.Split)
	if err != nil {
		return err
	}
	if text := LeftOutText(m.LeftOut()); text != "" && opt.Form == TextForm {
		fmt.Fprintf(w, "%s found: %s\n", plural.Of(m.found(), "row"), text)
	}
	known, err := p.known(m, &opt)
	if err != nil {
		return err
	}
	_, framing := m.Records()
	limit := opt.Limit
	for _, shard := range shards {
		if opt.Skip >= shard.Records { // the manifest has the count, so the file need not be read
			opt.Skip -= shard.Records
			continue
		}
		if err := p.inspect(w, shard.Name, known, framing, opt, title); err != nil {
			return err
		}
		if opt.Limit -= shard.Records - opt.Skip; limit > 0 && opt.Limit <= 0 {
			return nil
		}
		opt.Skip = 0
	}
	return nil
}

// shardsOf are the shards of a split; without a name, of all.
func (m *Manifest) shardsOf(split string) (shards []Shard, err error) {
	e := &SplitError{Name: split}
	found := split == ""
	for _, s := range m.Splits {
		if split == "" || split == s.Name {
			shards, found = append(shards, s.Shards...), true
		}
		e.Splits = append(e.Splits, s.Name)
	}
	if !found {
		return nil, e
	}
	return shards, nil
}

// known is what a dataset says of its records. Without the files that say it, or
// where they are of another program, records are printed all the same.
func (p place) known(m *Manifest, opt *InspectOptions) (knownRecord, error) {
	message, _ := m.Records()
	known := knownRecord{message: message}
	if opt.Record == nil {
		return known, nil
	}
	var files [2][]byte
	for i, name := range []string{ConfigName, ReaderName} {
		data, damage, err := p.readFile(name)
		switch {
		case err != nil:
			return known, err
		case damage != nil:
			opt.warn(damage.Error())
			return known, nil
		}
		files[i] = data
	}
	record, err := opt.Record(files[0], files[1])
	if err != nil {
		opt.warn(err.Error())
		return known, nil
	}
	record.Message = message
	return newKnownRecord(&record), nil
}

// warn says why the names of classes and the types of features are not known.
func (opt *InspectOptions) warn(text string) {
	if opt.Warn != nil {
		opt.Warn(text + "; records are printed without class names and types of the config")
	}
}

func (p place) inspectManifest() (*Manifest, error) {
	f, err := p.openThere(ManifestName)
	if err != nil {
		return nil, fmt.Errorf("no dataset: %s: %w", ManifestName, store.Cause(err))
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
func (p place) inspect(w io.Writer, name string, known knownRecord, framing tfrecord.Framing, opt InspectOptions, title func(path string)) error {
	f, err := p.openThere(name)
	if err != nil {
		return err
	}
	defer f.Close()
	title(p.path(name))
	in := bufio.NewReaderSize(f, 64<<10)
	head, err := in.Peek(detectSize)
	if err != nil && err != io.EOF {
		return fmt.Errorf("reading %s: %w", p.path(name), err)
	}
	found, _ := detect(head)
	found.framing = framing // somebody may have packed or unpacked it, but no more than that
	i := newInspection(w, known, opt)
	return i.flush(i.records(in, found.options(p.path(name))))
}

// openThere opens a file that has to be there, and a regular one.
func (p place) openThere(name string) (store.File, error) {
	if _, err := p.fs.Stat(p.path(name)); err != nil {
		return nil, err
	}
	f, damage, err := p.open(name)
	if damage != nil {
		err = &fs.PathError{Op: "open", Path: p.path(name), Err: errors.New(damage.Reason)}
	}
	return f, err
}

// An inspection prints records.
type inspection struct {
	shower
	opt InspectOptions
}

func newInspection(w io.Writer, known knownRecord, opt InspectOptions) *inspection {
	return &inspection{shower{w: bufio.NewWriter(w), knownRecord: known, form: opt.Form}, opt}
}

// flush writes what is not written yet, after a first error or nil.
func (i *inspection) flush(err error) error {
	if flushErr := i.w.Flush(); err == nil {
		err = flushErr
	}
	return err
}

// unknown prints a file that does not begin as a file of records: a bare message,
// or records that are damaged.
func (i *inspection) unknown(in io.Reader, how tfrecord.Options) error {
	data, err := io.ReadAll(io.LimitReader(in, maxBare+1))
	if err != nil {
		return fmt.Errorf("reading %s: %w", how.File, err)
	}
	if len(data) <= maxBare {
		switch {
		case message.KindOf(data) != message.None:
			return i.bare(data)
		case message.Is(message.OFRecord, data):
			i.message = schema.OFRecordMessage
			return i.bare(data)
		}
	}
	return i.records(io.MultiReader(bytes.NewReader(data), in), how)
}

// bare prints a message that is a file.
func (i *inspection) bare(data []byte) error {
	if i.opt.Skip > 0 {
		return nil
	}
	if err := i.parse(data); err != nil {
		return err
	}
	if i.form == TextForm {
		fmt.Fprintf(i.w, "a bare %v, %d bytes\n", i.kind, len(data))
	}
	return i.show(data)
}

// records prints records that are framed.
func (i *inspection) records(r io.Reader, how tfrecord.Options) error {
	in := newStream(r, how)
	for n := int64(0); i.opt.Limit <= 0 || n-i.opt.Skip < i.opt.Limit; n++ {
		var err error
		if n < i.opt.Skip {
			_, err = in.Copy(io.Discard)
		} else {
			err = i.next(in, how.File)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// next prints the next record.
func (i *inspection) next(in stream, name string) error {
	length, err := in.Length()
	switch {
	case err != nil:
		return err
	case length > tfrecord.MaxHeld && i.form != TextForm:
		return tooLong(name, in, length, "without -json its beginning is shown")
	case length > tfrecord.MaxHeld:
		return i.beginning(in, length)
	}
	payload, err := in.Next()
	if err != nil {
		return err
	}
	if err := i.parse(payload); err != nil {
		return fmt.Errorf("%s: record %d at byte %d: %w", name, in.Record(), in.Offset(), err)
	}
	if i.form == TextForm {
		i.heading(in, length, i.name())
	}
	return i.show(payload)
}

func (i *inspection) heading(in stream, length int64, name string) {
	fmt.Fprintf(i.w, "record %d at byte %d, %d bytes%s\n", in.Record(), in.Offset(), length, name)
}

// beginning prints how a record begins that is too long to be parsed.
func (i *inspection) beginning(in stream, length int64) error {
	var b beginning
	if _, err := in.Copy(&b); err != nil {
		return err
	}
	i.heading(in, length, "")
	_, err := fmt.Fprintf(i.w, "  not parsed, longer than %d MiB: %s… %d bytes\n", tfrecord.MaxHeld>>20, strconv.Quote(string(cutText(b, maxShownBytes))), length)
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
func tooLong(name string, records stream, length int64, hint string) error {
	return fmt.Errorf("%s: record %d at byte %d: it has %d bytes, and none of more than %d MiB is parsed; %s",
		name, records.Record(), records.Offset(), length, tfrecord.MaxHeld>>20, hint)
}
