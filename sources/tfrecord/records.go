package tfrecord

import (
	"context"
	"fmt"

	"tfr-build/framing"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
	"tfr-build/tfrecord"
)

// Options are the config keys of the source type `tfrecord`.
type Options struct {
	input.Files `yaml:"files" required:"yes" doc:"File, pattern, or list of patterns." example:"'old/*.tfrecord'"`
	input.Rooted
	Format framing.Name `yaml:"format" default:"tfrecord" doc:"Format of the files and records. Default: tfrecord."`
	input.MayBeEmpty
}

// Check reports formats that another source type reads. See [convert.Spec.Check] for valid and report.
func (o *Options) Check(valid func(keys ...string) bool, report func(key, hint, text string)) {
	if valid("format") && o.Format.Format().HasSamples {
		report("format", "tar: {files: …}", "found "+string(o.Format)+"; the source type tar reads such files")
	}
}

// payload is the column with all bytes of a record.
const payload = "record"

// Known returns an open set with the payload. Only records have other columns, and each may be a
// list.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{From: "the records"})
	set.Add(column.Column{From: "the records", Type: "bytes", Content: true}, payload)
	set.Open, set.Lists = true, true
	return set
}

// Open lists the files and returns them as an input.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	format := o.Format.Format()
	in := &recordInput{limit: env.Limits.Record, format: format, frames: format.Frames,
		message: schema.ImpliedMessage(format.Message).Kind()}
	return in, in.List(ctx, o, env, in)
}

// A recordInput reads files of records. It is also their table.Finder.
type recordInput struct {
	table.Files
	limit    int              // maximum length of a payload in bytes
	format   *framing.Format  // of the files
	frames   tfrecord.Framing // of rows
	message  message.Kind     // the message whose features are columns
	packings []packing        // by file
}

// Bind records which features are used.
func (in *recordInput) Bind(columns []input.Bound) (input.Layout, error) {
	l := &layout{in: in, features: map[string]int{}}
	for _, c := range columns {
		if c.Name == payload {
			l.payload = append(l.payload, c.Slot)
			continue
		}
		l.slots = append(l.slots, c.Slot)
		l.features[c.Name] = c.Slot
	}
	return l.newScanner, nil
}

// recordSize returns the length of the record that data begins with. If it is not a complete
// record, ok is false. If records have checksums, only the header is read.
func (in *recordInput) recordSize(data []byte) (size int, ok bool) {
	size, ok = in.framedSize(data)
	return size, ok && in.isComplete(data[:size])
}

// framedSize returns the length of the record that data begins with, according to its header. If
// the header is invalid, or data is shorter, ok is false.
func (in *recordInput) framedSize(data []byte) (size int, ok bool) {
	size, ok = in.frames.Size(data)
	if !in.format.HasChecksums {
		ok = ok && size-in.frames.Overhead() <= tfrecord.MaxInMemory
	}
	return size, ok && size <= len(data)
}

// isComplete reports whether a record whose header may be valid is a record. If the header has no
// checksum, the message is checked.
func (in *recordInput) isComplete(record []byte) bool {
	if in.format.HasChecksums {
		return true
	}
	payload, _ := in.frames.Payload(record)
	return message.Is(in.message, payload)
}

// tooLongError returns the error of a record with a payload of size bytes.
func (in *recordInput) tooLongError(size int64) *schema.RowError {
	return &schema.RowError{
		Code: "LIMIT_RECORD", At: -1, Hint: input.RecordHint(size),
		Message: fmt.Sprintf("the record has %d bytes, more than limits.record, %d", size, in.limit),
	}
}

// damagedError returns the error of a damaged record, or of other bytes in place of a record.
func damagedError(reason string) *schema.RowError {
	return &schema.RowError{Code: "RECORD_DAMAGED", At: -1, Message: reason, Damage: true}
}
