package tfrecord_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"tfr-build/tfrecord"
)

// A record is framed in place: its payload is not copied.
func ExampleFraming_End() {
	var buf []byte
	for _, payload := range []string{"foo", "ba"} {
		start := len(buf)
		buf = tfrecord.TFRecord.Begin(buf)
		buf = append(buf, payload...) // any code that appends the payload
		buf = tfrecord.TFRecord.End(buf, start)
	}
	fmt.Println(len(buf) == len("foo")+len("ba")+2*tfrecord.TFRecord.Overhead())
	// Output: true
}

// Framing a dozen short records at once is faster.
func ExampleBatch() {
	var buf []byte
	var batch tfrecord.Batch
	for _, payload := range []string{"foo", "ba"} {
		buf = batch.Begin(buf)
		buf = append(buf, payload...) // any code that appends the payload
		buf = batch.End(buf)
	}
	batch.Seal(buf)
	r := tfrecord.NewReader(bytes.NewReader(buf), tfrecord.Options{})
	for payload, err := r.Next(); err == nil; payload, err = r.Next() {
		fmt.Printf("%s ends at %d\n", payload, r.End())
	}
	// Output:
	// foo ends at 19
	// ba ends at 37
}

func ExampleAppend() {
	fmt.Printf("%x\n", tfrecord.TFRecord.Append(nil, []byte("foo")))
	// Output: 0300000000000000b099490e666f6f618abefe
}

func ExampleWriter() {
	var file bytes.Buffer
	w := tfrecord.NewWriter(&file, tfrecord.TFRecord, tfrecord.Gzip)
	for _, payload := range []string{"one", "two"} {
		if err := w.Write([]byte(payload)); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tfrecord.Detect(file.Bytes()))
	// Output: gzip
}

func ExampleReader() {
	file := tfrecord.TFRecord.Append(tfrecord.TFRecord.Append(nil, []byte("one")), []byte("two"))
	r := tfrecord.NewReader(bytes.NewReader(file), tfrecord.Options{File: "train-00000-of-00001"})
	for {
		payload, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("record %d at byte %d: %s\n", r.Record(), r.Offset(), payload)
	}
	// Output:
	// record 0 at byte 0: one
	// record 1 at byte 19: two
}

func ExampleCorruptError() {
	file := tfrecord.TFRecord.Append(tfrecord.TFRecord.Append(nil, []byte("one")), []byte("two"))
	r := tfrecord.NewReader(bytes.NewReader(file[:30]), tfrecord.Options{File: "train-00000-of-00001"})
	var err error
	for err == nil {
		_, err = r.Next()
	}
	fmt.Println(err)
	var corrupt *tfrecord.CorruptError
	if errors.As(err, &corrupt) {
		fmt.Println("records that are complete:", corrupt.Record)
	}
	// Output:
	// train-00000-of-00001: record 1 at byte 19: the file ends within its header, after 11 bytes of the record
	// records that are complete: 1
}
