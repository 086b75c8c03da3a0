package infer

import (
	"fmt"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// addMembers finds the splits and the classes of members of archives in their paths, by the rules for the files of a
// directory, and returns the column of the classes. A column has the paths.
func (s *summary) addMembers(column string) *columnSummary {
	class := &columnSummary{name: "class", profile: newProfile(mostOfClasses, 0)}
	if len(s.members) == 0 {
		return class
	}
	t := tree{typ: s.types.directoryType(false), names: s.members}
	_, names := t.strip()
	top := strings.Count(s.members[0], "/") - strings.Count(names[0], "/")
	rest, exclude, _, splits, at := pathPattern(names)
	switch {
	case exclude == nil:
	case s.typ.Rows == input.FileRows:
		for i := range exclude {
			exclude[i] = strings.Repeat("*/", top) + exclude[i]
		}
		s.keys = append(s.keys, entry("exclude: "+list(exclude), unlabeledNote(names, rest)))
		names = rest
	case levelAt(names, 0).splits() == nil: // samples of none
		splits, at = nil, 0
	}
	isBeside := func(name string) bool { return slices.ContainsFunc(levelsOf(name), isBesideImages) }
	if i := slices.IndexFunc(names, isBeside); i >= 0 && isImageName(names[i]) {
		s.noteBeside(names[i], 0)
	}
	derive := bare("derive:")
	if s.splits = splits; splits != nil {
		split := top
		if at == 0 {
			split++
		}
		value := directoryOf(column, split, false)
		derive.below = append(derive.below, entry("split: "+value, "the directories say so"))
	}
	for _, s.reading.seen = range names {
		v := schema.Value{}
		if levels := levelsOf(s.reading.seen); len(levels) > at {
			v = schema.Value{Kind: schema.String, Text: []byte(levels[at])}
		}
		_ = class.profile.add(&s.reading, &v, 0) // strings have no error
	}
	s.reading.seen = ""
	if at += top; at > 0 && len(class.profile.texts.order) > 0 {
		value := directoryOf(column, at, class.profile.nulls > 0 || s.isSampled())
		class.name = "directory"
		derive.below = append(derive.below, entry("directory: "+value, "the directories of the classes"))
	}
	s.steps = append(s.steps, derive)
	s.noteClasses(&class.profile.texts, splits != nil)
	return class
}

// addDirectories adds the column of the directories of samples in archives. It has classes if few have many samples.
func (s *summary) addDirectories() {
	at := len(s.columns) - 1 // the column of their paths
	class := s.addMembers(s.columns[at].name)
	if x := &class.profile.texts; len(x.order) > 0 {
		class.isClass = x.isClasses()
		s.columns = slices.Insert(s.columns, at, class)
	}
}

// directoryOf returns the expression for a directory of a path at a level, which some paths may not have.
func directoryOf(path string, at int, some bool) string {
	if some {
		return fmt.Sprintf(`"size(split(%s, '/')) > %d ? split(%[1]s, '/')[%[3]d] : null"`, path, at+1, at)
	}
	return fmt.Sprintf(`"split(%s, '/')[%d]"`, path, at)
}
