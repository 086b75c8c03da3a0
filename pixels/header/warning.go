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

// Code returns the stable code of the warning.
func (w Warning) Code() string {
	switch w {
	case BadEXIF:
		return "EXIF_INVALID"
	case FourInks:
		return "IMG_CMYK"
	case Animated:
		return "IMG_ANIMATED"
	case MultiPic:
		return "IMG_MPO"
	case NoEnd:
		return "IMG_NO_END"
	case Trailing:
		return "IMG_TRAILING"
	case Junk:
		return "IMG_JUNK"
	case BadICC:
		return "ICC_INVALID"
	case Damaged:
		return "IMG_DAMAGED"
	}
	return ""
}

// String describes the warning.
func (w Warning) String() string {
	switch w {
	case BadEXIF:
		return "the EXIF data is broken; orientation 1 is assumed where it cannot be read"
	case FourInks:
		return "the image is CMYK or YCCK, which not every decoder turns into RGB"
	case Animated:
		return "the image has more than one frame; decoders differ in how many they give"
	case MultiPic:
		return "the file has more images after the first (MPO), which decoders skip"
	case NoEnd:
		return "the end marker is missing though all scans are there; strict decoders refuse that"
	case Trailing:
		return "bytes follow the end of the image"
	case Junk:
		return "there are bytes before or between the segments or blocks that belong to none; strict decoders refuse that, " +
			"or end there"
	case BadICC:
		return "the ICC profile is broken; programs that would use it ignore it"
	case Damaged:
		return "the data of the pixels is damaged; decoders show the image with defects, and only warn"
	}
	return ""
}

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
