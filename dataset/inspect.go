package dataset

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"google.golang.org/protobuf/proto"

	"tfr-build/schema/tfpb"
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
// long lists are cut.
func Inspect(w io.Writer, r io.Reader, name string, opt InspectOptions) error {
	out := bufio.NewWriter(w)
	err := inspect(out, r, name, opt)
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	return err
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
		if e := parseExample(data); e != nil && len(data) <= maxBare {
			return inspectBare(w, data, opt)
		}
		r = io.MultiReader(bytes.NewReader(data), in)
	}
	records := tfrecord.NewReader(r, tfrecord.Options{File: name, Compression: compression})
	for n := int64(0); opt.Limit <= 0 || n-opt.Skip < opt.Limit; n++ {
		payload, err := records.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if n < opt.Skip {
			continue
		}
		if !opt.JSON {
			fmt.Fprintf(w, "record %d at byte %d, %d bytes\n", n, records.Offset(), len(payload))
		}
		if err := printPayload(w, payload, opt.JSON); err != nil {
			return err
		}
	}
	return nil
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

// parseExample returns the Example in payload, or nil where it is none.
func parseExample(payload []byte) *tfpb.Example {
	var e tfpb.Example
	if proto.Unmarshal(payload, &e) != nil || len(e.ProtoReflect().GetUnknown()) > 0 {
		return nil
	}
	if features := e.GetFeatures(); features != nil && len(features.ProtoReflect().GetUnknown()) > 0 {
		return nil
	}
	return &e
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
	e := parseExample(payload)
	if !asJSON {
		return printText(w, payload, e)
	}
	var line any = node{"payload": payload}
	if e != nil {
		line = exampleJSON(e)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(line)
}
