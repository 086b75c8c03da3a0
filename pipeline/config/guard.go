package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tfr-build/sources"
	"tfr-build/sources/input"
)

// coordinateWords are words in the names of features that hold coordinates of an image.
var coordinateWords = []string{
	"bbox", "bboxes", "box", "boxes", "xmin", "xmax", "ymin", "ymax", "keypoint", "keypoints", "polygon", "polygons",
	"segmentation",
}

// UnmovedCoordinates returns a problem for each `convert` that moves pixels while features hold
// coordinates, unless it has `boxes`. It returns nil if it finds no problem. A build with such a
// config writes boxes that do not fit their images.
func (c *Config) UnmovedCoordinates() *Problems {
	var names []string
	for _, f := range c.AllFeatures() {
		if f.Boxes != nil || f.TFDS == "BBox" || isCoordinateName(f.Key) || c.readsCoordinates(f) {
			names = append(names, f.Key)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return c.collect(func(f *collector) {
		for i := range c.Sources {
			for _, of := range c.Sources[i].conversions() {
				if moves := of.Spec.Moves(); len(moves) > 0 && !of.Spec.KnowsCoordinates() {
					f.reportWithHint(of.At, "name their columns in boxes, points, or polygons of convert; boxes: [] "+
						"declares them right as they are, such as relative boxes with resize alone",
						"%s would change the image but not the coordinates in %s", strings.Join(moves, " and "),
						firstNames(names))
				}
			}
		}
	})
}

// readsCoordinates reports whether a feature has the numbers of a column with the name of coordinates, before or after
// rename. Only the last step of a path counts: box.label is not a coordinate.
func (c *Config) readsCoordinates(f *Feature) bool {
	if f.Type == "string" || f.Type == "bytes" || f.Classes != nil {
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

// isCoordinateName reports whether a feature's name contains one of coordinateWords. A change of
// case may begin a word, as in objectBbox, or be inside one, as in XMin.
func isCoordinateName(name string) bool {
	for _, spelling := range []string{name, caseChange.ReplaceAllString(name, "${1}_${2}")} {
		words := strings.FieldsFunc(strings.ToLower(spelling), func(r rune) bool {
			return strings.ContainsRune("_./-", r)
		})
		if slices.ContainsFunc(words, func(word string) bool { return slices.Contains(coordinateWords, word) }) {
			return true
		}
	}
	return false
}
