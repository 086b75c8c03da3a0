package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io"

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
// record whose checksums are wrong, and where the file stops being one. The
// error is that of r.
func VerifyRecords(r io.Reader, name string, report func(*DamageError)) (Checked, error) {
	counter := &countingReader{r: r}
	in := bufio.NewReaderSize(counter, 64<<10)
	head, err := in.Peek(12)
	if err != nil && err != io.EOF {
		return Checked{}, fmt.Errorf("reading %s: %w", name, err)
	}
	scan := recordScan{name: name, wanted: Unknown}
	err = scan.run(in, tfrecord.Detect(head))
	if err == nil {
		_, err = io.Copy(io.Discard, in)
	}
	for _, d := range scan.damages {
		report(d)
	}
	return Checked{Files: 1, Records: scan.records, Bytes: counter.n, Damages: int64(len(scan.damages))}, err
}

type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// A recordScan reads the records of one file.
type recordScan struct {
	name    string
	wanted  int64 // how many records there should be; or Unknown
	records int64 // whole ones that were read
	end     int64 // where the last of them ends, in the decompressed file
	extra   int64 // where the record after the last wanted one begins; or 0
	damages []*DamageError
}

// run reads records until the file ends or cannot be read further. It returns
// only errors of r.
func (s *recordScan) run(r io.Reader, c tfrecord.Compression) error {
	in := tfrecord.NewReader(r, tfrecord.Options{File: s.name, Compression: c})
	for hidden := 0; ; {
		payload, err := in.Next()
		var corrupt *tfrecord.CorruptError
		switch {
		case err == nil:
			if s.records == s.wanted {
				s.extra = in.Offset()
			}
			s.records++
			s.end = in.Offset() + int64(len(payload)) + tfrecord.Overhead
			continue
		case err == io.EOF:
			s.hide(hidden)
			return nil
		case !errors.As(err, &corrupt):
			return err
		}
		if len(s.damages) < maxDamages {
			s.damages = append(s.damages, s.damage(corrupt))
		} else {
			hidden++
		}
		if !corrupt.Skippable {
			s.hide(hidden)
			return nil
		}
	}
}

func (s *recordScan) damage(c *tfrecord.CorruptError) *DamageError {
	reason := c.Reason
	if c.Err != nil {
		reason += ": " + c.Err.Error()
	}
	return &DamageError{File: s.name, Record: c.Record, Offset: c.Offset, Reason: reason}
}

func (s *recordScan) hide(hidden int) {
	if hidden > 0 {
		s.damages = append(s.damages, wholeFile(s.name, "%d more records are damaged", hidden))
	}
}
