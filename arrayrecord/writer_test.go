package arrayrecord

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

// written returns a file of records.
func written(t *testing.T, c Compression, records ...string) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := NewWriter(&file, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := w.Write([]byte(r)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestUpstream writes the test files of google/array_record.
func TestUpstream(t *testing.T) {
	for records, want := range map[string]string{
		"0 1 2 3 4": "09711a18831aca78d4af4b09975009a069b0f73ea281fc7ac8ac03872e443f31",
		"5 6 7 8 9": "35184dd1d4577803dc897ee063d19d6747b719fcb07e243047cf166a0ed32fcd",
	} {
		sum := sha256.Sum256(written(t, None, strings.Fields(records)...))
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("the file of %s has the SHA-256 %s, want %s", records, got, want)
		}
	}
}

func TestFirstChunk(t *testing.T) {
	file := written(t, None, "a", "bc")
	want := strings.ReplaceAll("49677d3fd32e60c1 0400000000000000 4016508269ed9877 7201000000000000 0100000000000000 "+
		"00010161", " ", "")
	if got := hex.EncodeToString(file[SignatureSize:][:44]); got != want {
		t.Errorf("the first chunk is %s, want %s", got, want)
	}
	if len(file) != 2*blockSize {
		t.Errorf("the file has %d bytes, want %d", len(file), 2*blockSize)
	}
}
