package dataset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"tfr-build/arrayrecord"
	"tfr-build/tfrecord"
)

// maxDamages is how many damaged records of one file are named one by one.
const maxDamages = 10

// Checked says how much was read and how much of it is damaged.
type Checked struct {
	Files   int64
	Records int64 // whole ones
	Bytes   int64
	Damages int64 // reported
}

func (c *Checked) add(o Checked) {
	c.Files += o.Files
	c.Records += o.Records
	c.Bytes += o.Bytes
	c.Damages += o.Damages
}

// VerifyRecords reads one TFRecord file, compressed or not, and reports each
// record whose checksums are wrong, and where the file stops being one. Or it reads
// one ArrayRecord file, and reports all that is damaged of it; or one OFRecord file,
// which has no checksums, and reports what is no length or no whole message; it warns
// that more cannot be known. Of the options, Workers and Record are for datasets. The
// error is as that of [Verify].
func VerifyRecords(ctx context.Context, name string, opt VerifyOptions) (Checked, error) {
	p := newPlace("", &opt)
	f, err := p.fs.Open(name)
	if err != nil {
		return Checked{}, err
	}
	defer f.Close()
	if err := p.cool(f); err != nil {
		return Checked{}, err
	}
	counted := &counting{ctx: ctx, r: f}
	format, in, err := detectIn(counted, name)
	if err != nil {
		return Checked{}, fmt.Errorf("reading %s: %w", name, err)
	}
	if format.framing == tfrecord.OFRecord {
		opt.warn(withoutChecksums)
	}
	scan := recordScan{name: name, expected: Unknown, deep: opt.parseOnly(format.messages()...)}
	if err = scan.run(in, format); err == nil {
		_, err = io.Copy(io.Discard, in)
	}
	damages := append(scan.damages, scan.faults...)
	for _, d := range damages {
		opt.Report(d)
	}
	format.packing = scan.packing
	checked := Checked{Files: 1, Records: scan.records, Bytes: counted.n, Damages: int64(len(damages))}
	if err != nil || len(damages) == 0 || opt.Salvage == nil {
		return checked, err
	}
	saved, err := opt.Salvage.save(ctx, salvageJob{place: p, file: name, name: filepath.Base(name), expected: Unknown, format: format, deep: scan.deep})
	opt.tell(saved)
	return checked, err
}

const withoutChecksums = "this is an OFRecord file, which has no checksums: lengths and messages are checked, but a value that was changed goes unseen"

// detectIn tells the format of the file that r reads, damaged or not. The reader
// that it returns is at the file's beginning again.
func detectIn(r io.Reader, name string) (format, io.Reader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(detectSize)
	if err != nil && err != io.EOF {
		return format{}, nil, err
	}
	f, known := detect(head)
	switch {
	case known || len(head) == 0:
		return f, in, nil
	case strings.HasSuffix(name, ".gz"):
		return format{compression: tfrecord.Gzip}, in, nil
	}
	beginning, err := io.ReadAll(io.LimitReader(in, searched))
	if err == nil && holdsOFRecords(beginning) {
		f.framing = tfrecord.OFRecord
	}
	return f, io.MultiReader(bytes.NewReader(beginning), in), err
}

// A counting reader reads until its context ends.
type counting struct {
	ctx context.Context
	r   io.Reader
	n   int64
}

func (c *counting) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// A recordScan reads the records of one file.
type recordScan struct {
	name     string
	expected int64        // how many records there should be; or Unknown
	deep     *recordCheck // or nil
	records  int64        // whole ones that were read
	end      int64        // where the last of them ends, in the decompressed file
	extra    int64        // where the record after the last expected one begins; or 0
	damages  []*DamageError
	faults   []*DamageError // of whole records that are not what they should be
	hidden   struct{ damages, faults int }
	packing  arrayrecord.Compression // of the records of an ArrayRecord file
}

// run reads records until the file ends or cannot be read further. It returns
// only errors of r, and what is too long for deep.
func (s *recordScan) run(r io.Reader, f format) error {
	in := newStream(r, f.options(s.name))
	for {
		payload, err := s.next(in, f.framing)
		var corrupt *tfrecord.CorruptError
		if errors.As(err, &corrupt) {
			s.damage(corrupt)
			err = s.goOn(in, corrupt, f.framing)
			if err == nil {
				continue
			}
		}
		switch {
		case err == nil:
			s.record(in, payload)
		case err == io.EOF, errors.As(err, &corrupt):
			if array, ok := in.(*arrayrecord.Reader); ok {
				s.packing = array.Compression()
			}
			s.hide()
			return nil
		default:
			return err
		}
	}
}

// goOn goes on after damage. A length of an OFRecord file cannot be known to be
// right, so that a damaged record would end the reading of any such file: there
// the next whole record is searched for. In an ArrayRecord file that costs nothing.
func (s *recordScan) goOn(in stream, corrupt *tfrecord.CorruptError, framing tfrecord.Framing) error {
	switch {
	case corrupt.Skippable:
		return nil
	case framing != tfrecord.TFRecord:
		return in.Resync()
	}
	return corrupt
}

// next reads a record, and holds its payload only where that is to be looked at.
func (s *recordScan) next(in stream, framing tfrecord.Framing) (payload []byte, err error) {
	if s.deep == nil && framing == tfrecord.TFRecord {
		_, err = in.Copy(io.Discard)
		return nil, err
	}
	length, err := in.Length()
	switch {
	case err != nil:
		return nil, err
	case length <= tfrecord.MaxHeld:
		return in.Next()
	case s.deep != nil:
		return nil, tooLong(s.name, in, length, withoutDeep)
	}
	_, err = in.Copy(io.Discard)
	return nil, err
}

const withoutDeep = "without -deep its checksums, or its length, are checked"

// record takes note of a record whose checksums are right.
func (s *recordScan) record(in stream, payload []byte) {
	if s.records == s.expected {
		s.extra = in.Offset()
	}
	s.records++
	s.end = in.End()
	if s.deep == nil {
		return
	}
	feature, fault := s.deep.fault(payload)
	switch {
	case fault == "":
	case len(s.faults) == maxDamages:
		s.hidden.faults++
	default:
		d := recordDamage(s.name, in.Record(), in.Offset(), "%s", fault)
		d.Feature = feature
		s.faults = append(s.faults, d)
	}
}

func (s *recordScan) damage(c *tfrecord.CorruptError) {
	if len(s.damages) == maxDamages {
		s.hidden.damages++
		return
	}
	reason := c.Reason
	if c.Err != nil {
		reason += ": " + c.Err.Error()
	}
	s.damages = append(s.damages, recordDamage(s.name, c.Record, c.Offset, "%s", reason))
}

// hide says how many records are not named one by one.
func (s *recordScan) hide() {
	if n := s.hidden.damages; n > 0 {
		s.damages = append(s.damages, wholeFile(s.name, "%d more records are damaged", n))
	}
	if n := s.hidden.faults; n > 0 {
		s.faults = append(s.faults, wholeFile(s.name, "%d more records are not what they should be", n))
	}
}
