package segment

import "testing"

func TestFindMarker(t *testing.T) {
	for _, tt := range []struct {
		data   string
		marker byte
		end    int
		isJunk bool
	}{
		{"\xff\xd9", EOI, 2, false},
		{"\xff\xff\xff\xda\x00", SOS, 4, false},
		{"ab\xff\xd8", SOI, 4, true},
		{"\xff\x00\xff\xdd", DRI, 4, true},
		{"\xff\xff\x00ab\xff\x01", TEM, 7, true},
		{"", 0, -1, false},
		{"\xff\xff", 0, -1, false},
	} {
		if marker, end, isJunk := FindMarker([]byte(tt.data), 0); marker != tt.marker || end != tt.end ||
			isJunk != tt.isJunk {
			t.Errorf("%x: marker %x, end %d, junk %t", tt.data, marker, end, isJunk)
		}
	}
}

func TestMarkers(t *testing.T) {
	frames, restarts, bare := 0, 0, 0
	for i := range 256 {
		if IsFrame(byte(i)) {
			frames++
		}
		if IsRestart(byte(i)) {
			restarts++
		}
		if !HasLength(byte(i)) {
			bare++
		}
	}
	if frames != 13 || restarts != 8 || bare != 11 { // bare: restarts, SOI, EOI, TEM
		t.Errorf("%d frames, %d restarts, %d markers without a length", frames, restarts, bare)
	}
}

func TestHeaders(t *testing.T) {
	f := Frame("\x08\x01\x02\x03\x04\x02\x01\x21\x00\x07\x12\x03")
	if !f.IsComplete() || f[:11].IsComplete() || f[:5].IsComplete() {
		t.Error("the size of the frame header is wrong")
	}
	if f.Precision() != 8 || f.Height() != 0x102 || f.Width() != 0x304 || f.Components() != 2 ||
		f.Component(1) != (Component{ID: 7, H: 1, V: 2, Quantizer: 3}) {
		t.Errorf("%d bits, %d x %d, %d components, %+v", f.Precision(), f.Width(), f.Height(), f.Components(),
			f.Component(1))
	}
	s := Scan("\x02\x01\x00\x07\x12\x00\x3f\x00")
	if id, dc, ac := s.Component(1); s.Components() != 2 || id != 7 || dc != 1 || ac != 2 {
		t.Errorf("%d components, the last one is %d with the tables %d and %d", s.Components(), id, dc, ac)
	}
	if transform, ok := Adobe([]byte("Adobe\x00\x64\x00\x00\x00\x00\x02")); !ok || transform != 2 {
		t.Errorf("Adobe's segment: %d, %t", transform, ok)
	}
	if _, ok := Adobe([]byte("Adobe\x00\x64")); ok {
		t.Error("a short segment is Adobe's")
	}
}
