package infer

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"tfr-build/internal/store"
	"tfr-build/sources/input"
)

// cocoNames match the names of documents in COCO's layout, the best first.
var cocoNames = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^instances.*\.json$|coco.*\.json$`),
	regexp.MustCompile(`(?i)^person_keypoints.*\.json$`),
}

// addCOCO adds the documents of a directory that have the names of COCO's, if they have its layout. It
// reports whether it added any.
func (f *findings) addCOCO(ctx context.Context, dir string, names []string) (bool, error) {
	i := slices.IndexFunc(cocoNames, func(p *regexp.Regexp) bool {
		return slices.ContainsFunc(names, func(name string) bool { return p.MatchString(base(name)) })
	})
	if i < 0 {
		return false, nil
	}
	var documents []found
	for _, name := range names {
		if !cocoNames[i].MatchString(base(name)) {
			continue
		}
		path := store.Join(dir, name)
		r, err := f.types.recognize(f.sys, path, false)
		if err != nil {
			return false, err
		}
		if is, err := f.isCOCO(ctx, path, &r); err != nil || !is {
			return false, err
		}
		documents = append(documents, found{path: path, recognized: r, split: splitOf(name)})
	}
	f.files = append(f.files, documents...)
	if i == 0 && slices.ContainsFunc(names, func(name string) bool { return cocoNames[1].MatchString(base(name)) }) {
		f.notes = append(f.notes, "The files person_keypoints have the keypoints of the same objects. To join them: configs/coco-640.yaml does.")
	}
	return true, nil
}

// isCOCO reports whether a file is a document in COCO's layout.
func (f *findings) isCOCO(ctx context.Context, path string, r *recognized) (bool, error) {
	if r.typ == nil || r.typ.Choose == nil {
		return false, nil
	}
	choice, err := r.typ.Choose(ctx, &input.FileGroup{System: f.sys, Paths: []string{path}, Matches: []input.Match{r.match}})
	return err == nil && choice.COCO != nil, err
}

// A coco has the objects of a document in COCO's layout.
type coco struct {
	*input.COCO
	objects map[string]*value // the objects by key
	rows    int               // objects that were inspected
	partial bool              // the document has more objects
	unused  map[string]bool   // keys that no object of some source has
	images  []*imageColumn    // the images of each source, if there are several; nil for a source without
}

// inspect inspects the objects of the sources of a draft.
func (c *coco) inspect(ctx context.Context, d *draft) error {
	of := &draft{System: d.System, name: d.name, output: d.output, dir: d.dir, outputDir: d.outputDir, workers: d.workers, types: d.types, typ: d.typ}
	if err := c.findImages(ctx, d, of); err != nil {
		return err
	}
	of.list = nil
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

// findImages finds the images of each source, if there are several sources.
func (c *coco) findImages(ctx context.Context, d, of *draft) error {
	for i := range d.list {
		if len(d.list) == 1 {
			break
		}
		of.list = []source{{name: d.list[i].name, split: d.list[i].split, keys: d.list[i].keys}}
		summary, err := of.inspectOnce(ctx)
		if err != nil {
			return err
		}
		c.images = append(c.images, summary.findImageColumn())
	}
	return nil
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
	add("bbox", "bbox", "type: float, shape: [-1, 4], boxes: {layout: xywh, unit: pixel}", "x, y, width, height")
	add("area", "area", "type: float, shape: [-1]", "")
	add("is_crowd", "iscrowd", "type: bool, shape: [-1]", "")
	add("category_id", "category_id", "type: int64, shape: [-1]", "")
	if v := c.objects["keypoints"]; v != nil && v.lists > 0 && v.least == v.most {
		add("keypoints", "keypoints", fmt.Sprintf("type: float, shape: [-1, %d]", v.most), "x, y, visibility of each point")
		add("num_keypoints", "num_keypoints", "type: int64, shape: [-1]", "")
	}
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
