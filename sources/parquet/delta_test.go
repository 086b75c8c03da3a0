package parquet

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/format"

	"tfr-build/internal/parquettest"
)

// TestDeltasEnd decodes integers of all widths, followed by other bytes. Deltas that end at any earlier
// byte are an error: the library would read zeros.
func TestDeltasEnd(t *testing.T) {
	for _, n := range []int{0, 1, 2, 33, 129, 300} {
		for bits := range 64 {
			list, plain := make([]int64, n), []byte(nil)
			for i := range list {
				list[i] = int64(i*i*7919) << bits
				plain = binary.LittleEndian.AppendUint64(plain, uint64(list[i]))
			}
			data, err := new(delta.BinaryPackedEncoding).EncodeInt64(nil, list)
			if err != nil {
				t.Fatal(err)
			}
			got, rest, err := decodeDeltas(append(slices.Clone(data), "rest"...), n, 8)
			if err != nil || string(rest) != "rest" || !slices.Equal(got, plain) {
				t.Fatalf("%d values of %d bits: %x, %q after them, %v; want %x", n, bits, got, rest, err, plain)
			}
			for end := range data {
				if got, _, err := decodeDeltas(data[:end:end], n, 8); err == nil {
					t.Fatalf("%d values of %d bits are %x without their last %d bytes", n, bits, got, len(data)-end)
				}
			}
		}
	}
}

// TestInvalidDeltas refuses pages of a few bytes with invalid deltas, or with as many values as memory
// does not hold, before memory for them is allocated.
func TestInvalidDeltas(t *testing.T) {
	const many = 1 << 24
	numbers := func(numbers ...uint64) (data []byte) {
		for _, n := range numbers {
			data = binary.AppendUvarint(data, n)
		}
		return data
	}
	// equal returns deltas of 0, whose header claims count values in blocks of 128.
	equal := func(count, first uint64) []byte { return append(numbers(128, 4, count, first), 0, 0, 0, 0, 0) }
	wide := func(width byte) []byte {
		return append(append(numbers(128, 4, 3, 0), 0, width, 0, 0, 0), make([]byte, 4*int(width))...)
	}
	large := append(numbers(1<<16, 4, many, 0), 0, 0, 0, 0, 0)
	prefixes := append(numbers(128, 4, 3, 0), 2, 1, 0, 0, 0, 255, 255, 255, 255)
	for name, c := range map[string]struct {
		typ    format.Type
		e      format.Encoding
		values int
		data   []byte
		code   string
	}{
		"many values":  {format.Int64, format.DeltaBinaryPacked, many, large, "PARQUET_UNSUPPORTED"},
		"many lengths": {format.ByteArray, format.DeltaLengthByteArray, many, large, "PARQUET_UNSUPPORTED"},
		"more values":  {format.Int64, format.DeltaBinaryPacked, 3, equal(1<<31-1, 0), "PARQUET_DAMAGED"},
		"more suffixes": {format.ByteArray, format.DeltaByteArray, 3, append(equal(3, 0), equal(1<<31-1, 0)...),
			"PARQUET_DAMAGED"},
		"no parts": {format.Int64, format.DeltaBinaryPacked, 3, numbers(128, 0, 3, 0, 0, 0, 0),
			"PARQUET_DAMAGED"},
		"uneven parts": {format.Int64, format.DeltaBinaryPacked, 3, numbers(256, 3, 3, 0, 0, 0, 0),
			"PARQUET_DAMAGED"},
		"a wide delta":      {format.Int64, format.DeltaBinaryPacked, 3, wide(65), "PARQUET_DAMAGED"},
		"a wide length":     {format.ByteArray, format.DeltaLengthByteArray, 3, wide(33), "PARQUET_DAMAGED"},
		"a negative length": {format.ByteArray, format.DeltaLengthByteArray, 3, equal(3, 1), "PARQUET_DAMAGED"},
		"long strings":      {format.ByteArray, format.DeltaLengthByteArray, 3, equal(3, 1<<31), "PARQUET_DAMAGED"},
		"long prefixes": {format.ByteArray, format.DeltaByteArray, 3,
			append(append(prefixes, equal(3, 2)...), "abc"...), "PARQUET_DAMAGED"},
		"shared prefixes": {format.ByteArray, format.DeltaByteArray, 3, append(equal(3, 1<<30), equal(3, 0)...),
			"PARQUET_UNSUPPORTED"},
	} {
		t.Run(name, func(t *testing.T) {
			page := parquettest.Page{Type: c.typ, Encoding: c.e, Values: c.data,
				Repeats: []parquettest.Run{run(0, c.values)}, Levels: []parquettest.Run{run(3, c.values)}}
			data := parquettest.File(c.values, parquettest.Column{Name: "x", Pages: []parquettest.Page{page}})
			in, err := openLimited(t, t.TempDir(), 1000, data)
			if err != nil {
				t.Fatal(err)
			}
			before := allocated()
			if rows, err := sequential(t, in, "x"); code(err) != c.code {
				t.Errorf("%d rows, %v; want %s", len(rows), err, c.code)
			}
			if n := allocated() - before; n > 1<<20 {
				t.Errorf("%d bytes were allocated", n)
			}
		})
	}
}
