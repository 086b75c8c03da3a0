package jsonl_test

import (
	"fmt"

	"tfr-build/schema"
	"tfr-build/sources/jsonl"
)

func Example() {
	data := []byte(`{"id": 1, "boxes": [{"label": "cat"}, {"label": "dog"}]}` + "\n\n" + `{"id": 2, "boxes": []}` + "\n")

	var chunk jsonl.Chunk
	chunk.Cut(data, 0, len(data), 1<<20)

	paths, err := jsonl.Compile([]string{"id", "boxes.*.label"}, nil, jsonl.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	scanner := paths.NewScanner()
	vals := make([]schema.Value, 2)
	for _, start := range chunk.Starts {
		if _, err := scanner.Scan(data[start:], vals, !chunk.Valid); err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s:", vals[0].Text)
		for _, label := range vals[1].List {
			fmt.Printf(" %s", label.Text)
		}
		fmt.Println()
	}
	// Output:
	// 1: cat dog
	// 2:
}

func ExampleStart() {
	_, err := jsonl.Start([]byte("[\n  {\"id\": 1},\n"), false)
	fmt.Println(err)
	// Output:
	// the file begins with an array, want one object per line (jq -c '.[]' makes it) [JSONL_NOT_ONE_OBJECT_PER_LINE]
}

func ExampleCutter() {
	cutter := jsonl.Cutter{Limit: 16}
	window := []byte("{\"a\": 1}\n\n{\"a\": \"longer than the limit\"}\n{}")
	for len(window) > 0 {
		n, blank, _ := cutter.Next(window, true)
		fmt.Printf("%q blank=%t\n", window[:n], blank)
		window = window[n:]
	}
	// Output:
	// "{\"a\": 1}\n" blank=false
	// "\n" blank=true
	// "{\"a\": \"longer than the limit\"}\n" blank=false
	// "{}" blank=false
}
