package infer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/store"
)

// resolveSplits sets the splits of files by their directories if no file name has a split. If only
// some files have a split, it removes all of them.
func (f *findings) resolveSplits() {
	lacks := func(t found) bool { return t.split == "" }
	if len(f.files) > 1 && !slices.ContainsFunc(f.files, func(t found) bool { return t.split != "" }) {
		for i := range f.files {
			f.files[i].split = splitOf(base(store.Dir(f.files[i].path)))
		}
	}
	with := slices.IndexFunc(f.files, func(t found) bool { return !lacks(t) })
	if without := slices.IndexFunc(f.files, lacks); without >= 0 {
		if with >= 0 {
			f.notes = append(f.notes, fmt.Sprintf("The name %s says a split, and %s says none: the rows of all files are mixed. Name only files that say one, to keep the splits.", shown(base(f.files[with].path)), shown(base(f.files[without].path))))
		}
		for i := range f.files {
			f.files[i].split = ""
		}
	}
}

// letters matches words in names.
var letters = regexp.MustCompile(`t10k|[A-Za-z]+`)

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
