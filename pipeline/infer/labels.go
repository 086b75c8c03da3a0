package infer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/internal/plural"
)

// checkClasses returns the step that derives the classes of files if only some are below a directory of a class. It
// adds comments on splits that lack classes, and on directories that look like splits.
func (d *draft) checkClasses(names []string, haveSplits bool, classes int) (label line) {
	at := levelAt(names, classes)
	below := levelAt(names, 1).mixedSplits()
	if haveSplits || below == nil {
		d.noteDeeper(names, classes+1)
	}
	switch {
	case !haveSplits && below != nil:
		d.notes = append(d.notes, mixedSplits("Directories", below, fmt.Sprintf(" and `include: %q`", "*/"+below[0]+"/**")))
	case haveSplits && at.without == 0:
		d.noteLacking(names, classes)
	case haveSplits && len(at.files) > 0:
		isOutside := func(name string) bool { return strings.Count(name, "/") <= classes }
		return entry("derive:", "", entry(labelColumn+": "+directoryOf("path", classes, true),
			share(at.without, len(names), "file")+
				" without a directory of a class, such as "+shown(names[slices.IndexFunc(names, isOutside)])))
	}
	return label
}

// directoryOf returns the expression for a directory of a path at a level, which some paths may not have.
func directoryOf(path string, at int, some bool) string {
	if some {
		return fmt.Sprintf(`"size(split(%s, '/')) > %d ? split(%[1]s, '/')[%[3]d] : null"`, path, at+1, at)
	}
	return fmt.Sprintf(`split(%s, "/")[%d]`, path, at)
}

// noteDeeper adds a comment on directories below the classes, if they differ: only the path has them.
func (d *draft) noteDeeper(names []string, at int) {
	below := levelAt(names, at)
	if dirs := slices.Sorted(maps.Keys(below.files)); len(dirs) > 1 && !below.are(isSplitWord) {
		d.notes = append(d.notes, fmt.Sprintf("Below the directories of the classes are %d others%s. Only the path has "+
			"them: `derive: {directory: %s}` makes them a column, for the label or another feature.", len(dirs),
			examples(dirs), directoryOf("path", at, below.without > 0)))
	}
}

// labelColumn is the column of classes that are derived.
const labelColumn = "label"

// noteLacking adds a comment on classes that some split does not have. The splits are the directories above or below
// the classes.
func (d *draft) noteLacking(names []string, classes int) {
	splits, of, first := map[string]bool{}, map[string]map[string]bool{}, map[string]string{}
	for _, name := range names {
		levels := strings.Split(name, "/")
		class, split := levels[classes], levels[0]
		if classes == 0 {
			split = levels[1]
		}
		if of[class] == nil {
			of[class], first[class] = map[string]bool{}, name
		}
		of[class][split], splits[split] = true, true
	}
	hasAll := func(class string) bool { return len(of[class]) == len(splits) }
	all := slices.Sorted(maps.Keys(of))
	lacking := slices.DeleteFunc(slices.Clone(all), hasAll)
	if len(lacking) == 0 {
		return
	}
	class := lacking[0]
	isIn := func(split string) bool { return of[class][split] }
	without := slices.DeleteFunc(slices.Sorted(maps.Keys(splits)), isIn)
	d.notes = append(d.notes, fmt.Sprintf("Some splits lack %s%s. %s (%s, the first %s) is not in %s. "+
		"If it is not a class, `exclude: [%q]` skips it.", share(len(lacking), len(all), "class"), examples(lacking),
		shown(class), plural.Of(levelAt(names, classes).files[class], "file"), shown(first[class]), shown(without[0]),
		strings.Repeat("*/", classes)+strings.ReplaceAll(class, "[", "?")+"/**"))
}

// mixedSplits returns the names of directories that say splits, if they say several.
func (l level) mixedSplits() (names []string) {
	all := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(l.files)) {
		if split := splitOf(name); split != "" {
			all[split], names = true, append(names, name)
		}
	}
	if len(all) < 2 {
		return nil
	}
	return names
}

// mixedSplits returns a comment on directories that look like splits, and are not used as such.
func mixedSplits(what string, names []string, more string) string {
	return fmt.Sprintf("%s such as %s look like splits: their files are mixed here. A source for each directory, "+
		"with `split`%s, keeps them apart.", what, strings.TrimPrefix(examples(names), ": "), more)
}

// isUnlabeled reports whether the files of a directory have no class, by its name.
func isUnlabeled(dir string) bool {
	return slices.Contains([]string{"unsup", "unsupervised", "unlabeled", "unlabelled"}, strings.ToLower(dir))
}

// labeled returns the names without those in directories at a level whose files have no class, and the patterns of
// these directories. It keeps all if the others are not several classes or splits.
func labeled(names []string, at int) (rest, patterns []string) {
	for _, dir := range slices.Sorted(maps.Keys(levelAt(names, at).files)) {
		if isUnlabeled(dir) {
			patterns = append(patterns, strings.Repeat("*/", at)+dir+"/**")
		}
	}
	rest = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		levels := levelsOf(name)
		return len(levels) > at && isUnlabeled(levels[at])
	})
	if others := levelAt(rest, at); len(others.files) < 2 && (len(others.files) == 0 || !others.are(isSplitWord)) {
		return names, nil
	}
	return rest, patterns
}

// unlabeledNote says how many files have no class.
func unlabeledNote(names, labeled []string) string {
	return plural.Of(len(names)-len(labeled), "file") + " without a class"
}
