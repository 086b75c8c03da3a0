package compress

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
	"testing/iotest"
)

// TestAppendExactly reads streams that have fewer, as many, and more bytes than they claim.
func TestAppendExactly(t *testing.T) {
	broken := errors.New("broken")
	for _, size := range []int{0, 1, 4095, 4096 + TrustedRatio*3, 100_000} {
		content := bytes.Repeat([]byte("0123456789"), size/10+1)[:size]
		for _, c := range []struct {
			in   io.Reader
			size int
			want error
		}{
			{bytes.NewReader(content), size, nil},
			{iotest.DataErrReader(bytes.NewReader(content)), size, nil},
			{iotest.HalfReader(bytes.NewReader(append(content, 'x'))), size, ErrLong},
			{io.MultiReader(bytes.NewReader(content), iotest.ErrReader(broken)), size, broken},
			{io.MultiReader(bytes.NewReader(content), iotest.ErrReader(broken)), size + 1, broken},
			{bytes.NewReader(content), size + 5000, io.EOF},
		} {
			got, err := AppendExactly([]byte("before"), c.in, 3, c.size)
			if err == io.ErrUnexpectedEOF {
				err = io.EOF
			}
			if err != c.want || string(got) != "before"+string(content) {
				t.Errorf("%d bytes of %d: %v, and %d bytes; want %v", c.size, size, err, len(got), c.want)
			}
		}
	}
}

// TestClaimedSize reads a short stream that claims a gigabyte. Memory is allocated for what arrives.
func TestClaimedSize(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := AppendExactly(nil, bytes.NewReader(make([]byte, 20_000)), 10, 1<<30)
	if runtime.ReadMemStats(&after); err == nil || after.TotalAlloc-before.TotalAlloc > 256<<10 {
		t.Errorf("%d bytes were allocated, %v", after.TotalAlloc-before.TotalAlloc, err)
	}
}
