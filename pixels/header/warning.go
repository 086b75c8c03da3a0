package header

import "iter"

// A Warning is an oddity of an image that can still be used.
type Warning uint8

// The warnings.
const (
	BadEXIF  Warning = iota // the EXIF data is broken
	FourInks                // CMYK or YCCK
	Animated                // more than one frame
	MultiPic                // more images after the first (MPO)
	NoEnd                   // the end marker is missing, but no scan is
	Trailing                // bytes after the end
	Junk                    // stray bytes before or between segments or blocks
	BadICC                  // the ICC profile is broken
	Damaged                 // damaged data makes some pixels missing or wrong
	warningCount
)

// warnings has the stable code and the description of each warning.
var warnings = [warningCount]struct{ code, text string }{
	BadEXIF:  {"EXIF_INVALID", "the EXIF data is broken; orientation 1 is assumed where it cannot be read"},
	FourInks: {"IMG_CMYK", "the image is CMYK or YCCK, which not every decoder turns into RGB"},
	Animated: {"IMG_ANIMATED", "the image has more than one frame; decoders differ in how many they give"},
	MultiPic: {"IMG_MPO", "the file has more images after the first (MPO), which decoders skip"},
	NoEnd:    {"IMG_NO_END", "the end marker is missing though all scans are there; strict decoders refuse that"},
	Trailing: {"IMG_TRAILING", "bytes follow the end of the image"},
	Junk: {"IMG_JUNK", "there are bytes before or between the segments or blocks that belong to none; strict " +
		"decoders refuse that, or end there"},
	BadICC:  {"ICC_INVALID", "the ICC profile is broken; programs that would use it ignore it"},
	Damaged: {"IMG_DAMAGED", "the data of the pixels is damaged; decoders show the image with defects, and only warn"},
}

// Code returns the stable code of the warning.
func (w Warning) Code() string { return warnings[w].code }

// String describes the warning.
func (w Warning) String() string { return warnings[w].text }

// Warnings is a set of warnings. The zero value is empty.
type Warnings uint16

// Has reports whether w is in the set.
func (s Warnings) Has(w Warning) bool { return s&(1<<w) != 0 }

// All returns the warnings of the set, in the order of their constants.
func (s Warnings) All() iter.Seq[Warning] {
	return func(yield func(Warning) bool) {
		for w := Warning(0); w < warningCount; w++ {
			if s.Has(w) && !yield(w) {
				return
			}
		}
	}
}

// Add adds w to the set.
func (s *Warnings) Add(w Warning) { *s |= 1 << w }
