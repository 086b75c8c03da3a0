package infer

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/sources/input"
)

// cocoNames match the names of documents in COCO's layout, the best first.
var cocoNames = []*regexp.Regexp{
	regexp.MustCompile(`(?i)(^instances|coco).*\.json$`),
	regexp.MustCompile(`(?i)^person_keypoints.*\.json$`),
	regexp.MustCompile(`(?i)\.json$`),
}

// addCOCO adds the documents of a directory that have the names of COCO's, if they have its layout. It
// reports whether it added any.
func (f *findings) addCOCO(ctx context.Context, dir string, all []string) (bool, error) {
	const most = 8 // documents of any name that are read
	named := func(p *regexp.Regexp) []string {
		return filter(all, func(name string) bool { return p.MatchString(base(name)) })
	}
	var names []string
	last := 0 // number of patterns that were tried
	for ; last < len(cocoNames) && names == nil; last++ {
		names = named(cocoNames[last])
	}
	anyName := last == len(cocoNames)
	if anyName && len(names) > most {
		return false, nil
	}
	var documents []found
	splits, isRead := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		path := store.Join(dir, name)
		r, err := f.types.recognize(f.System, path, false)
		if err != nil {
			return false, err
		}
		document := found{path: path, recognized: r, split: splitOf(name)}
		switch is, err := f.isCOCO(ctx, document); {
		case err != nil:
			return false, err
		case !is:
			continue
		case anyName && splits[document.split]:
			return false, nil // of the same images
		}
		splits[document.split], isRead[name] = true, true
		documents = append(documents, document)
	}
	if len(documents) == 0 {
		return false, nil
	}
	f.files = append(f.files, documents...)
	f.addUnread(dir, filter(all, func(name string) bool { return !isRead[name] && !isAuxiliary(name) }))
	if last == 1 && named(cocoNames[1]) != nil {
		f.note("The files person_keypoints have the keypoints of the same objects. " +
			"To join them: configs/coco-640.yaml does.")
	}
	return true, nil
}

// isCOCO reports whether a file is a document in COCO's layout.
func (f *findings) isCOCO(ctx context.Context, file found) (bool, error) {
	if file.typ == nil || file.typ.Choose == nil {
		return false, nil
	}
	choice, err := f.choose(ctx, file)
	return err == nil && choice.COCO != nil, err
}

// choose returns the options that the source type of files chooses for them.
func (f *findings) choose(ctx context.Context, all ...found) (*input.Choice, error) {
	return all[0].typ.Choose(ctx, &input.FileGroup{System: f.System, Paths: pathsOf(all), Matches: matchesOf(all)})
}

// A coco has the objects of a document in COCO's layout, or of documents that are joined to images.
type coco struct {
	*input.COCO
	*summary             // of the objects
	from     *sourceType // of the documents
	list     []source    // the documents; nil if they have the rows, too
	features []feature
}

// inspect inspects the objects of the sources of a draft.
func (c *coco) inspect(ctx context.Context, d *draft) error {
	inspect := func(options []input.Option) (*summary, error) {
		list := c.list
		if list == nil {
			list = d.list
		}
		of := d.of(c.from)
		for _, s := range list {
			s.steps, s.keys = nil, slices.Concat(s.keys[:s.fileLines], optionLines(options))
			of.list = append(of.list, s)
		}
		return of.inspectOnce(ctx)
	}
	var categories *summary
	var err error
	if c.summary, err = inspect(c.Objects); err == nil && c.Categories != nil {
		categories, err = inspect(c.Categories)
	}
	if err == nil {
		c.addFeatures(categories)
	}
	return err
}

// of returns a draft of other sources, with the names and directories of d.
func (d *draft) of(typ *sourceType, list ...source) *draft {
	f := &findings{System: d.System, types: d.types, typ: typ, workers: d.workers}
	return &draft{findings: f, name: d.name, output: d.output, dir: d.dir, outputDir: d.outputDir, list: list}
}

// addFeatures adds the features of the objects in an image and of their categories, which may be nil. Keys whose values
// are not as COCO has them get features by the rules for all columns.
func (c *coco) addFeatures(categories *summary) {
	n, forms := newChooser(c.summary, false), readLayouts()
	add := func(col *columnSummary, prefix string, of int) {
		at := location{columnSummary: col, key: "objects/" + col.name, path: prefix + col.name, of: of, outer: 1}
		n.addValue(col.profile, at)
	}
	for _, col := range c.columns {
		from, v := len(n.list), col.profile
		switch known := c.knownFeatures(forms[len(forms)-1], col.name, v); {
		case col.name == "image_id": // the id of the image
		case col.skipReason != "":
			n.leaveOut("objects."+col.name, col.skipReason)
		case known != nil:
			n.list = append(n.list, known...)
		default:
			add(col, "objects.", c.valid())
		}
		for i := range n.list[from:] {
			f := &n.list[from+i]
			if f.key == "objects/points" && strings.Contains(f.text(), ", 2]") {
				f.moves = "points: [{xy: objects.points, unit: pixel}]"
			}
			if v.sources < len(c.opened) && !f.skipped { // a list that is missing has no default
				*f = f.asComment("no object of some source has it")
			}
		}
	}
	if categories != nil {
		of := categories.valid()
		label := feature{key: "objects/label", from: "category.name",
			spec: spec{"classes: auto", "shape: [-1]"}, note: "by the names of the categories"}
		if id := c.unknownCategory(categories); id != "" {
			label.spec = spec{"type: string", "shape: [-1]", `missing: {default: ""}`}
			label.note += `; "" for an object whose category is in no list, such as ` + id
			of++ // such an object has none of the others, either
		}
		n.list = append(n.list, label)
		for _, col := range categories.columns {
			if col.name != "id" && col.name != "name" && col.skipReason == "" {
				add(col, "category.", of)
			}
		}
	}
	c.features = n.list
}

// unknownCategory returns a category_id of the objects that no category has, or null; empty for none.
func (c *coco) unknownCategory(categories *summary) string {
	ids := map[string]bool{}
	for _, col := range categories.columns {
		if col.name == "id" {
			for _, id := range col.profile.texts.counter.order {
				ids[id] = true
			}
		}
	}
	for _, col := range c.columns {
		if col.name == "category_id" && len(ids) > 0 {
			unknown := func(id string) bool { return !ids[id] }
			all := col.profile.texts.counter.order
			if i := slices.IndexFunc(all, unknown); i >= 0 {
				return all[i]
			} else if col.profile.present() < c.valid() {
				return "null"
			}
		}
	}
	return ""
}

// areNumbers reports whether all values are numbers.
func (p *profile) areNumbers() bool {
	return p != nil && p.numbers.count > 0 && p.numbers.count == p.present()
}

// isVector reports whether all values are lists of as many numbers.
func (p *profile) isVector() bool {
	return p.lists > 0 && p.lists == p.present() && p.least == p.most && p.elem.areNumbers() && p.elem.nulls == 0
}

// knownFeatures returns the features of a key of objects whose values are as COCO's layout has them; nil for others.
func (c *coco) knownFeatures(layout *form, key string, v *profile) (list []feature) {
	isKnown := map[string]bool{
		"bbox": v.isVector() && v.most == 4, "keypoints": v.isVector() && v.most%3 == 0, "area": v.areNumbers(),
		"iscrowd": v.bools == v.present() || v.areNumbers() && v.numbers.ints == v.numbers.count &&
			v.numbers.low >= 0 && v.numbers.high <= 1,
	}
	occurs := map[string]bool{"objects." + key: isKnown[key]}
	if key == "segmentation" {
		occurs = c.masks(v)
	}
	missing := c.valid() - v.present()
	for _, f := range layout.features {
		f.spec = spec{strings.Replace(f.spec[0], "N]", fmt.Sprint(v.most)+"]", 1)}
		if missing > 0 && !strings.Contains(f.spec[0], "missing") {
			value, as := "{default: 0}", "0"
			if strings.Contains(f.spec[0], "-1, -1") {
				value, as = "empty_list", "empty"
			}
			f.spec.add("missing", value)
			f.note = joinNotes(f.note, share(missing, c.valid(), "object")+" without it, read as "+as)
		}
		if occurs[f.from] {
			list = append(list, f)
		}
	}
	return list
}

// masks returns the columns of segmentations, one for each form of a mask in the file; none if some mask has another
// form. If only some annotations were inspected, each form may occur. An object with a mask of another form has an
// empty value there.
func (c *coco) masks(v *profile) map[string]bool {
	numbers := func(v *profile) bool { return v == nil || v.numbers.count == v.count }
	size, counts := v.fields["size"], v.fields["counts"]
	if counts == nil {
		size, counts = newProfile(0, 0), newProfile(0, 0)
	}
	isPolygons := v.lists == 0 || v.elem.lists == v.elem.count && numbers(v.elem.elem)
	isRuns := size != nil && size.lists == v.objects && counts.texts.count+counts.lists == v.objects &&
		numbers(counts.elem) && numbers(size.elem)
	if v.lists+v.objects != v.present() || !isPolygons || !isRuns {
		return nil
	}
	const of = "objects.segmentation."
	return map[string]bool{of + "*": c.partial || v.lists > 0, of + "counts": c.partial || counts.texts.count > 0,
		of + "counts.*": c.partial || counts.lists > 0, of + "size": c.partial || v.objects > 0}
}
