package infer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/store"
)

// resolveSplits sets the splits of files by their directories if no name has a split. If only some files or arrays have
// a split, it removes all of them, with a comment.
func (d *draft) resolveSplits(all []found) {
	lacks := func(t found) bool { return t.split == "" }
	with := slices.IndexFunc(all, func(t found) bool { return !lacks(t) })
	if with < 0 && all[0].path != all[len(all)-1].path {
		for i := range all {
			all[i].split = splitOf(base(store.Dir(all[i].path)))
		}
		with = slices.IndexFunc(all, func(t found) bool { return !lacks(t) })
	}
	if without := slices.IndexFunc(all, lacks); without >= 0 {
		if with >= 0 {
			d.notes = append(d.notes, fmt.Sprintf("The name %s says a split, and %s says none: the rows of all files are "+
				"mixed. Name only files that say one, to keep the splits.",
				shown(all[with].part.FullName(all[with].path)), shown(all[without].part.FullName(all[without].path))))
		}
		for i := range all {
			all[i].split = ""
		}
	}
}

// letters matches words in names.
var letters = regexp.MustCompile(`t10k|[A-Z]?[a-z]+|[A-Z]+`)

// splitOf returns the split in a name: in its last element, or otherwise in one of its directories.
// It is empty if the name has no split, or several.
func splitOf(path string) string {
	levels := strings.Split(strings.ReplaceAll(path, "\\", "/"), "/")
	const dirs = 2 // above a file
	for i := len(levels) - 1; i >= max(0, len(levels)-1-dirs); i-- {
		var all []string
		for _, word := range letters.FindAllString(levels[i], -1) {
			if word = strings.ToLower(word); isSplitWord(word) || word == "t10k" {
				all = append(all, canonical(word))
			}
		}
		if len(all) > 0 {
			if slices.Sort(all); len(slices.Compact(all)) > 1 {
				return ""
			}
			return all[0]
		}
	}
	return ""
}

// canonical returns the split that a word stands for.
func canonical(word string) string {
	switch word {
	case "training":
		return "train"
	case "testing", "t10k":
		return "test"
	}
	return word
}
