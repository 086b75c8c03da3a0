package tree

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// similarClasses returns pairs of classes whose names look the same, but have differently
// composed characters. They remain two classes.
func (t *Files) similarClasses() [][2]string {
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
