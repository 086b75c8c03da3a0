package arrayrecord

import "fmt"

// A Compression says how the records of a file are compressed, each by itself.
type Compression uint8

// The compressions.
const (
	None Compression = iota
	Zstd
)

// The byte that the data of a chunk of records begins with.
const (
	uncompressedData = 0
	zstdData         = 'z'
)

// String returns "none" or "zstd".
func (c Compression) String() string { return [...]string{"none", "zstd"}[c] }

// ParseCompression returns the Compression that String calls name.
func ParseCompression(name string) (Compression, error) {
	for _, c := range []Compression{None, Zstd} {
		if c.String() == name {
			return c, nil
		}
	}
	return None, fmt.Errorf("unknown compression %q; expected none or zstd", name)
}

// zstdWindow is the log of the window, which is also what other writers choose.
const zstdWindow = 20

// options is what a footer says of how the file was written, in the words of other
// writers.
func (c Compression) options() string {
	kind := "uncompressed"
	if c == Zstd {
		kind = "zstd:3,window_log:20"
	}
	return "group_size:1,transpose:false,pad_to_block_boundary:false," + kind + ",max_parallelism:1"
}
