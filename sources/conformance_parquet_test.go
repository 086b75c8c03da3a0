package sources

import (
	"encoding/base64"

	"tfr-build/sources/input"
	"tfr-build/sources/parquet"
)

// unbase64 is what a text of base64 stands for, which this package holds.
func unbase64(text string) string {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// Files of pyarrow: one of two row groups with dictionaries, in which a text is not
// UTF-8, and one with a list, whose columns are in another order.
const parquetA = "" +
	"UEFSMRUEFRAVFEwVAhUAEgAACBwBAAAAAAAAABUAFRIVFiwVBBUQFQYVBhwAAAAJIAIAAAADAQECABUEFRQVGEwVBBUAEgAACiQBAAAAYQEAAA" +
	"D/FQAVEhUWLBUEFRAVBhUGHAAAAAkgAgAAAAQBAQMCFQQVEBUUTBUCFQASAAAIHAMAAAAAAAAAFQAVEhUWLBUCFRAVBhUGHAAAAAkgAgAAAAIB" +
	"AQIAFQQVDBUQTBUCFQASAAAGFAIAAADDqRUAFRIVFiwVAhUQFQYVBhwAAAAJIAIAAAACAQECABUEGTw1ABgGc2NoZW1hFQQAFQQlAhgBeAAVDC" +
	"UCGAFzJQBMHAAAABYGGSwZLCYAHBUEGTUABhAZGAF4FQIWBBZkFmwmOCYIKSwVBBUAFQIAFQAVEBUCADwpBhkmAgIAAAAmABwVDBk1AAYQGRgB" +
	"cxUCFgQWaBZwJqgBJnQpLBUEFQAVAgAVABUQFQIAPBYEGQYZJgAEAAAAFswBFgQmCBbcAQAZLCYAHBUEGTUABhAZGAF4FQIWAhZkFmwmlAIm5A" +
	"EpLBUEFQAVAgAVABUQFQIAPCkGGSYAAgAAACYAHBUMGTUABhAZGAFzFQIWAhZgFmgm/AIm0AIpLBUEFQAVAgAVABUQFQIAPBYEGQYZJgACAAAA" +
	"FsQBFgIm5AEW1AEAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRksHAAAHAAAAEoBAABQQVIx"

const parquetB = "" +
	"UEFSMRUAFRYVGiwVBBUAFQYVBhwAAAALKAIAAAADAQEAAABmFQAVIhUmLBUEFQAVBhUGHAAAABFAAgAAAAQAAwAAAAMHAAAAwD8VABUsFTAsFQ" +
	"QVABUGFQYcAAAAFlQCAAAABAEGAAAAAAAAAAcAAAAAAAAAFQQZbDUAGAZzY2hlbWEVBgAVDCUCGAFzJQBMHAAAADUCGAFsFQIVBkw8AAAANQQY" +
	"BGxpc3QVAgAVCCUCGAdlbGVtZW50ABUEJQIYAXgAFgQZHBk8JgAcFQwZJQYAGRgBcxUCFgQWPBZAJghJHBUAFQAVAgA8FgIZBhkmAgIAAAAmAB" +
	"wVCBklBgAZOAFsBGxpc3QHZWxlbWVudBUCFgQWSBZMJkhJHBUAFQAVAgA8KSYEABlGAAIAAgAAACYAHBUEGSUGABkYAXgVAhYEFlIWViaUAUkc" +
	"FQAVABUCADwpBhkmAAQAAAAW1gEWBCYIFuIBACggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4wLjEZPBwAABwAABwAAAAfAQAAUEFSMQ" +
	"=="

func parquetSample() sample {
	return sample{
		name: "two files", columns: []string{"x", "s"}, inside: true,
		options: &parquet.Options{Files: patterns([]string{"**/*.parquet"})},
		hostile: parquetHostile,
		first:   "in/a.parquet", row: "x",
		files: map[string]string{"in/a.parquet": unbase64(parquetA), "in/b.parquet": unbase64(parquetB)},
		rows: []string{"in/a.parquet:0:0 [1]|a", "in/a.parquet:1:1 UTF8_INVALID", "in/a.parquet:2:2 [3]|é",
			"in/b.parquet:0:0 [6]|f", "in/b.parquet:1:1 [7]|-"},
	}
}

func parquetLists() sample {
	return sample{
		name: "lists", columns: []string{"l", "x"}, inside: true,
		options: &parquet.Options{Files: input.Files{Patterns: []string{"*.parquet"}}},
		first:   "b.parquet", row: "x",
		files: map[string]string{"b.parquet": unbase64(parquetB)},
		rows:  []string{"b.parquet:0:0 [1.5]|[6]", "b.parquet:1:1 []|[7]"},
	}
}
