package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/message"
	"tfr-build/sources/image"
)

// imageNames finds features that are called an image and have the names of image files:
// a user may have meant the files.
type imageNames struct {
	looked int
	named  map[string]bool // by feature: all values were names of images
}

// maxLooked is the number of records that are looked at: each costs a pass over it.
const maxLooked = 20

// look looks at a record.
func (n *imageNames) look(payload []byte) {
	if n.looked == maxLooked {
		return
	}
	n.looked++
	if n.named == nil {
		n.named = map[string]bool{}
	}
	message.Each(message.Example, payload, func(key []byte, f message.Feature) {
		name := string(key)
		if f.List != message.BytesList || !isImageKey(name) {
			return
		}
		for value := range f.Bytes() {
			were, seen := n.named[name]
			n.named[name] = (were || !seen) && len(value) < 1000 && image.FormatOfName(string(value)) != 0
		}
	})
}

// isImageKey reports whether a key is called an image rather than the name of one.
func isImageKey(key string) bool {
	words := strings.FieldsFunc(strings.ToLower(key), func(r rune) bool { return strings.ContainsRune("/._-", r) })
	isImage := func(word string) bool {
		return slices.Contains([]string{"image", "img", "picture", "photo", "frame", "mask", "encoded"}, word)
	}
	return len(words) > 0 && isImage(words[len(words)-1])
}

// warnings have a sentence for each such feature.
func (n *imageNames) warnings() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(n.named)) {
		if n.named[name] {
			list = append(list, fmt.Sprintf("feature %q: the values are names of image files, not images; load reads the files", name))
		}
	}
	return list
}
