package config

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Classes are the names of classes, or where to find them.
type Classes struct {
	Names   []string `yaml:"names" is:"class" unique:"class" alone:"yes" doc:"Class names, in the order of their numbers." example:"[cat, dog]"`
	File    string   `yaml:"file" alone:"yes" is:"path" doc:"File with one class name per line, or label map that ends in .pbtxt." example:"names.txt"`
	Auto    bool     // the sorted distinct strings of all rows
	First   int64    `yaml:"first" default:"0" doc:"Number of the first class. Default: 0, and 1 for a label map."`
	Unknown Unknown  `yaml:"unknown" default:"error" doc:"Number of strings that are not classes, or error. Default: error." example:"-1"`
	Numbers bool     `yaml:"numbers" default:"false" canonical:"set" doc:"Says that the column holds class numbers, not names. They are checked against the names. Default: false."`
}

// IsLabelMap reports whether a class file is a label map of the Object Detection API, which has numbers.
func IsLabelMap(path string) bool { return strings.HasSuffix(path, ".pbtxt") }

// checkLabelMap checks that the classes of a feature can have a label map.
func (c featureCheck) checkLabelMap() {
	at := c.pathOf("label_map")
	if c.LabelMap == "" || !c.isValidInside(c.pathOf("classes")) {
		return
	}
	switch {
	case c.Classes == nil:
		c.reportWithHint(at, "classes: {names: [cat, dog], first: 1}", "expected classes next to label_map")
	case c.MultiHot:
		c.report(at, "label_map and multi_hot exclude each other")
	case c.Classes.First < 1 || c.Classes.First > math.MaxInt32-1_000_000:
		c.reportWithHint(at, "first: 1",
			"found classes from %d on; a label map has numbers from 1 to 2147483647, and 0 is the background",
			c.Classes.First)
	}
}

// Unknown is the number of a string that is not a class; nil makes such a string an error.
type Unknown struct{ Number *int64 }

// refuseNumbered reports a mapping of classes and numbers, and names in one string, which cannot be a file.
func refuseNumbered(d *decoder, at spot) bool {
	switch {
	case isNumbered(at.node):
		d.reportWithHint(at.path, numberedHint(at.node), "found classes with numbers; expected a list of names")
	case at.isScalar() && strings.Contains(at.text, ",") && !strings.ContainsAny(at.text, "./"):
		names := strings.FieldsFunc(at.text, func(c rune) bool { return c == ',' || c == ' ' })
		d.reportWithHint(at.path, "["+firstFew(names)+"]", "found one string, %s; expected a list of names, or a file",
			quoteValue(at.text))
	default:
		return false
	}
	return true
}

// isFileName reports whether a node can be the file of classes: true is a mistake for auto.
func isFileName(d *decoder, n *node) bool {
	return isValue(d, n) && (n.quoted || n.text != "true" && n.text != "false")
}

// setFirst sets the number of the first class of a label map.
func setFirst(_ *decoder, at spot, c *Classes) {
	if IsLabelMap(c.File) && !at.hasKey("first") {
		c.First = 1
	}
}

// isNumbered reports whether n is a mapping of classes to numbers, or of numbers to classes.
func isNumbered(n *node) bool {
	keys := []string{"names", "file", "first", "unknown", "numbers"}
	return len(n.pairs) > 0 && !slices.ContainsFunc(n.pairs, func(q pair) bool {
		isNumber := wholeForm.MatchString(q.key) || q.value.isScalar() && wholeForm.MatchString(q.value.text)
		return slices.Contains(keys, q.key) || !q.value.isScalar() || !isNumber
	})
}

// numberedHint returns a hint with the config to write instead. It is a list of the names if their
// numbers are consecutive, otherwise a map or the numbers themselves.
func numberedHint(n *node) string {
	var names []string
	numbers := map[string]int64{}
	byNumber := wholeForm.MatchString(n.pairs[0].key)
	for _, q := range n.pairs {
		name, number := q.key, q.value.text
		if byNumber {
			name, number = number, name
		}
		k, err := strconv.ParseInt(number, 10, 64)
		if err != nil || !plainRule.MatchString(name) {
			return ""
		}
		names, numbers[name] = append(names, name), k
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(numbers[a], numbers[b]) })
	first, last := numbers[names[0]], numbers[names[len(names)-1]]
	switch {
	case len(names) == len(numbers) && last-first == int64(len(names)-1):
		list := fmt.Sprintf("names: [%s], first: %d", firstFew(names), first)
		if byNumber {
			return "classes: {" + list + ", numbers: true} if the column has the numbers"
		}
		return "classes: {" + list + "}"
	case byNumber:
		return "type: int64 stores the numbers of the column"
	}
	for i, name := range names {
		names[i] += ": " + strconv.FormatInt(numbers[name], 10)
	}
	return "type: int64, and map: {" + firstFew(names) + "}"
}

// firstFew joins the first 8 names, and adds … for the others.
func firstFew(names []string) string {
	const most = 8
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// writeClasses writes the names in a file instead of the file.
func writeClasses(e encoder, v reflect.Value) *node {
	c := v.Interface().(Classes)
	if c.Auto {
		return stringNode("auto")
	}
	if c.File != "" {
		if names := e.classes(c.File); len(names) > 0 {
			c.Names, c.File = names, ""
		}
	}
	e.isShort = e.isShort && !IsLabelMap(c.File) // the default of first depends on the file
	return e.encodeFields(reflect.ValueOf(c))
}
