package framing_test

import (
	"bytes"
	"fmt"

	"tfr-build/framing"
)

func Example() {
	f, _ := framing.ByName("array_record")
	var file bytes.Buffer
	w, err := f.NewWriter(&file, "zstd")
	if err != nil {
		panic(err)
	}
	for _, payload := range []string{"one", "two"} {
		if err := w.Write([]byte(payload)); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}

	head := file.Bytes()[:framing.DetectSize]
	found := framing.Detect(head, int64(file.Len()))
	r := found.NewReader(&file, framing.ReadOptions{})
	for {
		payload, err := r.Next()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s\n", found.Title, payload)
	}
	// Output:
	// ArrayRecord: one
	// ArrayRecord: two
	// EOF
}
