package infer

import (
	"slices"
	"strings"
)

// A coco is what a document of COCO's layout has: images, and the objects on them.
type coco struct {
	objects []string // keys of an annotation
	names   bool     // its categories have names
}

// cocoOf tells whether a document has COCO's layout.
func cocoOf(found []outline) (*coco, bool) {
	at := func(name string, keys ...string) (list []string, ok bool) {
		i := slices.IndexFunc(found, func(a outline) bool { return !a.members && slices.Equal(a.path, []string{name}) })
		if i < 0 || slices.ContainsFunc(keys, func(k string) bool { return !slices.Contains(found[i].keys, k) }) {
			return nil, false
		}
		return found[i].keys, true
	}
	_, images := at("images", "id", "file_name")
	objects, ok := at("annotations", "id", "image_id", "category_id")
	_, names := at("categories", "id", "name")
	return &coco{objects, names}, images && ok
}

// write adds the joins of a source, whose first key names its files.
func (c *coco) write(s *source) {
	_, files, _ := strings.Cut(s.keys[0].text, ": ")
	s.keys = append(s.keys, line{"rows: images", "COCO's layout: a record is an image"})
	table := func(rows, more string) string { return "  - json: {files: " + files + ", rows: " + rows + more + "}" }
	s.steps = append(s.steps, line{text: "join:"},
		line{table("annotations", ", mixed: empty"), "the objects on it"},
		line{text: "    on: {id: image_id}"}, line{text: "    many: true"}, line{text: "    prefix: objects."})
	if c.names {
		s.steps = append(s.steps, line{table("categories", ""), "of each object"},
			line{text: "    on: {objects.category_id: id}"}, line{text: "    prefix: category."})
	}
}

// features are those of the objects on an image.
func (c *coco) features() (list []feature) {
	add := func(key, column, spec, note string) {
		if slices.Contains(c.objects, column) {
			list = append(list, feature{key: "objects/" + key, spec: "{from: objects." + column + ", " + spec + "}", note: note})
		}
	}
	add("id", "id", "type: int64, shape: [-1]", "")
	add("bbox", "bbox", "type: float, shape: [-1, 4]", "x, y, width, height")
	add("area", "area", "type: float, shape: [-1]", "")
	add("is_crowd", "iscrowd", "type: bool, shape: [-1]", "")
	add("category_id", "category_id", "type: int64, shape: [-1]", "")
	if c.names {
		list = append(list, feature{key: "objects/label", spec: "{from: category.name, classes: auto, shape: [-1]}", note: "by the names of the categories"})
	}
	if slices.Contains(c.objects, "segmentation") {
		list = append(list, feature{key: "objects/segmentation", spec: `{from: "objects.segmentation.*", type: float, shape: [-1, -1, -1]}`, note: "polygons; none of a crowd, which has run lengths"})
	}
	return list
}
