package arrayrecord

import "fmt"

// A Compression is the compression of the records of a file. Each record is compressed separately.
type Compression uint8

// The compressions.
const (
	None Compression = iota
	Zstd
)

// The first byte of the data of a chunk of records.
const (
	uncompressedData = 0
	zstdData         = 'z'
)

// String returns "none" or "zstd".
func (c Compression) String() string { return [...]string{"none", "zstd"}[c] }

// ParseCompression returns the Compression whose String is name, or an error.
func ParseCompression(name string) (Compression, error) {
	for _, c := range []Compression{None, Zstd} {
		if c.String() == name {
			return c, nil
		}
	}
	return None, fmt.Errorf("unknown compression %q; expected none or zstd", name)
}

// zstdWindow is the binary logarithm of the window size. Other writers use the same.
const zstdWindow = 20

// options returns the writer options in the footer, in the syntax of other writers.
func (c Compression) options() string {
	kind := "uncompressed"
	if c == Zstd {
		kind = "zstd:3,window_log:20"
	}
	return "group_size:1,transpose:false,pad_to_block_boundary:false," + kind + ",max_parallelism:1"
}
