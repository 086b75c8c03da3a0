package jpeg

import (
	"fmt"
	"strings"
)

// A Warning is damage, or something odd, that libjpeg warns of and decodes all
// the same.
type Warning uint8

// The warnings.
const (
	EarlyEnd       Warning = iota // the file ends early; an end marker is assumed
	ShortScan                     // a marker comes before the data of a scan is complete; the rest is grey
	BadCode                       // bits that are no Huffman code
	ExtraBytes                    // bytes before a marker that belong to nothing
	LostRestart                   // a restart marker is not the one that must follow
	BadProgression                // scans of a progressive picture that do not follow from each other
	BadScanHeader                 // a sequential scan that claims but some of the coefficients
	UnknownAdobe                  // a color transform of Adobe that nobody knows
	UnknownJFIF                   // JFIF of another version than 1
	warningCount
)

// String returns the warning in words.
func (w Warning) String() string {
	switch w {
	case EarlyEnd:
		return "the file ends early"
	case ShortScan:
		return "the data of a scan ends early"
	case BadCode:
		return "bits that are no Huffman code"
	case ExtraBytes:
		return "bytes before a marker that belong to nothing"
	case LostRestart:
		return "a restart marker that does not follow"
	case BadProgression:
		return "progressive scans that do not follow from each other"
	case BadScanHeader:
		return "a sequential scan with the header of a progressive one"
	case UnknownAdobe:
		return "an unknown color transform in the Adobe marker"
	case UnknownJFIF:
		return "an unknown version of JFIF"
	}
	return ""
}

// Warnings has the number of times of each Warning.
type Warnings [warningCount]int

// Any reports whether there is a warning.
func (w Warnings) Any() bool { return w != Warnings{} }

// String returns the warnings in words, with how often each came.
func (w Warnings) String() string {
	var list []string
	for i, n := range w {
		if n > 0 {
			list = append(list, fmt.Sprintf("%v (%d)", Warning(i), n))
		}
	}
	return strings.Join(list, ", ")
}
