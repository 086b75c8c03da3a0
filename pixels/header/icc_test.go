package header_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/pixels/header"
)

func iccSegment(number, total byte, content string) string {
	return segment(0xe2, "ICC_PROFILE\x00"+string([]byte{number, total})+content)
}

// withProfile returns a WebP in the extended format with a profile.
func withProfile(t *testing.T, profile string) []byte {
	w := imagetest.Find(t, "x-image-testdata", "gopher-doc.1bpp.lossless.webp")
	f, err := header.Read(w, header.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	size := func(n int) string { return string([]byte{byte(n - 1), byte((n - 1) >> 8), 0}) }
	chunks := "WEBPVP8X\x0a\x00\x00\x00\x20\x00\x00\x00" + size(f.Width) + size(f.Height) +
		"ICCP" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(profile)))) + profile + string(w[12:])
	return []byte("RIFF" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(chunks)))) + chunks)
}

// TestICC checks that a broken profile is a warning only.
func TestICC(t *testing.T) {
	j := makeJPEG(t, picture(17, 13))
	jpeg := func(segments ...string) []byte { return splice(j, 2, 0, strings.Join(segments, "")) }
	png := func(profile string) []byte {
		return splice(makePNG(t, picture(9, 7)), 8+25, 0, pngChunk("iCCP", profile))
	}
	profile := strings.Repeat("p", 36) + "acsp" + strings.Repeat("p", 90)
	other := strings.Repeat("x", 130)
	for _, test := range []struct {
		name   string
		data   []byte
		broken bool
	}{
		{"one piece", jpeg(iccSegment(1, 1, profile)), false},
		{"two pieces", jpeg(iccSegment(1, 2, profile), iccSegment(2, 2, "more")), false},
		{"second piece missing", jpeg(iccSegment(1, 2, profile)), true},
		{"first piece missing", jpeg(iccSegment(2, 2, "more")), true},
		{"a piece twice", jpeg(iccSegment(1, 2, profile), iccSegment(1, 2, profile)), true},
		{"out of order", jpeg(iccSegment(2, 2, "more"), iccSegment(1, 2, profile)), true},
		{"other totals", jpeg(iccSegment(1, 2, profile), iccSegment(2, 3, "more")), true},
		{"no numbers", jpeg(segment(0xe2, "ICC_PROFILE\x00\x01")), true},
		{"another signature", jpeg(iccSegment(1, 1, other)), true},
		{"PNG", png("sRGB\x00\x00\x78\x9c\x03\x00"), false},
		{"PNG, no end of the name", png("sRGB"), true},
		{"PNG, no name", png("\x00\x00\x78\x9c\x03\x00"), true},
		{"PNG, another compression", png("sRGB\x00\x01\x78\x9c\x03\x00"), true},
		{"PNG, no zlib", png("sRGB\x00\x00abcd"), true},
		{"WebP", withProfile(t, profile), false},
		{"WebP, another signature", withProfile(t, other), true},
	} {
		f, err := header.Read(test.data, header.Limits{})
		if err == nil {
			err = f.Verify(test.data, header.Structure)
		}
		if err != nil || f.Warnings.Has(header.BadICC) != test.broken {
			t.Errorf("%s: %v, broken %t, want %t", test.name, err, f.Warnings.Has(header.BadICC), test.broken)
		}
	}
}
