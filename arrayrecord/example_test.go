package arrayrecord_test

import (
	"bytes"
	"fmt"
	"io"

	"tfr-build/arrayrecord"
)

func ExampleReader() {
	var file bytes.Buffer
	w, err := arrayrecord.NewWriter(&file, arrayrecord.Zstd)
	if err != nil {
		fmt.Println(err)
		return
	}
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
	r := arrayrecord.NewReader(&file, "train.array_record-00000-of-00001")
	for {
		payload, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("record %d: %s\n", r.Record(), payload)
	}
	// Output:
	// record 0: one
	// record 1: two
}

// The footer has the offset of each chunk, so a record is read without the chunks before it.
func ExampleFile_From() {
	var file bytes.Buffer
	w, err := arrayrecord.NewWriter(&file, arrayrecord.None)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 100 {
		if err := w.Write(fmt.Appendf(nil, "payload %d", i)); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	in := bytes.NewReader(file.Bytes())
	f, err := arrayrecord.OpenFile(in, in.Size(), "train.array_record-00000-of-00001")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := f.From(42)
	if err != nil {
		fmt.Println(err)
		return
	}
	payload, err := r.Next()
	fmt.Printf("record %d of %d: %s, %v\n", r.Record(), f.Records(), payload, err)
	// Output:
	// record 42 of 100: payload 42, <nil>
}
