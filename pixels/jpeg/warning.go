package jpeg

import (
	"fmt"
	"strings"
)

// A Warning is damage, or an oddity, that libjpeg warns about but decodes.
type Warning uint8

// The warnings.
const (
	EarlyEnd       Warning = iota // the file ends early; an end marker is assumed
	ShortScan                     // a marker comes before the data of a scan is complete; the rest is gray
	BadCode                       // undefined Huffman code
	ExtraBytes                    // stray bytes before a marker
	LostRestart                   // a restart marker has an unexpected number, or is missing
	BadProgression                // a progressive scan does not follow from the previous ones
	BadScanHeader                 // a sequential scan claims only some of the coefficients
	UnknownAdobe                  // unknown color transform in the Adobe marker
	UnknownJFIF                   // version of JFIF other than 1
	warningCount
)

// String describes the warning.
func (w Warning) String() string {
	switch w {
	case EarlyEnd:
		return "the file ends early"
	case ShortScan:
		return "the data of a scan ends early"
	case BadCode:
		return "bits that are not a Huffman code"
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

// Warnings is the number of occurrences of each Warning.
type Warnings [warningCount]int

// Any reports whether there is a warning.
func (w Warnings) Any() bool { return w != Warnings{} }

// String describes the warnings, with the number of occurrences.
func (w Warnings) String() string {
	var list []string
	for i, n := range w {
		if n > 0 {
			list = append(list, fmt.Sprintf("%v (%d)", Warning(i), n))
		}
	}
	return strings.Join(list, ", ")
}
