package csv_test

import (
	"fmt"

	"tfr-build/schema"
	"tfr-build/sources/csv"
	"tfr-build/sources/table"
)

// A file is cut in chunks, here of 8 bytes, and its rows are then read in any
// order.
func Example() {
	data := []byte("name,note\nAda,\"first\nline\"\nBob,\n")
	format := csv.Format{Quotes: true, Header: true}
	head, bad, _ := format.Start(data, true)
	if bad != nil {
		fmt.Println(bad)
		return
	}
	const size = 8
	var chunks []csv.Chunk
	var places []int
	for lo := head.First; lo < len(data); lo += size {
		var c csv.Chunk
		format.Scan(data, lo, min(lo+size, len(data)), &c)
		chunks = append(chunks, c)
	}
	_, _, check := format.Stitch(data, head.First, len(head.Names) == 1, chunks)
	for i := range chunks {
		for _, start := range chunks[i].Starts() {
			places = append(places, head.First+i*size+int(start))
		}
	}
	scanner := format.NewScanner()
	vals := make([]schema.Value, 2)
	for _, at := range []int{places[1], places[0]} {
		if _, err := scanner.Scan(data[at:], []int32{0, 1}, vals, check); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %q\n", vals[0].Text, vals[1].Text)
	}
	// Output:
	// Bob ""
	// Ada "first\nline"
}

// A stream is cut record by record in a window that grows when it must.
func ExampleCutter() {
	stream := []byte("1,a\n2,\"b\"x\n\n3,c")
	cutter := csv.Format{Quotes: true}.NewCutter(false)
	for size := 2; len(stream) > 0; {
		window := stream[:min(size, len(stream))]
		n, kind, bad, more := cutter.Next(window, len(window) == len(stream))
		switch {
		case more:
			size *= 2
			continue
		case bad != nil:
			fmt.Printf("%q: %v\n", window[:n], bad)
		case kind == table.Row:
			fmt.Printf("%q\n", window[:n])
		}
		stream = stream[n:]
	}
	// Output:
	// "1,a\n"
	// "2,\"b\"x\n": text after a closing quote; within quotes a quote is written twice [CSV_QUOTE]
	// "3,c"
}
