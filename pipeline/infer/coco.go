package infer

import (
	"context"
	"slices"

	"tfr-build/sources/input"
)

// A coco has the objects of a document in COCO's layout.
type coco struct {
	*input.COCO
	objects map[string]*value // the objects by key
	rows    int               // objects that were inspected
	partial bool              // the document has more objects
	unused  map[string]bool   // keys that no object of some source has
}

// inspect inspects the objects of the sources of a draft.
func (c *coco) inspect(ctx context.Context, d *draft) error {
	of := &draft{System: d.System, name: d.name, output: d.output, dir: d.dir, outputDir: d.outputDir, workers: d.workers, types: d.types, typ: d.typ}
	for _, s := range d.list {
		keys := slices.Concat(s.keys[:s.fileLines], optionLines(c.Objects))
		of.list = append(of.list, source{name: s.name, split: s.split, keys: keys})
	}
	summary, err := of.inspectOnce(ctx)
	if err != nil {
		return err
	}
	c.objects, c.rows, c.partial = map[string]*value{}, summary.rows-summary.invalid, summary.partial
	for _, col := range summary.columns {
		c.objects[col.name] = col.value
	}
	return c.findLacks(ctx, of)
}

// findLacks finds the keys that no object of some source has, if there are several sources.
func (c *coco) findLacks(ctx context.Context, of *draft) error {
	c.unused = map[string]bool{}
	all := of.list
	for i := range all {
		if len(all) == 1 {
			break
		}
		of.list = all[i : i+1]
		summary, err := of.inspectOnce(ctx)
		if err != nil {
			return err
		}
		for key := range c.objects {
			has := func(col *columnSummary) bool { return col.name == key }
			c.unused[key] = c.unused[key] || !slices.ContainsFunc(summary.columns, has)
		}
	}
	return nil
}

// features returns the features of the objects in an image.
func (c *coco) features() (list []feature) {
	add := func(key, column, spec, note string) {
		if v := c.objects[column]; v != nil {
			if lacking := c.rows - v.present(); lacking > 0 {
				spec += ", missing: {default: 0}"
				note = joinNotes(note, share(lacking, c.rows, "object")+" without it")
			}
			f := feature{key: "objects/" + key, spec: "{from: objects." + column + ", " + spec + "}", note: note}
			list = append(list, c.ofAll(column, f))
		}
	}
	add("id", "id", "type: int64, shape: [-1]", "")
	add("bbox", "bbox", "type: float, shape: [-1, 4]", "x, y, width, height")
	add("area", "area", "type: float, shape: [-1]", "")
	add("is_crowd", "iscrowd", "type: bool, shape: [-1]", "")
	add("category_id", "category_id", "type: int64, shape: [-1]", "")
	if c.Names {
		list = append(list, feature{key: "objects/label", spec: "{from: category.name, classes: auto, shape: [-1]}", note: "by the names of the categories"})
	}
	if v := c.objects["segmentation"]; v != nil {
		list = append(list, c.masks(v)...)
	}
	return list
}

// masks returns the features of segmentations. It has one feature for each form of a mask in the
// file. If only some annotations were inspected, it has one for each form that may occur. An object
// with a mask of another form has an empty value there.
func (c *coco) masks(v *value) (list []feature) {
	counts := v.fields["counts"]
	if counts == nil {
		counts = newValue(0)
	}
	add := func(occurs int, f feature) {
		if occurs > 0 || c.partial {
			list = append(list, c.ofAll("segmentation", f))
		}
	}
	aligned := func(f feature) feature { // lists of lists have no default
		if lacking := c.rows - v.present(); lacking > 0 {
			return f.asComment(f.spec, share(lacking, c.rows, "object")+" have no mask, and these lists have no default")
		}
		return f
	}
	add(v.lists, aligned(feature{key: "objects/segmentation", spec: `{from: "objects.segmentation.*", type: float, shape: [-1, -1, -1]}`, note: "polygons: x, y, x, y …"}))
	add(counts.strings, feature{key: "objects/rle/counts", spec: `{from: objects.segmentation.counts, type: bytes, shape: [-1], missing: {default: ""}}`, note: "compressed run lengths, as of pycocotools"})
	add(counts.lists, aligned(feature{key: "objects/rle/runs", spec: `{from: "objects.segmentation.counts.*", type: int64, shape: [-1, -1]}`, note: "run lengths, as of a crowd"}))
	add(v.objects, feature{key: "objects/rle/size", spec: `{from: objects.segmentation.size, type: int64, shape: [-1, 2], missing: {default: 0}}`, note: "height and width, of run lengths"})
	return list
}

// ofAll returns the feature, or a comment if no object of some source has the key: a list that is
// missing has no default.
func (c *coco) ofAll(key string, f feature) feature {
	if c.unused[key] && !f.skipped {
		return f.asComment(f.spec, "no object of some source has it")
	}
	return f
}
