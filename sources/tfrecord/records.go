package records

import (
	"context"
	"fmt"

	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
	"tfr-build/tfrecord"
)

// Options are the keys of the kind `tfrecord`.
type Options struct {
	Files      input.Files `yaml:"files" required:"yes" doc:"File, pattern, or list of patterns." example:"'old/*.tfrecord'"`
	Root       string      `yaml:"root" is:"path" doc:"Directory that row addresses are relative to. Default: the part of the pattern before its first wildcard." example:"data"`
	Format     string      `yaml:"format" default:"tfrecord" enum:"tfrecord ofrecord array_record" doc:"Format of the files and records. Default: tfrecord."`
	AllowEmpty bool        `yaml:"allow_empty" default:"false" doc:"Accepts a source without rows. Default: false."`
}

// Patterns are those of the files.
func (o *Options) Patterns() []string { return o.Files.Patterns }

// EmptyAllowed reports whether no row at all is no fault.
func (o *Options) EmptyAllowed() bool { return o.AllowEmpty }

// payload is the column that is all of a record.
const payload = "record"

// Known is the payload: other columns only records tell, and each may be a list.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{From: "the records"})
	set.Add(column.Column{From: "the records", Type: "bytes", Content: true}, payload)
	set.Open, set.Lists = true, true
	return set
}

// Open lists the files.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	in := &recordInput{sys: env.Files, options: o, limit: env.Limits.Record, framing: tfrecord.TFRecord, message: message.Example}
	switch o.Format {
	case "ofrecord":
		in.framing, in.message = tfrecord.OFRecord, message.OFRecord
	case "array_record":
		in.isArray = true
	}
	var err error
	in.Files, err = table.List(ctx, &table.Spec{Files: o.Files, Root: o.Root, AllowEmpty: o.AllowEmpty}, env, in)
	return in, err
}

// A recordInput is files of records. It is their table.Finder, too.
type recordInput struct {
	*table.Files
	sys      *files.System
	options  *Options
	limit    int              // bytes of a payload
	framing  tfrecord.Framing // of rows, and of files but for those of ArrayRecord
	isArray  bool             // the files are ArrayRecord files
	message  message.Kind     // whose features are columns
	packings []packing        // by file
}

// Columns are those that records turn out to have.
func (in *recordInput) Columns() *column.Set { return in.options.Known() }

// Bind notes which features are wanted.
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
	return l.scanner, nil
}

// record is how long the record is that data begins with; ok is false where it is
// not whole, or none. Of a TFRecord no more than its header is looked at.
func (in *recordInput) record(data []byte) (size int, ok bool) {
	size, ok = in.framed(data)
	return size, ok && in.isWhole(data[:size])
}

// framed is how long the record is that data begins with, as its header says; ok is
// false where that is none, or data has less.
func (in *recordInput) framed(data []byte) (size int, ok bool) {
	size, ok = in.framing.Size(data)
	if in.framing == tfrecord.OFRecord {
		ok = ok && size-in.framing.Overhead() <= tfrecord.MaxHeld
	}
	return size, ok && size <= len(data)
}

// isWhole reports whether a record is whole whose header can be one. That of a
// TFRecord has a checksum; of an OFRecord only the message tells.
func (in *recordInput) isWhole(record []byte) bool {
	if in.framing == tfrecord.TFRecord {
		return true
	}
	payload, _ := in.framing.Payload(record)
	return message.Is(in.message, payload)
}

// tooLong is the fault of a record with a payload of size bytes.
func (in *recordInput) tooLong(size int64) *schema.RowError {
	return &schema.RowError{
		Code: "LIMIT_RECORD", At: -1, Hint: input.RecordHint(size),
		Message: fmt.Sprintf("the record has %d bytes, more than limits.record, %d", size, in.limit),
	}
}

// damaged is the fault of a record that is damaged, or of what stands where one
// should be.
func damaged(reason string) *schema.RowError {
	return &schema.RowError{Code: "RECORD_DAMAGED", At: -1, Message: reason, Damage: true}
}
