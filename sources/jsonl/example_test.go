package jsonl_test

import (
	"fmt"

	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
	"tfr-build/sources/lines"
)

func Example() {
	data := []byte(`{"id": 1, "boxes": [{"label": "cat"}, {"label": "dog"}]}` + "\n\n" + `{"id": 2, "boxes": []}` +
		"\n")

	chunk := lines.Chunk{Rule: lines.Rule{Limit: 1 << 20, Space: " \t\r"}}
	chunk.Cut(data, 0, len(data))

	columns := []input.Bound{{Name: "id", Slot: 0}, {Name: "boxes.*.label", Slot: 1}}
	limits := jsonl.Limits{Limits: input.Limits{Record: 1 << 20, Depth: 100, Columns: 100}}
	paths, err := jsonl.Compile(columns, limits)
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
	// the file begins with an array; expected one object per line [JSONL_NOT_ONE_OBJECT_PER_LINE]
}
