package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/message"
	"tfr-build/pixels/header"
)

// imageNames finds features whose key suggests an image and whose values are names of image files:
// the user may have meant the files.
type imageNames struct {
	kind    message.Kind    // of the records
	records int             // number of records looked at
	named   map[string]bool // by feature: all values were names of image files
}

// maxRecords is the number of records that are looked at: each takes a pass over it.
const maxRecords = 20

// add looks at a record.
func (n *imageNames) add(payload []byte) {
	if n.records == maxRecords {
		return
	}
	n.records++
	if n.named == nil {
		n.named = map[string]bool{}
	}
	message.Each(n.kind, payload, func(key []byte, f message.Feature) {
		name := string(key)
		if f.List != message.BytesList || !isImageKey(name) {
			return
		}
		for value := range f.Bytes() {
			were, seen := n.named[name]
			n.named[name] = (were || !seen) && len(value) < 1000 && header.FormatOfName(string(value)) != 0
		}
	})
}

// isImageKey reports whether a key suggests an image, not the name of an image.
func isImageKey(key string) bool {
	words := strings.FieldsFunc(strings.ToLower(key), func(r rune) bool { return strings.ContainsRune("/._-", r) })
	isImage := func(word string) bool {
		return slices.Contains([]string{"image", "img", "picture", "photo", "frame", "mask", "encoded"}, word)
	}
	return len(words) > 0 && isImage(words[len(words)-1])
}

// warnings returns a sentence for each such feature.
func (n *imageNames) warnings() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(n.named)) {
		if n.named[name] {
			list = append(list, fmt.Sprintf("feature %q: the values are names of image files, not images; load reads "+
				"the files", name))
		}
	}
	return list
}
