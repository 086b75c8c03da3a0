package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"tfr-build/dataset/provenance"
	"tfr-build/framing"
	"tfr-build/tfrecord"
)

// maxDamages is the maximum number of damaged records that are reported one by one per file.
const maxDamages = 10

// Checked has the amount of data that was read, and the number of damages.
type Checked struct {
	Files   int64
	Records int64 // intact records
	Bytes   int64
	Damages int64 // reported damages

	Statement *provenance.Statement // of a dataset; nil without one, or if it is damaged
}

func (c *Checked) add(o Checked) {
	c.Files += o.Files
	c.Records += o.Records
	c.Bytes += o.Bytes
	c.Damages += o.Damages
}

// VerifyRecords reads a TFRecord file, compressed or not, an ArrayRecord file, or an OFRecord
// file. It reports records with wrong checksums, and where the file becomes unreadable. An
// OFRecord file has no checksums: VerifyRecords reports invalid lengths and messages, and warns
// that it cannot check more. The options Workers and Record are ignored. It returns the same
// errors as [Verify].
func VerifyRecords(ctx context.Context, name string, opt VerifyOptions) (Checked, error) {
	p := newDirectory("", &opt)
	f, err := p.fs.Open(name)
	if err != nil {
		return Checked{}, err
	}
	defer f.Close()
	if err := p.dropCache(f); err != nil {
		return Checked{}, err
	}
	counted := &countingReader{ctx: ctx, r: f}
	format, in, err := detectIn(counted, name)
	if err != nil {
		return Checked{}, fmt.Errorf("reading %s: %w", name, err)
	}
	if !format.HasChecksums {
		opt.warn("this is " + format.Files + withoutChecksums)
	}
	scan := recordScan{name: name, expected: Unknown, deep: opt.parseOnly(format.messages()...)}
	if err = scan.run(in, format); err == nil {
		_, err = io.Copy(io.Discard, in)
	}
	damages := append(scan.damages, scan.problems...)
	for _, d := range damages {
		opt.Report(d)
	}
	if scan.inside != "" {
		format.inside = scan.inside
	}
	checked := Checked{Files: 1, Records: scan.records, Bytes: counted.n, Damages: int64(len(damages))}
	if err != nil || len(damages) == 0 || opt.Salvage == nil {
		return checked, err
	}
	saved, err := opt.Salvage.save(ctx, salvageJob{directory: p, file: name, name: filepath.Base(name),
		expected: Unknown, format: format, deep: scan.deep})
	opt.reportSalvaged(saved)
	return checked, err
}

const withoutChecksums = ", which has no checksums: lengths and messages are checked, but a value that was changed " +
	"goes unseen"

// detectIn returns the format of the file that r reads, even if it is damaged, and a reader that
// starts at the beginning again.
func detectIn(r io.Reader, name string) (f format, from io.Reader, err error) {
	in, head, err := peek(r)
	if err != nil {
		return f, nil, err
	}
	f, known := detect(head)
	switch {
	case known || len(head) == 0:
		return f, in, nil
	case strings.HasSuffix(name, ".gz"):
		f.compression = tfrecord.Gzip
		return f, in, nil
	}
	beginning, err := io.ReadAll(io.LimitReader(in, maxSearch))
	if err == nil {
		f = search(beginning)
	}
	return f, io.MultiReader(bytes.NewReader(beginning), in), err
}

// A countingReader counts bytes, and stops when its context ends.
type countingReader struct {
	ctx context.Context
	r   io.Reader
	n   int64
}

func (c *countingReader) Read(p []byte) (int, error) {
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
	expected int64        // expected number of records, or Unknown
	deep     *recordCheck // nil: records are not parsed
	records  int64        // intact records so far
	content  Content      // of them; only with deep
	end      int64        // offset of the end of the last one, in the decompressed file
	extra    int64        // offset of the first record beyond the expected ones, or 0
	damages  []*DamageError
	problems []*DamageError                  // records that are intact but invalid
	hidden   struct{ damages, problems int } // numbers beyond maxDamages
	inside   string                          // compression of single records that was found; may be empty
}

// run reads records until the file ends or becomes unreadable. It returns only errors of r, and
// the error of a record that is too long to parse.
func (s *recordScan) run(r io.Reader, f format) error {
	in := f.newReader(r, s.name)
	for {
		payload, err := s.next(in, f)
		var corrupt *tfrecord.CorruptError
		if errors.As(err, &corrupt) {
			s.addDamage(corrupt)
			err = s.skipDamage(in, corrupt, f)
			if err == nil {
				continue
			}
		}
		switch {
		case err == nil:
			s.addRecord(in, payload)
		case err == io.EOF, errors.As(err, &corrupt):
			if f.CompressionOf != nil {
				s.inside = f.CompressionOf(in)
			}
			s.addHidden()
			return nil
		default:
			return err
		}
	}
}

// skipDamage continues after damage. If the format says that this is cheap or necessary, it searches
// for the next intact record.
func (s *recordScan) skipDamage(in framing.Reader, corrupt *tfrecord.CorruptError, f format) error {
	switch {
	case corrupt.Skippable:
		return nil
	case f.Resumes:
		return in.Resync()
	}
	return corrupt
}

// next reads a record. It returns the payload only if something checks it.
func (s *recordScan) next(in framing.Reader, f format) (payload []byte, err error) {
	if s.deep == nil && f.HasChecksums {
		_, err = in.Copy(io.Discard)
		return nil, err
	}
	length, err := in.Length()
	switch {
	case err != nil:
		return nil, err
	case length <= tfrecord.MaxInMemory:
		return in.Next()
	case s.deep != nil:
		return nil, tooLong(s.name, in, length, withoutDeep)
	}
	_, err = in.Copy(io.Discard)
	return nil, err
}

// withoutDeep is the help for a record that is too long for -deep.
const withoutDeep = "without --deep its checksums, or its length, are checked"

// addRecord counts an intact record, and checks its content.
func (s *recordScan) addRecord(in framing.Reader, payload []byte) {
	if s.records == s.expected {
		s.extra = in.Offset()
	}
	s.records++
	s.end = in.End()
	if s.deep == nil {
		return
	}
	s.content.AddRecord(payload)
	feature, problem := s.deep.problem(payload)
	switch {
	case problem == "":
	case len(s.problems) == maxDamages:
		s.hidden.problems++
	default:
		d := recordDamage(s.name, in.Record(), in.Offset(), "%s", problem)
		d.Feature = feature
		s.problems = append(s.problems, d)
	}
}

func (s *recordScan) addDamage(c *tfrecord.CorruptError) {
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

// addHidden adds the numbers of damaged and invalid records that were not reported one by one.
func (s *recordScan) addHidden() {
	if n := s.hidden.damages; n > 0 {
		s.damages = append(s.damages, fileDamage(s.name, "%d more records are damaged", n))
	}
	if n := s.hidden.problems; n > 0 {
		s.problems = append(s.problems, fileDamage(s.name, "%d more records are not what they should be", n))
	}
}
