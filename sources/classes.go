package sources

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// AlikeClasses are pairs of classes of a tree whose names look the same and are
// not: their characters are composed in different ways. They stay two classes.
func (s *Source) AlikeClasses() [][2]string {
	if s.spec.Kind.IsTable() || s.spec.HasClasses {
		return nil
	}
	var pairs [][2]string
	first := map[string]string{} // by composed name
	last := ""
	for i := range s.Files {
		class, _, below := strings.Cut(s.Files[i].Name, "/")
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
