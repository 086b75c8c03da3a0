package lossless

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/parquettest"
	"tfr-build/internal/testenv"
	"tfr-build/tfrecord"
)

// A layout makes files in a directory. It returns the paths for init, and the rows of the files.
type layout func(t *testing.T, dir string) (paths []string, rows []Row)

var layouts = map[string]layout{
	"COCO":                      layCOCO,
	"COCO, categories as words": layCOCOWords,
	"VOC":                       layVOC,
	"VOC with lists":            layVOCLists,
	"VOC of two years":          layVOCYears,
	"VOC with parts":            layVOCParts,
	"YOLO":                      layYOLO,
	"KITTI":                     layKITTI,
	"CVAT":                      layCVAT,
	"CVAT, one document":        layCVATDocument,
	"VIA 2":                     layVIA,
	"VIA 1":                     layVIA1,
	"LabelMe":                   layLabelMe,
	"RLDS":                      layRLDS,
	"Parquet of Hugging Face":   layHuggingFace,
	"Parquet of pandas":         layPandas,
	"CSV of Spark":              laySpark,
	"CSV with gzip":             layGzip,
	"CSV of splits":             laySplits,
	"JSON Lines":                layLines,
	"GeoJSON":                   layGeoJSON,
	"npz":                       layNPZ,
	"IDX":                       layIDX,
	"TFRecord":                  layTFRecord,
	"WebDataset":                layWebDataset,
	"zip of images":             layZip,
	"images in classes":         layClasses,
	"images and masks":          layMasks,
	"CSV with names of images":  layNamed,
	"series":                    laySeries,
	"elements with attributes":  layAttributes,
}

// TestLayouts checks that each value of each layout is in the records.
func TestLayouts(t *testing.T) {
	for name, make := range testenv.Some(0, 8, layouts) {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			paths, rows := make(t, dir)
			a := check(t, dir, paths, rows)
			t.Logf("%s", a.Config)
		})
	}
}

// picture returns an image whose pixels depend on a number.
func picture(t testing.TB, form string, n, width, height int) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		m.Set(i%width, i/width, color.RGBA{uint8(n * 37), uint8(i * 11), uint8(n + i), 255})
	}
	var b bytes.Buffer
	err := jpeg.Encode(&b, m, nil)
	if form == "png" {
		b.Reset()
		err = png.Encode(&b, m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// object returns an Object of keys and values.
func object(list ...any) (o Object) {
	for i := 0; i < len(list); i += 2 {
		o = append(o, Member{Key: list[i].(string), Value: list[i+1]})
	}
	return o
}

func put(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	testenv.Put(t, path, text)
	return path
}

// parsed returns a JSON value as an Object.
func parsed(t testing.TB, text string) Object {
	t.Helper()
	return must(ReadLines("", []byte(text)))[0].Value
}

// must returns a value that the test itself has made.
func must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

func layCOCO(t *testing.T, dir string) ([]string, []Row) {
	return cocoDirectory(t, dir, func(i int) string { return fmt.Sprint(i%3 + 1) })
}

// layCOCOWords has the ids of categories as strings, a missing iscrowd, and another key.
func layCOCOWords(t *testing.T, dir string) ([]string, []Row) {
	return cocoDirectory(t, dir, func(i int) string { return fmt.Sprintf("%q", fmt.Sprint(i%3+1)) })
}

func cocoDirectory(t *testing.T, dir string, category func(i int) string) ([]string, []Row) {
	t.Helper()
	var images, annotations []string
	for i := range 12 {
		picture := picture(t, "jpg", i, 16+i, 12)
		name := fmt.Sprintf("%012d.jpg", i+100)
		put(t, dir, "coco/val2017/"+name, picture)
		text := fmt.Sprintf(
			`{"id": %d, "file_name": %q, "width": %d, "height": 12, "license": %d, "date_captured": "2013-11-14 `+
				`11:18:%02d"}`,
			i+100, name, 16+i, i%2+1, i)
		images = append(images, text)
		for j := range i % 4 {
			n := i*4 + j
			text := fmt.Sprintf(
				`{"id": %d, "image_id": %d, "category_id": %s, "bbox": [%d, 1.25, 5, %d.5], "area": %d.5, `+
					`"iscrowd": %d, `+
					`"segmentation": [[1, 2, 3.5, %d, 5, 6]]}`, n+900100000, i+100, category(n), j, j+2, n, n%2, n)
			annotations = append(annotations, text)
		}
	}
	put(t, dir, "coco/annotations/instances_val2017.json",
		`{"info": {"year": 2017}, "images": [`+strings.Join(images, ", ")+`], "annotations": [`+
			strings.Join(
				annotations, ", ")+`], "categories": [{"id": 1, "name": "cat", "supercategory": "animal"}, {"id": `+
			`2, "name": "car", "supercategory": "vehicle"}, {"id": 3, "name": "dog", "supercategory": "animal"}]}`)
	return []string{filepath.Join(dir, "coco")}, coco("annotations/instances_val2017.json", "val2017")(t,
		filepath.Join(dir, "coco"))
}

// vocText is a document of VOC.
func vocText(name string, i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<annotation>\n\t<folder>VOC2007</folder><filename>%s</filename>\n\t<source><database>The "+
		"VOC</database><flickrid>%d</flickrid></source>\n", name, 341012865+i)
	fmt.Fprintf(&b, "\t<size><width>%d</width><height>12</height><depth>3</depth></size><segmented>%d</segmented>\n",
		16+i, i%2)
	for j := range 1 + i%3 {
		fmt.Fprintf(&b, "\t<object><name>%s</name><pose>%s</pose><truncated>%d</truncated><difficult>%d</difficult><bndbox>"+
			"<xmin>%d</xmin><ymin>2</ymin><xmax>%d</xmax><ymax>%d.5</ymax></bndbox></object>\n",
			[]string{"cat", "dog", "NA"}[(i+j)%3], []string{"Left", "Unspecified"}[j%2], j%2, i%2, j, j+5, i)
	}
	b.WriteString("</annotation>\n")
	return b.String()
}

// voc makes documents and images in two directories.
func voc(t *testing.T, dir, documents, images string, of func(i int) string, n int) (rows []Row) {
	t.Helper()
	for i := range n {
		stem := fmt.Sprintf("%06d", i+1)
		text := of(i)
		file := put(t, dir, documents+"/"+stem+".xml", text)
		picture := picture(t, "jpg", i+len(documents)*5, 16+i, 12)
		put(t, dir, images+"/"+stem+".jpg", picture)
		row := must(ReadXML(file, []byte(text)))
		row.Value = append(row.Value, object("image", []byte(picture))...)
		rows = append(rows, row)
	}
	return rows
}

func layVOC(t *testing.T, dir string) ([]string, []Row) {
	rows := voc(t, dir, "voc/Annotations", "voc/JPEGImages",
		func(i int) string { return vocText(fmt.Sprintf("%06d.jpg", i+1), i) }, 20)
	return []string{filepath.Join(dir, "voc")}, rows
}

func layVOCLists(t *testing.T, dir string) ([]string, []Row) {
	paths, rows := layVOC(t, dir)
	lists := map[string]string{}
	for i := range rows {
		list := []string{"train", "train", "val", "test"}[i%4]
		lists[list] += fmt.Sprintf("%06d\n", i+1)
	}
	for name, text := range lists {
		put(t, dir, "voc/ImageSets/Main/"+name+".txt", text)
	}
	return paths, rows
}

func layVOCYears(t *testing.T, dir string) ([]string, []Row) {
	of := func(i int) string { return vocText(fmt.Sprintf("%06d.jpg", i+1), i) }
	rows := voc(t, dir, "voc/VOC2007/Annotations", "voc/VOC2007/JPEGImages", of, 12)
	rows = append(rows, voc(t, dir, "voc/VOC2012b/Annotations", "voc/VOC2012b/JPEGImages", of, 12)...)
	return []string{filepath.Join(dir, "voc")}, rows
}

func layVOCParts(t *testing.T, dir string) ([]string, []Row) {
	of := func(i int) string {
		parts, yaw := "", ""
		for j := range i % 3 {
			parts += fmt.Sprintf("<part><name>head</name><bndbox><xmin>%d</xmin></bndbox></part>", j)
		}
		if i%2 == 0 {
			yaw = fmt.Sprintf("<pose><yaw>%d</yaw></pose>", i)
		}
		return fmt.Sprintf(
			`<annotation `+
				`verified="yes"><filename>%06d.jpg</filename><object><name>person</name>%s%s</object><object><name>`+
				`dog</name></object></annotation>`, i+1, yaw, parts)
	}
	return []string{filepath.Join(dir, "voc")}, voc(t, dir, "voc/Annotations", "voc/JPEGImages", of, 12)
}

func layYOLO(t *testing.T, dir string) ([]string, []Row) {
	var rows []Row
	for i := range 16 {
		split := []string{"train", "train", "val"}[i%3]
		content := picture(t, "jpg", i, 16, 12+i)
		file := put(t, dir, fmt.Sprintf("yolo/images/%s/%d.jpg", split, i), content)
		var text string
		objects := []any{}
		for j := range i % 4 {
			line := fmt.Sprintf("%d 0.5 0.%d 0.125 0.2%d", j, i+1, i)
			text += line + "\n"
			words := strings.Fields(line)
			var box []any
			for _, w := range words[1:] {
				box = append(box, Cell{Text: w})
			}
			objects = append(objects, object("class", Cell{Text: words[0]}, "box", box))
		}
		put(t, dir, fmt.Sprintf("yolo/labels/%s/%d.txt", split, i), text)
		rows = append(rows, Row{File: file, Value: object("image", []byte(content), "objects", objects)})
	}
	put(t, dir, "yolo/data.yaml", "names: [a, b, c]\n")
	return []string{filepath.Join(dir, "yolo")}, rows
}

// layKITTI has the labels of KITTI, one file per image, with blanks between 15 columns.
func layKITTI(t *testing.T, dir string) ([]string, []Row) {
	for i := range 12 {
		var text strings.Builder
		for j := range 2 + i%2 {
			fmt.Fprintf(&text, "%s 0.%02d %d -1.5%d 599.41 156.%02d 629.75 189.25 2.85 2.63 12.34 0.47 1.49 69.44 "+
				"-1.56\n", []string{"Car", "Pedestrian", "DontCare"}[(i+j)%3], i, j, j, i)
		}
		put(t, dir, fmt.Sprintf("label_2/%06d.txt", i), text.String())
	}
	dir = filepath.Join(dir, "label_2")
	return []string{dir}, words(15, false)(t, dir)
}

const cvatImage = `<image id="%d" name="%d.png" width="%d" height="12"><box label="%s" source="manual" occluded="%d" ` +
	`xtl="%d.5" ytl="1" xbr="9.25" ybr="8" z_order="0"><attribute name="color">%s</attribute></box>%s</image>`

func cvatText(i int) string {
	polygon := ""
	if i%3 == 0 {
		polygon = fmt.Sprintf(`<polygon label="car" points="1.5,2;3,4.25;%d,6" occluded="0"></polygon>`, i)
	}
	return fmt.Sprintf(cvatImage, i, i, 16+i, []string{"car", "dog"}[i%2], i%2, i, []string{"red", "blue"}[i%2],
		polygon)
}

func layCVAT(t *testing.T, dir string) ([]string, []Row) {
	var rows []Row
	for i := range 12 {
		text := cvatText(i)
		file := put(t, dir, fmt.Sprintf("cvat/%d.xml", i), text)
		rows = append(rows, must(ReadXML(file, []byte(text))))
	}
	return []string{filepath.Join(dir, "cvat")}, rows
}

func layCVATDocument(t *testing.T, dir string) ([]string, []Row) {
	var rows []Row
	var all strings.Builder
	file := filepath.Join(dir, "annotations.xml")
	for i := range 12 {
		text := cvatText(i)
		all.WriteString(text + "\n")
		rows = append(rows, must(ReadXML(file, []byte(text))))
	}
	put(t, dir, "annotations.xml",
		"<?xml version=\"1.0\" "+
			"encoding=\"utf-8\"?>\n<annotations><version>1.1</version><meta><task><id>7</id><name>it</name></task>"+
			"</meta>\n"+all.String()+"</annotations>\n")
	return []string{file}, rows
}

// document makes a JSON document of an object of rows.
func document(t *testing.T, dir, name string, keys []string, values []string) ([]string, []Row) {
	t.Helper()
	var list []string
	for i, key := range keys {
		list = append(list, fmt.Sprintf("%q: %s", key, values[i]))
	}
	text := "{" + strings.Join(list, ", ") + "}"
	file := put(t, dir, name, text)
	return []string{file}, must(ReadDocument(file, []byte(text), ".", "key"))
}

func layVIA(t *testing.T, dir string) ([]string, []Row) {
	var keys, values []string
	for i := range 12 {
		keys = append(keys, fmt.Sprintf("%d.jpg%d", i, 100+i))
		values = append(values, fmt.Sprintf(`{"filename": "%d.jpg", "size": %d, "file_attributes": {}, "regions": [`+
			`{"shape_attributes": {"name": "rect", "x": %d, "y": 1, "width": 9, "height": 2}, "region_attributes": `+
			`{"label": "cat"}}, `+
			`{"shape_attributes": {"name": "polygon", "all_points_x": [1, 2, %d], "all_points_y": [4, 5, 6]}, `+
			`"region_attributes": {"label": "dog"}}]}`, i, 100+i, i, i))
	}
	return document(t, dir, "via.json", keys, values)
}

func layVIA1(t *testing.T, dir string) ([]string, []Row) {
	var keys, values []string
	for i := range 12 {
		keys = append(keys, fmt.Sprintf("%d.jpg%d", i, 100+i))
		values = append(values, fmt.Sprintf(
			`{"fileref": "", "size": %d, "filename": "%d.jpg", "base64_img_data": "", "file_attributes": {}, `+
				`"regions": {"0": {"shape_attributes": {"name": "rect", "x": %d, "y": 1, "width": 9, "height": 2}, `+
				`"region_attributes": {"label": "cat"}}, "5": `+
				`{"shape_attributes": {"name": "rect", "x": 3, "y": %d, "width": 9, "height": 2}, `+
				`"region_attributes": {"label": "dog"}}}}`, 100+i, i, i, i))
	}
	return document(t, dir, "via1.json", keys, values)
}

// layLabelMe has a document next to each image, whose other keys are in the document only.
func layLabelMe(t *testing.T, dir string) ([]string, []Row) {
	var rows []Row
	for i := range 12 {
		name := fmt.Sprintf("%d.jpg", i)
		content := picture(t, "jpg", i, 16, 12)
		file := put(t, dir, "labelme/"+name, content)
		text := fmt.Sprintf(
			`{"version": "5.0.1", "flags": {}, "shapes": [{"label": "cat", "points": [[1.5, 2], [3, %d.25]], `+
				`"group_id": null, "shape_type": "polygon", "flags": {}}, `+
				`{"label": "dog", "points": [[1, 2], [3, 4], [5, %d]], "group_id": %d, "shape_type": "polygon", `+
				`"flags": {}}], `+
				`"imagePath": %q, "imageData": null, "imageHeight": 12, "imageWidth": %d}`, i, i, i, name, 16+i)
		put(t, dir, fmt.Sprintf("labelme/%d.json", i), text)
		shapes, _ := parsed(t, text).Get("shapes")
		rows = append(rows, Row{File: file, Value: object("image", []byte(content), "objects", shapes, "document",
			[]byte(text))})
	}
	return []string{filepath.Join(dir, "labelme")}, rows
}

// layRLDS has steps of episodes in JSON Lines.
func layRLDS(t *testing.T, dir string) ([]string, []Row) {
	var b strings.Builder
	for i := range 12 {
		var steps []string
		for j := range 2 + i%3 {
			steps = append(steps, fmt.Sprintf(
				`{"observation": {"state": [%d.5, %d], "language": "go to %d"}, "action": [0.25, %d], "reward": %d.5, `+
					`"discount": 1.0, "is_first": %v, "is_last": %v, "is_terminal": false}`, i, j, j, j, j, j == 0,
				j == 1+i%3))
		}
		fmt.Fprintf(&b, `{"episode_id": %d, "steps": [%s]}`+"\n", i, strings.Join(steps, ", "))
	}
	file := put(t, dir, "episodes.jsonl", b.String())
	return []string{file}, must(ReadLines(file, []byte(b.String())))
}

func layHuggingFace(t *testing.T, dir string) ([]string, []Row) {
	const n = 30
	var images [][]byte
	var paths, captions []string
	var labels, ids []int64
	var scores []float64
	var rows []Row
	file := filepath.Join(dir, "train-00000-of-00001.parquet")
	missing := make([]bool, n)
	for i := range n {
		images = append(images, []byte(picture(t, "png", i, 8+i%3, 6)))
		paths = append(paths, fmt.Sprintf("%d.png", i))
		labels = append(labels, int64(i%3))
		ids = append(ids, 1250180000000000000+int64(i))
		scores = append(scores, float64(i)/7)
		captions = append(captions, fmt.Sprintf("a caption of picture %d", i))
		missing[i] = i%5 == 4
		row := object("image", images[i], "label", labels[i], "id", ids[i], "score", scores[i], "caption", captions[i])
		if missing[i] {
			row[len(row)-1].Value = nil
		}
		rows = append(rows, Row{File: file, Value: row})
	}
	data := parquettest.File(n, parquettest.Column{Name: "image.bytes", Values: images},
		parquettest.Column{Name: "image.path", Values: paths},
		parquettest.Column{Name: "label", Values: labels}, parquettest.Column{Name: "id", Values: ids},
		parquettest.Column{Name: "score", Values: scores},
		parquettest.Column{Name: "caption", Values: captions, Missing: missing})
	put(t, dir, "train-00000-of-00001.parquet", string(data))
	return []string{file}, rows
}

func layPandas(t *testing.T, dir string) ([]string, []Row) {
	const n = 40
	var index []int64
	var names []string
	var values []float64
	var rows []Row
	file := filepath.Join(dir, "t.parquet")
	for i := range n {
		index = append(index, int64(i*7%n))
		names = append(names, []string{"NA", "DE", "FR"}[i%3])
		values = append(values, []float64{math.NaN(), 1e-3, 16777217}[i%3])
		rows = append(rows, Row{File: file, Value: object("value", values[i], "country", names[i], "__index_level_0__",
			index[i])})
	}
	put(t, dir, "t.parquet", string(parquettest.File(n, parquettest.Column{Name: "value", Values: values},
		parquettest.Column{Name: "country", Values: names}, parquettest.Column{Name: "__index_level_0__",
			Values: index})))
	return []string{file}, rows
}

const tripHeader = "id,zone,fare,paid\n"

func tripLines(from, n int) string {
	var b strings.Builder
	for i := from; i < from+n; i++ {
		fmt.Fprintf(&b, "%d,%s,%d.25,%v\n", i*i, []string{"north", "south, far", "east"}[i%3], i%17, i%2 == 0)
	}
	return strings.ReplaceAll(b.String(), "south, far", `"south, far"`)
}

// tables makes tables and returns their rows.
func tables(t *testing.T, dir string, texts map[string]string) (rows []Row) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		file := put(t, dir, name, texts[name])
		rows = append(rows, must(ReadTable(file, texts[name], Dialect{Delimiter: ','}))...)
	}
	return rows
}

func laySpark(t *testing.T, dir string) ([]string, []Row) {
	rows := tables(t, dir, map[string]string{
		"trips/part-00000-8f5c3b1e-c000.csv": tripHeader + tripLines(0, 30),
		"trips/part-00001-8f5c3b1e-c000.csv": tripHeader + tripLines(30, 20),
	})
	put(t, dir, "trips/_SUCCESS", "")
	put(t, dir, "trips/._SUCCESS.crc", "crc\x00")
	put(t, dir, "trips/.part-00000-8f5c3b1e-c000.csv.crc", "crc\x00\x01")
	return []string{filepath.Join(dir, "trips")}, rows
}

func layGzip(t *testing.T, dir string) ([]string, []Row) {
	text := tripHeader + tripLines(0, 40)
	file := put(t, dir, "trips.csv.gz", filetest.Gzip(text))
	return []string{file}, must(ReadTable(file, text, Dialect{Delimiter: ','}))
}

func laySplits(t *testing.T, dir string) ([]string, []Row) {
	rows := tables(t, dir, map[string]string{"trips/train.csv": tripHeader + tripLines(0, 30),
		"trips/test.csv": tripHeader + tripLines(30, 20)})
	return []string{filepath.Join(dir, "trips")}, rows
}

func layLines(t *testing.T, dir string) ([]string, []Row) {
	var b strings.Builder
	for i := range 60 {
		more := []string{"", `, "note": null`, `, "note": "NA"`}[i%3]
		fmt.Fprintf(
			&b, `{"id": %d, "user": {"name": "u%d", "tags": [%s]}, "points": [[%d, 2.5], [3, 4]], "ok": "%v", `+
				`"flag": %v, "n": %s, "mixed": %s%s}`+"\n",
			1<<53+1+i, i%7, strings.Repeat(`"x", `, i%3)+`"y"`, i, i%2 == 0, i%3 == 0,
			[]string{"1", "2.5", "16777217"}[i%3], []string{"1", `"a"`, "[2]"}[i%3], more)
	}
	file := put(t, dir, "lines.jsonl", b.String())
	return []string{file}, must(ReadLines(file, []byte(b.String())))
}

func layGeoJSON(t *testing.T, dir string) ([]string, []Row) {
	var list []string
	for i := range 20 {
		geometry := fmt.Sprintf(`{"type": "Point", "coordinates": [%d.5, 52.25]}`, i)
		if i%3 == 2 {
			geometry = fmt.Sprintf(`{"type": "Polygon", "coordinates": [[[0, 0], [1.5, %d], [0, 0]]]}`, i)
		}
		list = append(list, fmt.Sprintf(
			`{"type": "Feature", "id": "f%d", "properties": {"name": "place %d", "population": %d, "zip": "0%d"}, `+
				`"geometry": %s}`, i, i, i*1000, 1000+i, geometry))
	}
	text := `{"type": "FeatureCollection", "name": "places", "features": [` + strings.Join(list, ",\n") + "]}"
	file := put(t, dir, "places.geojson", text)
	return []string{file}, must(ReadDocument(file, []byte(text), "features", ""))
}

func layNPZ(t *testing.T, dir string) ([]string, []Row) {
	const n = 20
	var x, y, z string
	var rows []Row
	file := filepath.Join(dir, "digits.npz")
	for i := range n {
		var pixels []byte
		for j := range 12 {
			pixels = append(pixels, byte(i*12+j))
		}
		x += string(pixels)
		y += string(binary.LittleEndian.AppendUint64(nil, uint64(i%10)))
		f := []float32{float32(i) / 3, -1}
		z += string(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, math.Float32bits(f[0])),
			math.Float32bits(f[1])))
		rows = append(rows, Row{File: file, Value: object("x", pixels, "y", int64(i%10), "z",
			[]any{float64(f[0]), float64(f[1])})})
	}
	put(t, dir, "digits.npz", filetest.Zip(t, "x.npy", filetest.NPY("|u1", "(20, 4, 3)", x), "y.npy",
		filetest.NPY("<i8", "(20,)", y), "z.npy", filetest.NPY("<f4", "(20, 2)", z)))
	return []string{file}, rows
}

func layIDX(t *testing.T, dir string) ([]string, []Row) {
	const n = 20
	var x, y string
	var rows []Row
	for i := range n {
		pixels := []byte{byte(i), 255, 0, byte(i * 3), 7, 9}
		x, y = x+string(pixels), y+string(byte(i%10))
		rows = append(rows, Row{File: filepath.Join(dir, "train-images-idx3-ubyte"),
			Value: object("images", pixels, "labels", int64(i%10))})
	}
	put(t, dir, "train-images-idx3-ubyte", filetest.IDX(0x08, x, n, 2, 3))
	put(t, dir, "train-labels-idx1-ubyte", filetest.IDX(0x08, y, n))
	return []string{dir}, rows
}

// exampleOf returns an Example with features in order.
func exampleOf(features ...string) string {
	field := func(number int, content string) string {
		return string(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number<<3|2)), uint64(len(content)))) +
			content
	}
	var all string
	for i := 0; i < len(features); i += 3 {
		kind := map[string]int{"bytes": 1, "float": 2, "int": 3}[features[i+1]]
		all += field(1, field(1, features[i])+field(2, field(kind, field(1, features[i+2]))))
	}
	return field(1, all)
}

func layTFRecord(t *testing.T, dir string) ([]string, []Row) {
	var b []byte
	var rows []Row
	file := filepath.Join(dir, "train.tfrecord")
	for i := range 20 {
		floats := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil,
			math.Float32bits(float32(i)/3)), math.Float32bits(2))
		id := int64(1250180000000000000 + i)
		b = tfrecord.TFRecord.Append(b, []byte(exampleOf("id", "int", string(binary.AppendUvarint(nil, uint64(id))),
			"box", "float", string(floats), "name", "bytes", fmt.Sprintf("NA %d", i))))
		rows = append(rows, Row{File: file, Value: object("id", id, "box", []any{float64(float32(i) / 3), 2.0}, "name",
			fmt.Sprintf("NA %d", i))})
	}
	put(t, dir, "train.tfrecord", string(b))
	return []string{file}, rows
}

func layWebDataset(t *testing.T, dir string) ([]string, []Row) {
	var members []string
	var rows []Row
	file := filepath.Join(dir, "shard-000.tar")
	for i := range 12 {
		key := fmt.Sprintf("%06d", i)
		content := picture(t, "jpg", i, 8, 6+i)
		text := fmt.Sprintf(`{"caption": "a picture %d", "box": [1, %d], "id": "0%d"}`, i, i, i)
		members = append(members, key+".jpg", content, key+".json", text, key+".cls", fmt.Sprint(i%3), key+".txt",
			fmt.Sprintf("NA %d", i))
		rows = append(rows, Row{File: file, Value: object("jpg", []byte(content), "json", parsed(t, text), "cls",
			Cell{Text: fmt.Sprint(i % 3)}, "txt", Cell{Text: fmt.Sprintf("NA %d", i)}, "key", Cell{Text: key})})
	}
	put(t, dir, "shard-000.tar", filetest.Tar(t, members...))
	return []string{file}, rows
}

func layZip(t *testing.T, dir string) ([]string, []Row) {
	var members []string
	var rows []Row
	file := filepath.Join(dir, "pets.zip")
	for i := range 12 {
		class := []string{"cat", "dog"}[i/6]
		content := picture(t, "png", i, 8, 6+i)
		members = append(members, fmt.Sprintf("%s/%02d.png", class, i), content)
		rows = append(rows, Row{File: file, Value: object("image", []byte(content), "class", Cell{Text: class})})
	}
	put(t, dir, "pets.zip", filetest.Zip(t, members...))
	return []string{file}, rows
}

func layClasses(t *testing.T, dir string) ([]string, []Row) {
	var rows []Row
	for i := range 12 {
		class := []string{"cat", "dog"}[i/6]
		content := picture(t, "png", i, 8, 6+i)
		file := put(t, dir, fmt.Sprintf("pets/%s/%02d.png", class, i), content)
		rows = append(rows, Row{File: file, Value: object("image", []byte(content), "class", Cell{Text: class})})
	}
	return []string{filepath.Join(dir, "pets")}, rows
}

// layMasks has a directory of images and one of masks with the same names.
func layMasks(t *testing.T, dir string) ([]string, []Row) {
	var rows []Row
	for i := range 8 {
		content, mask := picture(t, "jpg", i, 8, 6), picture(t, "png", i, 8, 6)
		file := put(t, dir, fmt.Sprintf("data/images/%d.jpg", i), content)
		put(t, dir, fmt.Sprintf("data/masks/%d.png", i), mask)
		rows = append(rows, Row{File: file, Value: object("image", []byte(content), "mask", []byte(mask))})
	}
	return []string{filepath.Join(dir, "data")}, rows
}

func layNamed(t *testing.T, dir string) ([]string, []Row) {
	var b strings.Builder
	b.WriteString("file,label\n")
	var pictures []string
	for i := range 20 {
		pictures = append(pictures, picture(t, "jpg", i, 8, 6))
		put(t, dir, fmt.Sprintf("images/%d.jpg", i), pictures[i])
		fmt.Fprintf(&b, "%d.jpg,%d\n", i, i%2)
	}
	file := put(t, dir, "t.csv", b.String())
	rows := must(ReadTable(file, b.String(), Dialect{Delimiter: ','}))
	for i := range rows {
		rows[i].Value = append(rows[i].Value, object("image", []byte(pictures[i]))...)
	}
	return []string{file}, rows
}

func laySeries(t *testing.T, dir string) ([]string, []Row) {
	var b strings.Builder
	b.WriteString("sensor,time,value,state,site\n")
	for i := range 40 {
		for s := range 5 {
			value := fmt.Sprintf("%d.5", i*s)
			if i%11 == 10 {
				value = ""
			}
			fmt.Fprintf(&b, "s%d,2024-01-%02d %02d:00:00,%s,%s,%s\n", s, 1+i/24, i%24, value,
				[]string{"on", "off", "NA"}[(i+s)%3], []string{"north", "south"}[s%2])
		}
	}
	file := put(t, dir, "sensors.csv", b.String())
	return []string{file}, must(ReadTable(file, b.String(), Dialect{Delimiter: ','}))
}

// layAttributes has elements with both text and attributes.
func layAttributes(t *testing.T, dir string) ([]string, []Row) {
	var rows []Row
	for i := range 12 {
		text := fmt.Sprintf(`<r><b k="%d">text %d</b><c>v%d</c><d><e f="1">x</e><e f="%d">NA</e></d></r>`, i, i, i, i)
		file := put(t, dir, fmt.Sprintf("x/%d.xml", i), text)
		rows = append(rows, must(ReadXML(file, []byte(text))))
	}
	return []string{filepath.Join(dir, "x")}, rows
}
