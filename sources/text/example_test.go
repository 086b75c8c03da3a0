package text_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/text"
)

// The lines of a file are read one after another.
func Example() {
	dir, err := os.MkdirTemp("", "text")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("one\r\n\ntwo\n"), 0o666); err != nil {
		fmt.Println(err)
		return
	}

	options := &text.Options{Files: input.Files{Patterns: []string{"*.txt"}}, SkipBlank: true}
	in, err := options.Open(context.Background(), &input.Env{
		Resolve: func(path string) string { return filepath.Join(dir, path) },
		Limits:  input.Limits{Record: 1 << 20},
	})
	if err == nil {
		err = in.ReadHeads(context.Background())
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	layout, err := in.Bind([]input.Bound{{Name: "text", Slot: 0}})
	if err != nil {
		fmt.Println(err)
		return
	}
	scanner, vals := layout(input.NewObservations(), false), make([]schema.Value, 1)
	err = input.EachRow(context.Background(), in, 0, func(rec *input.Record) error {
		_, err := scanner.Scan(0, rec.Offset, rec.Raw, vals)
		fmt.Printf("line %d: %s\n", rec.Line, vals[0].Text)
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// line 1: one
	// line 3: two
}
