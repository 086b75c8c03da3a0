package infer

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/sources/input"
)

// useSplits makes the directories of splits the splits, by the words in their names.
func (d *draft) useSplits(of map[string]string) {
	names := sortedKeys(of)
	keys := []line{entry("column: split", "directories are "+strings.Join(names, ", "))}
	var words []string // a map has all of them
	isPlain, first, isNoted := true, map[string]string{}, false
	for _, name := range names {
		words, isPlain = append(words, quoted(name)+": "+of[name]), isPlain && name == of[name]
		if other := first[of[name]]; other == "" {
			first[of[name]] = name
		} else if !isNoted {
			isNoted = true
			d.note("The directories %s and %s are both of the split %s. The feature "+
				"`directory: {from: split, classes: auto}` says which one a row is of.",
				shown(other), shown(name), of[name])
		}
	}
	if !isPlain {
		keys = append(keys, bare("map: {"+strings.Join(words, ", ")+"}"))
	}
	d.split = splitBy(keys...)
}

// mixedSplits returns the names of directories that say splits, if they say several, or if one is the name of a split.
func (l level) mixedSplits() []string {
	names := filter(sortedKeys(l.files), hasSplit)
	isOther := func(name string) bool { return splitOf(name) != splitOf(names[0]) }
	if slices.ContainsFunc(names, isOther) || slices.ContainsFunc(names, isSplitWord) {
		return names
	}
	return nil
}

// hasSplit reports whether a name says a split.
func hasSplit(name string) bool { return splitOf(name) != "" }

// noteMixed adds a comment on directories that look like splits, and are not used as such.
func (n *notes) noteMixed(what string, names []string, more string) {
	n.note("%s such as %s look like splits: their files are mixed here. A source for each, "+
		"with `split`%s, keeps them apart.", what, strings.TrimPrefix(examples(names), ": "), more)
}

// resolveSplits sets the splits of files by their directories if no name has a split. If only some files or arrays have
// a split, it removes all of them, with a comment.
func (d *draft) resolveSplits(all []found) {
	isOfSplit := func(t found) bool { return t.split != "" }
	with := slices.IndexFunc(all, isOfSplit)
	if with < 0 && all[0].path != all[len(all)-1].path {
		for i := range all {
			all[i].split = splitOf(base(store.Dir(all[i].path)))
		}
		with = slices.IndexFunc(all, isOfSplit)
	}
	if without := slices.IndexFunc(all, func(t found) bool { return !isOfSplit(t) }); without >= 0 {
		if with >= 0 {
			d.note("The name %s says a split, and %s says none: the rows of all files are "+
				"mixed. Name only files that say one, to keep the splits.",
				shown(all[with].part.FullName(all[with].path)), shown(all[without].part.FullName(all[without].path)))
		}
		for i := range all {
			all[i].split = ""
		}
	}
}

// noteSplits adds a comment on columns whose values have the words of splits, unless they decide the splits. Another
// comment is on rows that name the same files, if no key can keep them together.
func (d *draft) noteSplits(c *chooser) {
	for _, col := range c.columns {
		if col.name == c.split {
			continue
		}
		names, others := c.splitNames(col, hasSplit)
		isOther := func(name string) bool { return splitOf(name) != splitOf(names[0]) }
		if c.names[col.name] != "" {
			d.noteDirectories(col)
		} else if len(names) > 1 && (!others || slices.ContainsFunc(names, isOther)) {
			d.note("The values of %s may name splits%s. To use them: `split: {column: %s, map: {%s: %s, …}}`.",
				shown(col.name), examples(col.profile.texts.sorted()), scalar(col.name), quoted(names[0]),
				splitOf(names[0]))
		}
	}
	x := c.shared
	if x == nil || c.split != "" || !x.isList && x.unnamed == 0 {
		return
	}
	why, how := "in lists", ", add a column with one value for them, and `by` with its name to `split`"
	if !x.isList {
		name := strings.ReplaceAll(x.name, ".", "_") + "_or_none"
		why = "and " + share(x.unnamed, c.valid(), "row") + " have none"
		how = fmt.Sprintf(`: derive: {%s: 'missing(%s) ? "" : %[2]s'}, and by: %[1]s in split`, scalar(name),
			input.Operand(x.name))
	}
	d.note("Rows that name one %s in %s may be in several splits: %s, %s. To keep them together%s.", c.sharedWhat(),
		shown(x.name), x.inRows(c.sharedWhat(), c.valid()), why, how)
}

// noteDirectories adds a comment on a column of paths whose directories at some level say splits.
func (d *draft) noteDirectories(col *columnSummary) {
	paths := col.profile.texts.order
	if len(paths) == 0 {
		return
	}
	for i, level := range levelsOf(paths[0]) {
		if dirs := levelAt(paths, i); hasSplit(level) && dirs.are(hasSplit) && dirs.mixedSplits() != nil {
			d.note("The directories in %s look like splits%s. To use them: `derive: {split: %s}`, and "+
				"`split: {column: split}`, with a `map` if splits have other names.",
				shown(col.name), examples(sortedKeys(dirs.files)), directoryOf(input.Operand(col.name), i, false))
		}
	}
}

// noteNames adds a comment on files whose names all say splits.
func (d *draft) noteNames(names []string) {
	first := map[string]string{}
	for _, name := range names {
		split := splitOf(base(name))
		if split == "" {
			return
		}
		if first[split] == "" {
			first[split] = base(name)
		}
	}
	if len(first) > 1 {
		d.noteMixed("Names of files", slices.Sorted(maps.Values(first)), " and `include`")
	}
}

// splitOf returns the split in a name: in its last element, or otherwise in one of its directories.
// It is empty if the name has no split, or several.
func splitOf(path string) string {
	levels := strings.Split(strings.ReplaceAll(path, "\\", "/"), "/")
	const dirs = 2 // above a file
	for i := len(levels) - 1; i >= max(0, len(levels)-1-dirs); i-- {
		split := ""
		if trainVal.MatchString(levels[i]) {
			return "train"
		}
		for _, word := range nameWords.FindAllString(levels[i], -1) {
			own := splitOfWord(word)
			if own != "" && split != "" && own != split {
				return ""
			}
			split = cmp.Or(own, split)
		}
		if split != "" {
			return split
		}
	}
	return ""
}

// trainVal matches names of directories that have the training set and the validation set.
var trainVal = regexp.MustCompile(`(?i)^train[-_ ]?val$`)

// splitOfWord returns the split that a word names; empty if it names none.
func splitOfWord(word string) string {
	switch word = strings.TrimSuffix(strings.ToLower(word), "set"); {
	case word == "training":
		return "train"
	case word == "testing", word == "t10k":
		return "test"
	case isSplitWord(word):
		return word
	}
	return ""
}

// splitWords are names of splits, in the order of their sources.
var splitWords = []string{"train", "training", "val", "valid", "validation", "dev", "test", "testing"}

func isSplitWord(s string) bool { return slices.Contains(splitWords, strings.ToLower(s)) }
