package raster

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"testing"
)

// inflated decompresses all of data, n bytes at a time.
func inflated(z *inflater, data []byte, n int) (all []byte, rest int, err error) {
	if err := z.reset(data); err != nil {
		return nil, 0, err
	}
	for {
		piece, err := z.next(n)
		if err == io.ErrUnexpectedEOF && z.block == afterLast {
			break
		}
		if err != nil {
			return nil, 0, err
		}
		all = append(all, piece...)
	}
	left, err := z.next(z.write - z.read)
	if err != nil {
		return nil, 0, err
	}
	all = append(all, left...)
	_, rest, err = z.end()
	return all, rest, err
}

// compressed at each level and strategy, from nothing to more than two windows.
func compressedSamples() (list [][]byte) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 10, 257, 258, 259, 1000, 32767, 32768, 32769, 70000, 200000} {
		for kind := range 5 {
			data := make([]byte, n)
			for i := range data {
				switch kind {
				case 0: // zeros
				case 1:
					data[i] = byte(r.Uint32())
				case 2: // strings that come again, near and far
					if i > 300 && r.IntN(20) > 0 {
						data[i] = data[i-1-i%7*41]
					} else {
						data[i] = byte(r.IntN(20))
					}
				case 4: // from as far as it goes
					data[i] = byte(r.Uint32())
					if i >= 32768 {
						data[i] = data[i-32768]
					}
				case 3: // codes of very different lengths
					data[i] = byte(min(r.ExpFloat64()*8, 255))
				}
			}
			for _, level := range []int{flate.HuffmanOnly, 0, 1, 6, 9} {
				var b bytes.Buffer
				w, _ := zlib.NewWriterLevel(&b, level)
				_, _ = w.Write(data)
				_ = w.Close()
				list = append(list, b.Bytes())
			}
		}
	}
	return list
}

// TestInflate compares the inflater with the standard library's, with several read sizes.
func TestInflate(t *testing.T) {
	var z inflater
	for i, data := range compressedSamples() {
		r, err := zlib.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		want, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 97, 5000, 100000} {
			if n == 1 && len(want) > 5000 {
				continue
			}
			got, rest, err := inflated(&z, append(data, "rest"...), n)
			if err != nil || rest != 4 || !bytes.Equal(got, want) {
				t.Fatalf("%d, in pieces of %d: %d bytes and %d more, %v; want %d", i, n, len(got), rest, err, len(want))
			}
		}
		for _, cut := range []int{0, 1, 2, 5, len(data) / 2, len(data) - 5, len(data) - 4, len(data) - 1} {
			if _, _, err := inflated(&z, data[:max(0, min(cut, len(data)-1))], 97); err != io.ErrUnexpectedEOF {
				t.Errorf("%d, cut to %d of %d: %v", i, cut, len(data), err)
			}
		}
		bad := bytes.Clone(data)
		bad[len(bad)-1]++
		if _, _, err := inflated(&z, bad, 97); err != errChecksum {
			t.Errorf("%d, with another checksum: %v", i, err)
		}
	}
}

// A bitWriter writes bits, the first one lowest.
type bitWriter struct {
	data []byte
	n    int
}

func (w *bitWriter) put(v, n int) *bitWriter {
	for i := range n {
		if w.n%8 == 0 {
			w.data = append(w.data, 0)
		}
		w.data[w.n/8] |= byte(v>>i&1) << (w.n % 8)
		w.n++
	}
	return w
}

// codes begins a block with dynamic codes: the number of literals and distances, and the
// code-length code's lengths, in lengthOrder.
func codes(literals, distances int, lengths ...int) *bitWriter {
	w := new(bitWriter).put(5, 3).put(literals-257, 5).put(distances-1, 5).put(len(lengths)-4, 4)
	for _, n := range lengths {
		w.put(n, 3)
	}
	return w
}

// TestInflateErrors has a stream for each error.
func TestInflateErrors(t *testing.T) {
	block := func(w *bitWriter) string { return "\x78\x9c" + string(w.data) + "\x00\x00\x00\x00\x00\x00\x00\x00" }
	// 1 and 18, zeros, have codes of one bit.
	oneAndZeros := []int{0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}
	for _, test := range []struct {
		name string
		data string
		want error
	}{
		{"no header", "\x79\x9c\x03\x00\x00\x00\x00\x01", errZlibHeader},
		{"a header with a wrong check", "\x78\x9d\x03\x00\x00\x00\x00\x01", errZlibHeader},
		{"a dictionary", "\x78\xbb\x03\x00\x00\x00\x00\x01", errZlibHeader},
		{"kind 3", block(new(bitWriter).put(7, 3)), errBlockType},
		{"a stored length", "\x78\x9c\x01\x02\x00\xfd\xfe12\x00\x96\x00\x64", errStoredLength},
		{"a distance before the beginning", block(new(bitWriter).put(3, 3).put(0x0c, 8).put(0x40, 7).put(0x10, 5)), errDistance},
		{"287 literals", block(codes(287, 1, oneAndZeros...)), errCodeLengths},
		{"31 distances", block(codes(257, 31, oneAndZeros...)), errCodeLengths},
		{"three codes of one bit", block(codes(257, 1, 1, 1, 1, 0)), errCodeLengths},
		{"one code of two bits", block(codes(257, 1, 2, 0, 0, 0).put(3, 2)), errCodeLengths},
		{"no end", block(codes(257, 1, oneAndZeros...).put(0, 1).put(0, 1).put(1, 1).put(127, 7).put(1, 1).put(107, 7)), errCodeLengths},
		{"a repetition of nothing", block(codes(257, 1, 1, 0, 0, 1).put(1, 1).put(0, 2)), errCodeLengths},
	} {
		_, _, err := inflated(new(inflater), []byte(test.data), 1)
		if err != test.want {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
}

// FuzzInflate checks that data decompresses like in the standard library, if that accepts it, and
// that no data makes the inflater panic or allocate much memory.
func FuzzInflate(f *testing.F) {
	for _, data := range compressedSamples() {
		if len(data) < 3000 {
			f.Add(data, uint16(97))
		}
	}
	var z inflater
	f.Fuzz(func(t *testing.T, data []byte, n uint16) {
		if len(data) > 1<<14 {
			return
		}
		n |= 63 // in few pieces: there may be many megabytes
		got, rest, err := inflated(&z, data, int(n))
		if err == errChecksum { // make it right, to see what the data is
			data = bytes.Clone(data)
			binary.BigEndian.PutUint32(data[z.at:], z.checksum.Sum32())
			got, rest, err = inflated(&z, data, int(n))
		}
		if len(z.out) > 2*window+1<<16+maxWrite {
			t.Errorf("%d bytes of memory", len(z.out))
		}
		source := bytes.NewReader(data)
		r, goErr := zlib.NewReader(source)
		if goErr != nil {
			if err == nil {
				t.Errorf("decompressed; Go: %v", goErr)
			}
			return
		}
		want, goErr := io.ReadAll(r)
		switch {
		case goErr != nil && err == nil:
			t.Errorf("decompressed to %d bytes; Go: %v", len(got), goErr)
		case goErr == nil && err != nil:
			t.Errorf("%v; Go decompresses to %d bytes", err, len(want))
		case goErr == nil && (!bytes.Equal(got, want) || rest != source.Len()):
			t.Errorf("%d bytes and %d more; Go has %d and %d", len(got), rest, len(want), source.Len())
		}
	})
}
