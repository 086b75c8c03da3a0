package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tfr-build/pixels/convert"
	"tfr-build/sources/input"
)

// coordinateWords are words in the names of features that hold coordinates of an image.
var coordinateWords = []string{"bbox", "box", "boxes", "xmin", "xmax", "ymin", "ymax", "keypoint", "keypoints", "segmentation"}

// UnmovedCoordinates returns a problem for each `convert` that moves pixels while features hold
// coordinates, unless it has `boxes`. It returns nil if it finds no problem. A build with such a
// config writes boxes that do not fit their images.
func (c *Config) UnmovedCoordinates() *Problems {
	var names []string
	for _, f := range c.AllFeatures() {
		if f.TFDS == "BBox" || isCoordinateName(f.Key) {
			names = append(names, f.Key)
		}
	}
	if len(names) == 0 {
		return nil
	}
	f := newCollector()
	f.positions = c.positions
	for i := range c.Sources {
		for path, spec := range c.Sources[i].conversions {
			if moves := spec.Moves(); len(moves) > 0 && spec.Boxes == nil {
				f.reportWithHint(path, "boxes: [] in convert says that they are right as they are, such as relative boxes with resize alone",
					"%s would change the image but not the coordinates in %s", strings.Join(moves, " and "), firstNames(names))
			}
		}
	}
	if len(f.list) == 0 {
		return nil
	}
	return newProblems(c.File, c.lines, f.list)
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

// conversions yields each `convert` of the source, with its path in the config.
func (s *Source) conversions(yield func(path string, spec *convert.Spec) bool) {
	if of, ok := s.Kind.Options.(interface{ Conversion() *convert.Spec }); ok && of.Conversion() != nil {
		if !yield(subPath(s.At, s.Kind.Name)+".convert", of.Conversion()) {
			return
		}
	}
	for i := range s.Load {
		if spec := s.Load[i].Convert; spec != nil && !yield(s.Load[i].At+".convert", spec) {
			return
		}
	}
}

// caseChange matches the end of a word in a name such as objectBbox.
var caseChange = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)

// isCoordinateName reports whether a feature's name contains one of coordinateWords. A change of
// case may begin a word, as in objectBbox, or be inside one, as in XMin.
func isCoordinateName(name string) bool {
	for _, spelling := range []string{name, caseChange.ReplaceAllString(name, "${1}_${2}")} {
		words := strings.FieldsFunc(strings.ToLower(spelling), func(r rune) bool { return strings.ContainsRune("_./-", r) })
		if slices.ContainsFunc(words, func(word string) bool { return slices.Contains(coordinateWords, word) }) {
			return true
		}
	}
	return false
}

func decodeNoBoxes(d *decoder, at spot, _ *convert.NoBoxes) {
	const what = "[]; this version can only leave boxes as they are"
	switch {
	case at.kind != listNode:
		d.reportExpected(at, what)
	case len(at.list) > 0:
		d.report(at.path, "found a list of boxes; expected %s", what)
	}
}

func encodeNoBoxes(encoder, convert.NoBoxes) *node { return &node{kind: listNode} }

func noBoxesSchema(*generator) object { return object{"type": "array", "maxItems": 0} }
