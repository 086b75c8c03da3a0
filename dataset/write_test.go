package dataset

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"tfr-build/framing"
	"tfr-build/internal/testenv"
	"tfr-build/tfrecord"
)

// rewritten returns the result of Write for the output of Inspect.
func rewritten(t *testing.T, data []byte, opt WriteOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	lines := inspectString(t, data, InspectOptions{Form: ProtoForm})
	written, err := Write(t.Context(), &b, strings.NewReader(lines), "f", opt)
	if err != nil {
		t.Fatalf("%v, of\n%s", err, lines)
	}
	if n := int64(strings.Count(lines, "\n")); written.Records != n || written.Bytes != int64(b.Len()) {
		t.Errorf("%d records in %d bytes, and it says %v", n, b.Len(), written)
	}
	return b.Bytes()
}

// TestWriteWhatInspectPrints has records of every kind, and a line that is longer than a buffer.
func TestWriteWhatInspectPrints(t *testing.T) {
	long := example(t, map[string]values{"b": [][]byte{bytes.Repeat([]byte("long"), 100_000)}})
	payloads := append(inspectedPayloads(t), sequence(t, 3), long, []byte("\x0a\x00"))
	for _, c := range []tfrecord.Compression{tfrecord.None, tfrecord.Gzip, tfrecord.Zlib} {
		data, _ := shardFile(t, payloads, c)
		if got := rewritten(t, data, WriteOptions{Compression: c}); !bytes.Equal(got, data) {
			t.Errorf("%v: the file is another one", c)
		}
	}
	records := ofFile(ofRecord(0), ofRecord(100_000), ofRecord(1))
	for _, opt := range []WriteOptions{{}, {Framing: framing.Name("ofrecord").Format()}} {
		if got := rewritten(t, records, opt); !bytes.Equal(got, records) {
			t.Errorf("the OFRecord file is another one")
		}
	}
	for _, payload := range slices.Concat(payloads[:2], [][]byte{sequence(t, 2), sequence(t, 0), ofRecord(3),
		{0x0a, 0}}) {
		if got := rewritten(t, payload, WriteOptions{Framing: framing.Bare()}); !bytes.Equal(got, payload) {
			t.Errorf("%x became %x", payload, got)
		}
	}
	if got := rewritten(t, nil, WriteOptions{}); len(got) > 0 {
		t.Errorf("no record became %x", got)
	}
}

// TestWriteSkips has a byte order mark and blank lines.
func TestWriteSkips(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "\ufeff": 0, "\ufeff{}\n\n\r\n{}": 2, "\n{}\n": 1} {
		written, err := Write(t.Context(), io.Discard, strings.NewReader(text), "f", WriteOptions{})
		if err != nil || written.Records != want {
			t.Errorf("%q: %d records, %v; want %d", text, written.Records, err, want)
		}
	}
	if _, err := Write(t.Context(), io.Discard, strings.NewReader("{}\n\ufeff{}\n"), "f", WriteOptions{}); err == nil {
		t.Error("a byte order mark in the middle is taken")
	}
}

func TestWriteStops(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	failure := errors.New("no more")
	for _, c := range []struct {
		name string
		ctx  context.Context
		w    io.Writer
		r    io.Reader
		want error
	}{
		{"cancelled", cancelled, io.Discard, strings.NewReader("{}\n"), context.Canceled},
		{"unreadable", t.Context(), io.Discard, io.MultiReader(strings.NewReader("{}\n{"), iotest.ErrReader(failure)),
			failure},
		{"unwritable", t.Context(), brokenPipe{}, strings.NewReader("{}\n"), errPipe},
	} {
		if _, err := Write(c.ctx, c.w, c.r, "f", WriteOptions{}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	_, err := Write(t.Context(), io.Discard, strings.NewReader("\r\n\t\n{\"features\":{}}\n{\"features\":[]}"), "f",
		WriteOptions{})
	if want := `f:4:13: found "["; expected an object [TYPE]`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestWriteWrongKind has messages that the format of the file cannot store.
func TestWriteWrongKind(t *testing.T) {
	of, tf := framing.Name("ofrecord").Format(), framing.Default()
	record := inspectString(t, ofFile(ofRecord(1)), InspectOptions{Form: ProtoForm})
	for _, c := range []struct {
		name, text string
		opt        WriteOptions
		want       string
	}{
		{"an OFRecord for TFRecord", record, WriteOptions{Framing: tf},
			"f:1:1: found an OFRecord; expected an Example or a SequenceExample, for a TFRecord file [TYPE]"},
		{"an OFRecord, compressed", record, WriteOptions{Framing: of, Compression: tfrecord.Gzip},
			"f:1:1: found an OFRecord, whose files are not compressed [TYPE]"},
		{"an Example for OFRecord", "{\"features\":{}}\n", WriteOptions{Framing: of},
			"f:1:1: found an Example; expected an OFRecord, for an OFRecord file [TYPE]"},
		{"a SequenceExample for OFRecord", "{\"context\":{}}\n", WriteOptions{Framing: of},
			"f:1:1: found a SequenceExample; expected an OFRecord, for an OFRecord file [TYPE]"},
		{"bytes for OFRecord", "{\"payload\":\"bm8gbWVzc2FnZQ==\"}\n", WriteOptions{Framing: of},
			"f:1:1: found bytes that are not an OFRecord, for an OFRecord file [TYPE]"},
		{"nothing for OFRecord", "{\"payload\":\"\"}\n", WriteOptions{Framing: of},
			"f:1:1: an OFRecord without a feature, which OneFlow does not read [MISSING]"},
		{"no message, bare", "", WriteOptions{Framing: framing.Bare()},
			"f:1: no message; a bare file holds one [MISSING]"},
		{"two messages, bare", "{}\n{}\n", WriteOptions{Framing: framing.Bare()},
			"f:2:1: a second message; a bare file holds one [JSON_TRAILING]"},
	} {
		_, err := Write(t.Context(), io.Discard, strings.NewReader(c.text), "f", c.opt)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v\nwant %s", c.name, err, c.want)
		}
	}
}

// endless is a line without an end.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	e.read += int64(len(p))
	return len(p), nil
}

func TestWriteBoundsLines(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("has the longest line there may be")
	}
	in := &endless{}
	_, err := Write(t.Context(), io.Discard, in, "f", WriteOptions{})
	if want := "f:1: a line of more than 256 MiB [LIMIT_RECORD]"; err == nil || err.Error() != want ||
		in.read > tfrecord.MaxInMemory+1<<20 {
		t.Errorf("%v after %d bytes, want %s", err, in.read, want)
	}
}
