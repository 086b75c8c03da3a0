package varint

import (
	"encoding/binary"
	"math"
	"testing"
)

// TestReader reads values of all kinds.
func TestReader(t *testing.T) {
	b := binary.AppendUvarint(nil, 300)
	b = binary.AppendVarint(b, -300)
	b = binary.AppendUvarint(b, 7)
	b = binary.AppendUvarint(b, 2)
	b = append(b, "ab"...)
	b = binary.LittleEndian.AppendUint64(append(b, 9), math.MaxUint64)
	r := NewReader(b)
	if n := r.Unsigned(); n != 300 {
		t.Errorf("got %d, want 300", n)
	}
	if n := r.Signed(); n != -300 {
		t.Errorf("got %d, want -300", n)
	}
	if n := r.Int(); n != 7 {
		t.Errorf("got %d, want 7", n)
	}
	if text := r.Take(r.Count(1)); string(text) != "ab" {
		t.Errorf("got %q, want ab", text)
	}
	if n := r.Byte(); n != 9 {
		t.Errorf("got %d, want 9", n)
	}
	if r.IsComplete() || r.Len() != 8 {
		t.Errorf("before the last value, %d bytes remain", r.Len())
	}
	if n := r.Fixed64(); n != math.MaxUint64 {
		t.Errorf("got %d, want %d", n, uint64(math.MaxUint64))
	}
	if !r.IsComplete() || r.IsDamaged() || r.Len() > 0 {
		t.Error("after the last value, the reader is not complete")
	}
}

// TestReaderOfDamage reads data that is damaged. All later values are zero.
func TestReaderOfDamage(t *testing.T) {
	tooLong := []byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 5}
	for name, read := range map[string]func(r *Reader){
		"unsigned":            func(r *Reader) { r.Unsigned() },
		"signed":              func(r *Reader) { r.Signed() },
		"count":               func(r *Reader) { *r = NewReader([]byte{3, 1, 2}); r.Count(1) },
		"count of large ones": func(r *Reader) { *r = NewReader([]byte{1, 1, 2}); r.Count(3) },
		"a negative int":      func(r *Reader) { *r = NewReader(binary.AppendUvarint(nil, math.MaxUint64)); r.Int() },
		"too many bytes":      func(r *Reader) { r.Take(13) },
		"fewer than no bytes": func(r *Reader) { r.Take(-1) },
		"fixed64":             func(r *Reader) { *r = NewReader(make([]byte, 7)); r.Fixed64() },
		"a byte of nothing":   func(r *Reader) { *r = NewReader(nil); r.Byte() },
	} {
		r := NewReader(tooLong)
		read(&r)
		if !r.IsDamaged() || r.IsComplete() || r.Len() > 0 {
			t.Errorf("%s: not damaged", name)
		}
		if r.Byte() != 0 || r.Unsigned() != 0 || r.Signed() != 0 || r.Int() != 0 || r.Count(1) != 0 ||
			r.Take(1) != nil {
			t.Errorf("%s: a value after the damage is not zero", name)
		}
	}
}
