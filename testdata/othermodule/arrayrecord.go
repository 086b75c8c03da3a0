package main

import (
	"bytes"
	"fmt"

	"tfr-build/arrayrecord"
)

// printRecord writes an ArrayRecord file, and reads one record without those before it.
func printRecord(number int64) error {
	var file bytes.Buffer
	w, err := arrayrecord.NewWriter(&file, arrayrecord.Zstd)
	if err != nil {
		return err
	}
	for i := range 1000 {
		if err := w.Write(fmt.Appendf(nil, "payload %d", i)); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	in := bytes.NewReader(file.Bytes())
	f, err := arrayrecord.OpenFile(in, in.Size(), "words.array_record")
	if err != nil {
		return err
	}
	r, err := f.From(number)
	if err != nil {
		return err
	}
	payload, err := r.Next()
	if err != nil {
		return err
	}
	_, err = fmt.Printf("record %d of %d is %q\n", r.Record(), f.Records(), payload)
	return err
}
