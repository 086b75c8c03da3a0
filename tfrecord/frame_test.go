package tfrecord_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"math/bits"
	"strings"
	"testing"

	"tfr-build/tfrecord"
)

// tutorial is the Example that TensorFlow's own tutorial serializes.
const tutorial = "0a520a110a08666561747572653012051a030a01000a110a08666561747572653112051a030a0104" +
	"0a140a08666561747572653212080a060a04676f6174" +
	"0a140a086665617475726533120812060a045bd37c3f"

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// vectors are records that other programs wrote.
var vectors = []struct{ name, payload, framed string }{
	{"empty", "", "0000000000000000 29039807 d8ea82a2"},
	{"foo", "666f6f", "0300000000000000 b099490e 666f6f 618abefe"},
	{"one digit", "31", "0100000000000000 0175de41 31 c30c4ad6"},
	{"tutorial", tutorial, "5400000000000000 5f514587" + tutorial + "b524e9be"},
}

func TestAppendVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			payload, want := unhex(t, v.payload), unhex(t, v.framed)
			if got := tfrecord.TFRecord.Append(nil, payload); !bytes.Equal(got, want) {
				t.Errorf("Append gives %x, want %x", got, want)
			}
			got := tfrecord.TFRecord.Begin([]byte("before"))
			got = tfrecord.TFRecord.End(append(got, payload...), len("before"))
			if !bytes.Equal(got, append([]byte("before"), want...)) {
				t.Errorf("Begin and End give %x, want what was before and %x", got, want)
			}
		})
	}
}

func TestTutorialDigest(t *testing.T) {
	const want = "f5444e76c0670439274ff85c1969b5d0cda08b4e941e9ef1b4dca83bf3abb2c1"
	if got := sha256.Sum256(tfrecord.TFRecord.Append(nil, unhex(t, tutorial))); hex.EncodeToString(got[:]) != want {
		t.Errorf("the framed record has the SHA-256 %x, want %s", got, want)
	}
}

func TestMorrisSequence(t *testing.T) {
	var file []byte
	for _, s := range []string{"1", "1 1", "2 1", "1 2 1 1", "1 1 1 2 2 1"} {
		file = tfrecord.TFRecord.Append(file, []byte(s))
	}
	if len(file) != 105 {
		t.Errorf("five records take %d bytes, want 105", len(file))
	}
	checkRecords(t, file, tfrecord.None, "1", "1 1", "2 1", "1 2 1 1", "1 1 1 2 2 1")
}

// TestLengths compares the headers of lengths of all sizes with the definition.
func TestLengths(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 255, 256, 257, 65535, 65536, 65537, 1 << 20, 1<<24 - 1, 1 << 24,
		1<<24 + 1} {
		payload := bytes.Repeat([]byte{byte(n), 7}, n/2+1)[:n]
		framed := tfrecord.TFRecord.Append(nil, payload)
		if len(framed) != n+tfrecord.TFRecord.Overhead() {
			t.Fatalf("%d bytes are framed in %d", n, len(framed))
		}
		length := binary.LittleEndian.Uint64(framed)
		crc := crc32.Checksum(framed[:8], crc32.MakeTable(crc32.Castagnoli))
		if want := bits.RotateLeft32(crc, 17) + 0xa282ead8; length != uint64(n) ||
			binary.LittleEndian.Uint32(framed[8:]) != want {
			t.Errorf("the header for %d bytes is %x, want the checksum %08x", n, framed[:12], want)
		}
	}
}

func TestFramingAllocatesNothing(t *testing.T) {
	payload := unhex(t, tutorial)
	buf := make([]byte, 0, 1024)
	if n := testing.AllocsPerRun(100, func() { buf = tfrecord.TFRecord.Append(buf[:0], payload) }); n != 0 {
		t.Errorf("Append allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() {
		buf = tfrecord.TFRecord.Begin(buf[:0])
		buf = tfrecord.TFRecord.End(append(buf, payload...), 0)
	}); n != 0 {
		t.Errorf("Begin and End allocate %v times", n)
	}
	var batch tfrecord.Batch
	if n := testing.AllocsPerRun(100, func() {
		buf = buf[:0]
		for range 5 {
			buf = batch.End(append(batch.Begin(buf), payload...))
		}
		batch.Seal(buf)
	}); n != 0 {
		t.Errorf("a Batch allocates %v times", n)
	}
}

// TestBatch compares batches of every size with records that are framed one by one. It cancels each
// third record.
func TestBatch(t *testing.T) {
	for size := range 40 {
		var batch tfrecord.Batch
		buf, want := []byte("before"), []byte("before")
		for i := range 100 {
			payload := bytes.Repeat([]byte{byte(i)}, i*7%50)
			buf = append(batch.Begin(buf), payload...)
			if i%3 == 0 {
				buf = batch.Cancel(buf)
			} else {
				buf = batch.End(buf)
				want = tfrecord.TFRecord.Append(want, payload)
			}
			if size > 0 && i%size == 0 {
				batch.Seal(buf)
			}
		}
		if batch.Seal(buf); !bytes.Equal(buf, want) {
			t.Fatalf("a batch of %d records has other bytes", size)
		}
	}
}

// TestBatchReset discards a buffer whose records are not sealed.
func TestBatchReset(t *testing.T) {
	var batch tfrecord.Batch
	batch.End(append(batch.Begin(nil), "dropped"...))
	batch.Reset()
	buf := batch.End(append(batch.Begin(nil), "kept"...))
	if batch.Seal(buf); !bytes.Equal(buf, frame("kept")) {
		t.Errorf("the next record is framed as %x", buf)
	}
}

func BenchmarkAppend(b *testing.B) {
	payload := unhex(b, tutorial)
	buf := make([]byte, 0, 128)
	b.SetBytes(int64(len(payload)))
	b.ReportAllocs()
	for b.Loop() {
		buf = tfrecord.TFRecord.Append(buf[:0], payload)
	}
}

func BenchmarkBatch(b *testing.B) {
	payload := unhex(b, tutorial)
	buf := make([]byte, 0, 4096)
	var batch tfrecord.Batch
	b.SetBytes(int64(16 * len(payload)))
	b.ReportAllocs()
	for b.Loop() {
		buf = buf[:0]
		for range 16 {
			buf = batch.End(append(batch.Begin(buf), payload...))
		}
		batch.Seal(buf)
	}
}

func BenchmarkEnd(b *testing.B) {
	buf := append(tfrecord.TFRecord.Begin(nil), unhex(b, tutorial)...)
	buf = append(buf, 0, 0, 0, 0)[:len(buf)]
	b.ReportAllocs()
	for b.Loop() {
		tfrecord.TFRecord.End(buf, 0)
	}
}
