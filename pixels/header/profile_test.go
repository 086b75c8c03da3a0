package header_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"tfr-build/internal/imagetest"
	"tfr-build/pixels/header"
)

// makeProfile returns an ICC profile of a color space from pairs of name and content.
func makeProfile(space string, tags ...string) string {
	head := make([]byte, 128)
	copy(head[16:], space)
	copy(head[36:], "acsp")
	list := binary.BigEndian.AppendUint32(nil, uint32(len(tags)/2))
	at := 132 + 12*len(tags)/2
	content := ""
	for i := 0; i < len(tags); i += 2 {
		list = append(list, tags[i]...)
		list = binary.BigEndian.AppendUint32(list, uint32(at+len(content)))
		list = binary.BigEndian.AppendUint32(list, uint32(len(tags[i+1])))
		content += tags[i+1]
	}
	return string(head) + string(list) + content
}

func be32(numbers ...float64) string {
	var b []byte
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(n*65536))))
	}
	return string(b)
}

func xyz(x, y, z float64) string { return "XYZ \x00\x00\x00\x00" + be32(x, y, z) }

func gamma(g float64) string {
	return "curv\x00\x00\x00\x00\x00\x00\x00\x01" + string(binary.BigEndian.AppendUint16(nil, uint16(g*256)))
}

func description(text string) string {
	return "desc\x00\x00\x00\x00" + string(binary.BigEndian.AppendUint32(nil, uint32(len(text)+1))) + text + "\x00"
}

func descriptionInUTF16(text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.BigEndian.AppendUint16(b, u)
	}
	size := binary.BigEndian.AppendUint32(nil, uint32(len(b)))
	return "mluc\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0cenUS" + string(size) + "\x00\x00\x00\x1c" + string(b)
}

// rgbProfile returns a profile with the primaries of sRGB, or those given, and one curve.
func rgbProfile(curve string, more ...string) string {
	tags := []string{"rTRC", curve, "gTRC", curve, "bTRC", curve}
	if len(more) == 0 || more[0] != "rXYZ" {
		tags = append(tags, "rXYZ", xyz(0.43607, 0.22249, 0.01392), "gXYZ", xyz(0.38515, 0.71687, 0.09708), "bXYZ",
			xyz(0.14307, 0.06061, 0.71410))
	}
	return makeProfile("RGB ", append(tags, more...)...)
}

func TestIsSRGB(t *testing.T) {
	srgb := gamma(2.2)
	adobe := []string{"rXYZ", xyz(0.60974, 0.31111, 0.01947), "gXYZ", xyz(0.20528, 0.62567, 0.06087), "bXYZ",
		xyz(0.14919, 0.06322, 0.74457)}
	p3 := []string{"rXYZ", xyz(0.51512, 0.24120, -0.00105), "gXYZ", xyz(0.29198, 0.69225, 0.04189), "bXYZ",
		xyz(0.15710, 0.06657, 0.78407)}
	for _, test := range []struct {
		name    string
		profile string
		want    bool
	}{
		{"sRGB", rgbProfile(srgb), true},
		{"Adobe RGB", rgbProfile(gamma(2.2), adobe...), false},
		{"Display P3", rgbProfile(srgb, p3...), false},
		{"one primary off", rgbProfile(srgb, "rXYZ", xyz(0.43607, 0.22249, 0.01392), "gXYZ",
			xyz(0.38515, 0.71687, 0.09708), "bXYZ", xyz(0.14307, 0.06061, 0.720)), false},
		{"a name", makeProfile("RGB ", "desc", description("sRGB v4 preference")), true},
		{"a name in UTF-16", makeProfile("RGB ", "desc", descriptionInUTF16("sRGB v4 preference")), true},
		{"another name", makeProfile("RGB ", "desc", description("Adobe RGB (1998)")), false},
		{"no tags", makeProfile("RGB "), false},
		{"grey, gamma 2.2", makeProfile("GRAY", "desc", descriptionInUTF16("Generic Gray Gamma 2.2 Profile")), true},
		{"grey, sRGB", makeProfile("GRAY", "desc", description("sRGB gray")), true},
		{"grey, dots", makeProfile("GRAY", "desc", description("Dot Gain 20%")), false},
		{"grey, no name", makeProfile("GRAY"), false},
		{"CMYK", makeProfile("CMYK", "desc", description("sRGB")), false},
		{"cut short", makeProfile("RGB ", "desc", description("x"))[:131], true},
		{"no profile", strings.Repeat("x", 300), true},
	} {
		half := len(test.profile) / 2
		for format, data := range map[string][]byte{
			"JPEG": splice(makeJPEG(t, picture(9, 7)), 2, 0, iccSegment(1, 1, test.profile)),
			"JPEG, in pieces": splice(makeJPEG(t, picture(9, 7)), 2, 0,
				iccSegment(1, 2, test.profile[:half])+iccSegment(2, 2, test.profile[half:])),
			"PNG": splice(makePNG(t, picture(9, 7)), 8+25, 0,
				pngChunk("iCCP", "name\x00\x00"+zlibbed(test.profile))),
			"WebP": withProfile(t, test.profile),
			"TIFF": withTIFFProfile(test.profile),
		} {
			f, err := header.Read(data, header.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if got := f.IsSRGB(); got != test.want {
				t.Errorf("%s in a %s: %t", test.name, format, got)
			}
		}
	}
}

// withTIFFProfile returns a TIFF with a profile, of bytes without a meaning. makeTIFF writes it as shorts.
func withTIFFProfile(profile string) []byte {
	const number = "\x73\x87\x03\x00" // of the tag, and the type of its values
	values := make([]uint32, (len(profile)+1)/2)
	for i, b := range []byte(profile) {
		values[i/2] |= uint32(b) << (i % 2 * 8)
	}
	data := makeTIFF("12345678", 0, grayTags(tag{34675, values})...)
	at := bytes.Index(data, []byte(number))
	return splice(data, at+2, 6, "\x07\x00"+string(binary.LittleEndian.AppendUint32(nil, uint32(len(profile)))))
}

func zlibbed(text string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.String()
}

// TestIsSRGBWithoutProfile reads an sRGB chunk next to a profile, a profile with broken chunks,
// and images without profile.
func TestIsSRGBWithoutProfile(t *testing.T) {
	other := makeProfile("RGB ")
	for name, data := range map[string][]byte{
		"sRGB chunk": splice(makePNG(t, picture(9, 7)), 8+25, 0,
			pngChunk("iCCP", "n\x00\x00"+zlibbed(other))+pngChunk("sRGB", "\x00")),
		"no zlib":    splice(makePNG(t, picture(9, 7)), 8+25, 0, pngChunk("iCCP", "n\x00\x00\x78\x9c\xff\xff")),
		"broken":     splice(makeJPEG(t, picture(9, 7)), 2, 0, iccSegment(2, 2, other)),
		"JPEG":       makeJPEG(t, picture(9, 7)),
		"GIF":        makeGIF(t, 1),
		"BMP":        makeBMP(t, picture(9, 7)),
		"lossy WebP": imagetest.Find(t, "made", "RGB-lossy.webp"),
		"plain PNG":  makePNG(t, picture(9, 7)),
		"bomb in PNG": splice(makePNG(t, picture(9, 7)), 8+25, 0,
			pngChunk("iCCP", "n\x00\x00"+zlibbed(strings.Repeat("x", 40<<20)))),
	} {
		f, err := header.Read(data, header.Limits{})
		if err != nil {
			t.Fatal(name, err)
		}
		if !f.IsSRGB() {
			t.Errorf("%s: no sRGB", name)
		}
	}
}
