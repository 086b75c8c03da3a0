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

var warningTexts = [warningCount]string{
	EarlyEnd:       "the file ends early",
	ShortScan:      "the data of a scan ends early",
	BadCode:        "bits that are not a Huffman code",
	ExtraBytes:     "bytes before a marker that belong to nothing",
	LostRestart:    "a restart marker that does not follow",
	BadProgression: "progressive scans that do not follow from each other",
	BadScanHeader:  "a sequential scan with the header of a progressive one",
	UnknownAdobe:   "an unknown color transform in the Adobe marker",
	UnknownJFIF:    "an unknown version of JFIF",
}

// String describes the warning.
func (w Warning) String() string { return warningTexts[w] }

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
