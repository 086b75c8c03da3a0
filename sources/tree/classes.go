package tree

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// alikeClasses are pairs of classes of a tree whose names look the same and are
// not: their characters are composed in different ways. They stay two classes.
func (t *Files) alikeClasses() [][2]string {
	if t.classes != nil {
		return nil
	}
	var pairs [][2]string
	first := map[string]string{} // by composed name
	last := ""
	for i := range t.listing.Files {
		class, _, below := strings.Cut(t.listing.Files[i].Name, "/")
		if !below || class == last {
			continue
		}
		last = class
		composed := norm.NFC.String(class)
		if other, known := first[composed]; known {
			pairs = append(pairs, [2]string{other, class})
			continue
		}
		first[composed] = class
	}
	return pairs
}
