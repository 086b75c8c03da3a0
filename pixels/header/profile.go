package header

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"

	"github.com/klauspost/compress/zlib"
)

// IsSRGB reports whether the image is in sRGB, which is the case if it has:
//
//   - no ICC profile,
//   - a profile with the primaries of sRGB,
//   - a profile whose name begins with sRGB, or a gray profile whose name has "Gamma 2.2", or
//   - a profile so broken that programs ignore it.
//
// An sRGB chunk in a PNG is enough by itself. Curves are not read: no profile of a photo was found that
// has these primaries and other curves. The chunks gAMA and cHRM, and profiles in a GIF or BMP, are ignored.
func (f *Info) IsSRGB() bool {
	p := profile(f.profile)
	if f.Format == PNG && p != nil {
		p = inflate(p)
	}
	if f.srgb || !p.isComplete() {
		return true
	}
	name := p.name()
	named := bytes.HasPrefix(name, []byte("sRGB"))
	switch string(p[16:20]) {
	case "RGB ":
		return named || p.hasPrimaries()
	case "GRAY":
		return named || bytes.Contains(name, []byte("Gamma 2.2"))
	}
	return false
}

// maxProfile is the number of decompressed bytes of a profile that are read.
const maxProfile = 1 << 20

// inflate decompresses the profile of a PNG. The result is shorter if the stream is broken, which the checks of the
// profile find.
func inflate(chunk []byte) (p []byte) {
	z, err := zlib.NewReader(bytes.NewReader(chunk[bytes.IndexByte(chunk, 0)+2:]))
	if err == nil {
		p, _ = io.ReadAll(io.LimitReader(z, maxProfile))
	}
	return p
}

// A profile is an ICC profile (ICC.1):
//
//	128 bytes, with the color space at 16 and "acsp" at 36
//	u32 n | n times: name, u32 offset, u32 length
type profile []byte

func (p profile) isComplete() bool { return len(p) >= 132 && isProfile(p) }

// tag returns the content of a tag, beginning with its type, or nil.
func (p profile) tag(name string) []byte {
	rest := p[132:]
	for n := binary.BigEndian.Uint32(p[128:]); n > 0 && len(rest) >= 12; n-- {
		if string(rest[:4]) == name {
			at, size := uint64(binary.BigEndian.Uint32(rest[4:])), uint64(binary.BigEndian.Uint32(rest[8:]))
			if at+size > uint64(len(p)) || size < 12 {
				return nil
			}
			return p[at : at+size]
		}
		rest = rest[12:]
	}
	return nil
}

// name returns the leading ASCII letters of the description. In version 2 the description is
// ASCII; in version 4 it is the first of several languages, in UTF-16.
//
//	"desc" | 4 bytes | u32 length | text
//	"mluc" | 4 bytes | u32 n | u32 12 | n times: language, u32 length, u32 offset
func (p profile) name() []byte {
	t := p.tag("desc")
	switch {
	case hasPrefix(t, "desc"):
		return t[12:]
	case hasPrefix(t, "mluc") && len(t) >= 28:
		at, size := uint64(binary.BigEndian.Uint32(t[24:])), uint64(binary.BigEndian.Uint32(t[20:]))
		if at+size > uint64(len(t)) {
			return nil
		}
		var name []byte
		for text := t[at : at+size]; len(text) >= 2 && text[0] == 0; text = text[2:] {
			name = append(name, text[1])
		}
		return name
	}
	return nil
}

// primaries are the primaries of sRGB as profiles store them, adapted to D50.
var primaries = map[string][3]float64{
	"rXYZ": {0.4361, 0.2225, 0.0139},
	"gXYZ": {0.3851, 0.7169, 0.0971},
	"bXYZ": {0.1431, 0.0606, 0.7141},
}

// hasPrimaries reports whether the profile has the primaries of sRGB, up to rounding.
func (p profile) hasPrimaries() bool {
	for name, want := range primaries {
		t := p.tag(name)
		if len(t) < 20 {
			return false
		}
		for i, v := range want {
			if math.Abs(fixedPoint(t[8+4*i:])-v) > 0.003 {
				return false
			}
		}
	}
	return true
}

// fixedPoint decodes a number with 16 fractional bits.
func fixedPoint(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / 65536 }
