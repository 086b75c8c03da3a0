package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"

	"tfr-build/framing"
	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// maxBare is the maximum size of a file that is read as one bare message.
const maxBare = 64 << 20

// InspectOptions control what Inspect prints.
type InspectOptions struct {
	Store Store // nil: the operating system's file system
	Skip  int64 // number of records to skip
	Limit int64 // number of records to print; 0 means all
	Form  Form

	// Split is the split of a dataset to print; empty: all splits.
	Split string
	// Record returns the schema of a dataset's records from the content of ConfigName and the
	// manifest. With it, classes have names, and plain JSON has the types of the config. Without
	// it, and for files, only the payload is known.
	Record func(config []byte, m *Manifest) (schema.Record, error)
	// Warn gets the reason if Record was not called or failed. It may be nil.
	Warn func(text string)
}

// A SplitError says that a dataset has no such split.
type SplitError struct {
	Name   string
	Splits []string // the splits of the dataset
}

func (e *SplitError) Error() string { return fmt.Sprintf("no split %q", e.Name) }

// Inspect prints the records in r to w. It detects framing and compression. A file that consists
// of one serialized message is one record. A payload with feature lists is a SequenceExample; any
// other payload that parses as an Example is an Example. OFRecords are found in OFRecord files,
// and as bare messages that are neither. The Examples of an ExampleListWithContext are printed
// one by one.
//
// JSON has features in the order of the payload, and text sorts them by key. A record of more
// than [tfrecord.MaxInMemory] bytes is not kept in memory: text shows its beginning, and JSON returns
// an error.
func Inspect(w io.Writer, r io.Reader, name string, opt InspectOptions) error {
	in, head, err := peek(r)
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	format, known := detect(head)
	i := newInspection(w, knownRecord{message: format.message()}, opt)
	// A message begins with its first or second field, of bytes.
	isField := len(head) > 0 && (head[0] == 0x0a || head[0] == 0x12)
	if !known && isField {
		return i.flush(i.printUnknown(in, format, name))
	}
	return i.flush(i.printRecords(format.newReader(in, name), name))
}

// InspectDataset prints the records of the dataset in dir, or of one of its splits, as if they
// were in one file. As text, the number of rows that rules skipped comes first. InspectDataset
// calls title with the path of each shard before its records. If the dataset does not have the split, the
// error is a *SplitError.
func InspectDataset(w io.Writer, dir string, opt InspectOptions, title func(path string)) error {
	records, err := OpenDataset(opt.Store, dir)
	if err != nil {
		return err
	}
	m := records.Manifest
	only := slices.Index(records.Splits, opt.Split)
	if opt.Split != "" && only < 0 {
		return &SplitError{Name: opt.Split, Splits: records.Splits}
	}
	if text := SkippedText(m.Skipped()); text != "" && opt.Form == TextForm {
		fmt.Fprintf(w, "%s found: %s\n", plural.Of(m.Counts().Found, "row"), text)
	}
	known, err := records.directory.readKnownRecord(m, &opt)
	if err != nil {
		return err
	}
	limit := opt.Limit
	for i := range records.Files {
		shard := &records.Files[i]
		if only >= 0 && shard.Split != only {
			continue
		}
		if opt.Skip >= shard.Records { // the manifest has the count, so the file need not be read
			opt.Skip -= shard.Records
			continue
		}
		in, err := records.open(shard)
		if err != nil {
			return err
		}
		title(shard.Path)
		i := newInspection(w, known, opt)
		err = i.flush(i.printRecords(in, shard.Path))
		in.Close()
		if err != nil {
			return err
		}
		if opt.Limit -= shard.Records - opt.Skip; limit > 0 && opt.Limit <= 0 {
			return nil
		}
		opt.Skip = 0
	}
	return nil
}

// readKnownRecord returns what the dataset's files say about its records. If the files are
// missing or from another program, records are printed without it.
func (p directory) readKnownRecord(m *Manifest, opt *InspectOptions) (knownRecord, error) {
	message, _ := m.Records()
	known := knownRecord{message: message}
	if opt.Record == nil {
		return known, nil
	}
	config, damage, err := p.readFile(ConfigName)
	switch {
	case err != nil:
		return known, err
	case damage != nil:
		opt.warn(damage.Error())
		return known, nil
	}
	record, err := opt.Record(config, m)
	if err != nil {
		opt.warn(err.Error())
		return known, nil
	}
	record.Message = message
	return newKnownRecord(&record), nil
}

// warn reports why class names and feature types are unknown.
func (opt *InspectOptions) warn(text string) {
	if opt.Warn != nil {
		opt.Warn(text + "; records are printed without class names and types of the config")
	}
}

func (p directory) inspectManifest() (*Manifest, error) {
	f, err := p.openRegular(ManifestName)
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

// openRegular opens a file. It returns an error if the file is missing or not regular.
func (p directory) openRegular(name string) (StoreFile, error) {
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
	printer
	opt InspectOptions
}

func newInspection(w io.Writer, known knownRecord, opt InspectOptions) *inspection {
	return &inspection{printer{w: bufio.NewWriter(w), knownRecord: known, form: opt.Form}, opt}
}

// flush writes the buffered output, and returns err or the error of writing.
func (i *inspection) flush(err error) error {
	if flushErr := i.w.Flush(); err == nil {
		err = flushErr
	}
	return err
}

// printUnknown prints a file in an unknown format: a bare message, or damaged records.
func (i *inspection) printUnknown(in io.Reader, f format, name string) error {
	data, err := io.ReadAll(io.LimitReader(in, maxBare+1))
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	if len(data) <= maxBare {
		if kind := framing.BareMessage(data); kind != message.None {
			if m := schema.MessageOfKind(kind); m.IsImplied() {
				i.message = m
			}
			return i.printBare(data)
		}
	}
	return i.printRecords(f.newReader(io.MultiReader(bytes.NewReader(data), in), name), name)
}

// printBare prints a file that is one message.
func (i *inspection) printBare(data []byte) error {
	if i.opt.Skip > 0 {
		return nil
	}
	if err := i.parse(data); err != nil {
		return err
	}
	if i.form == TextForm {
		fmt.Fprintf(i.w, "a bare %v, %s\n", i.kind, plural.Of(len(data), "byte"))
	}
	return i.print(data)
}

// printRecords prints the records of a file.
func (i *inspection) printRecords(in framing.Reader, name string) error {
	for n := int64(0); i.opt.Limit <= 0 || n-i.opt.Skip < i.opt.Limit; n++ {
		var err error
		if n < i.opt.Skip {
			_, err = in.Copy(io.Discard)
		} else {
			err = i.printNext(in, name)
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

// printNext prints the next record.
func (i *inspection) printNext(in framing.Reader, name string) error {
	length, err := in.Length()
	switch {
	case err != nil:
		return err
	case length > tfrecord.MaxInMemory && i.form != TextForm:
		return tooLong(name, in, length, "without --json its beginning is shown")
	case length > tfrecord.MaxInMemory:
		return i.printBeginning(in, length)
	}
	payload, err := in.Next()
	if err != nil {
		return err
	}
	if err := i.parse(payload); err != nil {
		return fmt.Errorf("%s: record %d at byte %d: %w", name, in.Record(), in.Offset(), err)
	}
	if i.form == TextForm {
		i.printHeading(in, length, i.headingSuffix())
	}
	return i.print(payload)
}

func (i *inspection) printHeading(in framing.Reader, length int64, name string) {
	fmt.Fprintf(i.w, "record %d at byte %d, %s%s\n", in.Record(), in.Offset(), plural.Of(length, "byte"), name)
}

// printBeginning prints the first bytes of a record that is too long to parse.
func (i *inspection) printBeginning(in framing.Reader, length int64) error {
	var b beginning
	if _, err := in.Copy(&b); err != nil {
		return err
	}
	i.printHeading(in, length, "")
	_, err := fmt.Fprintf(i.w, "  not parsed, longer than %d MiB: %s… %d bytes\n", tfrecord.MaxInMemory>>20,
		strconv.Quote(string(truncate(b, maxShownBytes))), length)
	return err
}

// A beginning stores the first bytes that are written to it.
type beginning []byte

func (b *beginning) Write(p []byte) (int, error) {
	*b = append(*b, p[:min(len(p), maxShownBytes+1-len(*b))]...)
	return len(p), nil
}

// tooLong returns the error of a record that does not fit in memory. The stream has read its
// length.
func tooLong(name string, records framing.Reader, length int64, hint string) error {
	return fmt.Errorf("%s: record %d at byte %d: it has %d bytes, and none of more than %d MiB is parsed; %s",
		name, records.Record(), records.Offset(), length, tfrecord.MaxInMemory>>20, hint)
}
