package config

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/sources"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// coordinateWords are words in the names of features that hold coordinates of an image.
var coordinateWords = []string{
	"bbox", "bboxes", "box", "boxes", "xmin", "xmax", "ymin", "ymax", "keypoint", "keypoints", "polygon", "polygons",
	"segmentation",
}

// countWords are words in the names of features that count coordinates, such as num_keypoints of COCO.
var countWords = []string{"num", "count", "number"}

// maskWords are words in the names of loads that are masks.
var maskWords = []string{"mask", "masks", "segmentation"}

// UnmovedCoordinates returns a problem for each `convert` that moves pixels while features hold
// coordinates, unless it has `boxes`, and for each of its keys with no column that features read, as a
// misspelled one. It returns nil if it finds no problem. A build with such a config writes boxes or masks
// that do not fit their images.
func (c *Config) UnmovedCoordinates() *Problems {
	names := c.featureNames(c.holdsCoordinates)
	return c.collect(func(f *collector) {
		for i := range c.Sources {
			c.reportUnread(&c.Sources[i], f)
			for _, of := range c.Sources[i].conversions() {
				if moves := of.Spec.Moves(); len(names) > 0 && len(moves) > 0 && !of.Spec.KnowsCoordinates() {
					f.reportWithHint(of.At, "name their columns in boxes, points, or polygons of convert; boxes: [] "+
						"declares them right as they are, such as relative boxes with resize alone",
						"%s would change the image but not the coordinates in %s", strings.Join(moves, " and "),
						firstNames(names))
				}
			}
		}
	})
}

// reportUnread reports the keys of conversions with no column that a feature or a derived column reads.
func (c *Config) reportUnread(s *Source, f *collector) {
	var read []string
	for _, of := range c.AllFeatures() {
		read = append(append(read, of.From.Columns...), of.Repeat)
	}
	for _, d := range s.Derive {
		read = append(read, column.Named(string(d.Expr))...)
	}
	isRead := func(name string) bool { return slices.Contains(read, name) }
	for _, of := range s.conversions() {
		for _, key := range of.Spec.Keys() {
			if all := key.Names(); !slices.ContainsFunc(all, isRead) {
				f.reportWithHint(of.At+"."+key.Path,
					cmp.Or(nearest.Hint(all[0], read), "remove it, or add a feature"),
					"no feature reads %s, so nothing follows the image", input.NameList(all))
			}
		}
	}
}

// OtherCoordinates returns a problem for each `convert` that moves pixels, while features have masks that it does not
// move or, if it moves some coordinates, numbers that may be others. It returns nil if it finds no problem.
func (c *Config) OtherCoordinates() *Problems {
	return c.collect(func(f *collector) {
		for i := range c.Sources {
			s := &c.Sources[i]
			follows := s.following()
			stays := func(of *Feature) bool {
				return !slices.ContainsFunc(of.From.Columns, func(column string) bool { return follows[column] })
			}
			for _, of := range s.conversions() {
				moves, areDeclared := of.Spec.Moves(), of.Spec.Boxes != nil && len(of.Spec.Boxes) == 0
				names := c.featureNames(func(other *Feature) bool {
					isOther := of.Spec.Follows() && other.holdsNumbers() && c.holdsCoordinates(other)
					return (isOther || s.readsMask(other)) && stays(other)
				})
				if len(names) > 0 && len(moves) > 0 && !areDeclared {
					f.reportWithHint(of.At, "if they are of this image, name their columns in boxes, points, "+
						"polygons, or masks",
						"%s changes the image, but %s stay as in the input", strings.Join(moves, " and "),
						firstNames(names))
				}
			}
		}
	})
}

// featureNames returns the names of the features for which is returns true.
func (c *Config) featureNames(is func(*Feature) bool) (names []string) {
	for _, f := range c.AllFeatures() {
		if is(f) {
			names = append(names, f.Key)
		}
	}
	return names
}

// holdsCoordinates reports whether a feature holds coordinates of an image, as far as names and types say so.
func (c *Config) holdsCoordinates(f *Feature) bool {
	return f.Boxes != nil || f.TFDS == "BBox" || isCoordinateName(f.Key) || c.readsCoordinates(f)
}

// readsMask reports whether a feature has the images of a load without convert whose name says that they are masks.
func (s *Source) readsMask(f *Feature) bool {
	return slices.ContainsFunc(s.Load, func(l sources.Load) bool {
		isMask := l.Convert == nil && l.As == "image" && hasWord(l.Name, maskWords)
		return isMask && slices.Contains(f.From.Columns, l.Name)
	})
}

// following returns the columns that change with an image of the source, and those that are derived from them.
func (s *Source) following() map[string]bool {
	follows := map[string]bool{}
	for _, of := range s.conversions() {
		for _, key := range of.Spec.Keys() {
			for _, name := range key.Columns {
				follows[name] = true
			}
		}
	}
	for _, d := range s.Derive {
		for _, name := range column.Named(string(d.Expr)) {
			follows[d.Name] = follows[d.Name] || follows[name]
		}
	}
	return follows
}

// holdsNumbers reports whether the feature may hold coordinates by its type.
func (f *Feature) holdsNumbers() bool {
	return f.Type != "string" && f.Type != "bytes" && f.Classes == nil
}

// readsCoordinates reports whether a feature has the numbers of a column with the name of coordinates, before or after
// rename. Only the last step of a path counts: box.label is not a coordinate.
func (c *Config) readsCoordinates(f *Feature) bool {
	if !f.holdsNumbers() {
		return false
	}
	isCoordinate := func(name string) bool { return isCoordinateName(name[strings.LastIndexByte(name, '.')+1:]) }
	for _, name := range f.From.Columns {
		if isCoordinate(name) {
			return true
		}
		for i := range c.Sources {
			for _, pair := range c.Sources[i].Rename {
				if pair.Value == name && isCoordinate(pair.Key) {
					return true
				}
			}
		}
	}
	return false
}

// firstNames lists the first of names, and counts the others.
func firstNames(names []string) string {
	const most = 4
	list := input.NameList(names[:min(most, len(names))])
	if n := len(names) - most; n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	return list
}

// conversions returns each `convert` of the source.
func (s *Source) conversions() []sources.Conversion {
	list := s.Spec().Conversions()
	for i := range list {
		if list[i].Load < 0 && !list[i].Table {
			list[i].At = subPath(s.At, s.Kind.Name) + "." + list[i].At
		}
	}
	return list
}

// caseChange matches the end of a word in a name such as objectBbox.
var caseChange = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)

// isCoordinateName reports whether a feature's name contains one of coordinateWords, and none of countWords.
func isCoordinateName(name string) bool {
	return hasWord(name, coordinateWords) && !hasWord(name, countWords)
}

// hasWord reports whether a name contains one of the words. A change of case may begin a word, as in objectBbox, or be
// inside one, as in XMin.
func hasWord(name string, words []string) bool {
	for _, spelling := range []string{name, caseChange.ReplaceAllString(name, "${1}_${2}")} {
		all := strings.FieldsFunc(strings.ToLower(spelling), func(r rune) bool {
			return strings.ContainsRune("_./-", r)
		})
		if slices.ContainsFunc(all, func(word string) bool { return slices.Contains(words, word) }) {
			return true
		}
	}
	return false
}
