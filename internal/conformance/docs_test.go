package conformance

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tfr-build/internal/parquettest"
	"tfr-build/pipeline"
)

// docData is the input of the examples of docs/reference/config that are built.
func docData() map[string]string {
	var pixels, cells strings.Builder
	for i := range 784 {
		fmt.Fprintf(&pixels, ",p%d", i)
		fmt.Fprintf(&cells, ",%d", i%256)
	}
	header, row := "label,labels"+pixels.String(), "3,3"+cells.String()
	for i := range 64 {
		header += fmt.Sprintf(",e%02d", i)
		row += fmt.Sprintf(",%d.5", i)
	}
	return map[string]string{
		"Annotations/1.xml": "<annotation><size><width>500</width></size><object><name>cat</name><difficult>1</difficult>" +
			"<bndbox><xmin>1</xmin></bndbox></object>" +
			"<object><name>dog</name><bndbox><xmin>2.5</xmin></bndbox></object></annotation>",
		"task.xml": "<annotations><meta/><image name='a.jpg'><box label='cat' xtl='1.5'/></image><image " +
			"name='b.jpg'/></annotations>",
		"a.csv": "x,id,name,score,fold,digit,smoker,size,caption,ymin,xmin,ymax,xmax\n" +
			"x,1,Ann,0.5,0,7,yes,small,a cat,0,0.1,0.5,1\ny,2,Bo,,1,0,no,odd,a " +
			"dog,0,0,1,1\nz,3,Cy,2,2,9,no,large,,0,0,1,1\n",
		"sensors/1.jsonl": `{"station": "north", "started": 60, "samples": [{"t": 1.5, "xyz": [0, 0, 9.8]}, {"t": 2, ` +
			`"xyz": [0, 1, 9.8]}]}` + "\n" + `{"station": "south", "started": 0, "samples": []}` + "\n",
		"proteins/1abc.pdb": "ATOM",
		"mnist.csv":         header + "\n" + row + "\n" + row + "\n",
		"annotations.jsonl": `{"segmentation": [[1, 2, 3.5], [4]], "regions": {"0": {"xs": [1, 2]}, "3": {}}}` + "\n" +
			`{"segmentation": []}` + "\n",
		"boxes.csv": "box,outline\n\"[0, 0.5, 1, 1]\",\"[[1, 2], [3]]\"\n\"[0, 0, 1, 1]\",\n",
		"visits.csv": "day,seen_at,arrived,closed\n5/3/2024,2024-03-05T10:30:00.5+01:00,2024-03-10 01:59,\"Mar 5, " +
			"2024 11:59 PM\"\n29/2/2024,2024-02-29 00:00:00Z,unknown,unknown\n",
		"digits.csv":   "7" + cells.String() + "\n",
		"trials.csv":   "subject,event\nA,1\nA,2\nB,1\n",
		"answers.csv":  "subject,event,time,answer\nA,1,10,yes\nA,1,9,no\nB,1,3,none\nB,1,2,yes\n",
		"chats.jsonl":  `{"images": ["cat.png", "cat.png"]}` + "\n" + `{"images": []}` + "\n",
		"labels/a.txt": "3 0.5 0.5 0.25 0.125\n1 0.5 0.5 1 1\n",
		"images/a.gif": "GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;",
		"objects.csv":  "filename,xmin,ymin,xmax,ymax,label\ncat.png,0.1,0.1,0.9,0.9,cat\ncat.png,0.5,0.5,0.6,0.7,mouse\n",
		"objects.jsonl": `{"filename": "cat.png", "bbox": [[100, 50, 200, 200], [0, 0, 40, 300]], "category": [3, ` +
			`7], "keypoints": [200, 100, 2, 0, 0, 0], ` +
			`"kx": [200], "ky": [100], "kv": [2], "polygon": [10, 10, 300, 10, 200, 280], "relative_box": [0.1, 0.1, ` +
			`0.9, 0.9]}` + "\n",
		"taxi.csv": "vendor,fare,tip,zone\nCMT,10,1.5,4\nVTS,0,0,4\nDDS,7,0,1\nCMT,5,1,\nVTS,20,4,2\n",
		"rides/1.parquet": string(parquettest.File(2,
			parquettest.Column{Name: "VendorID", Values: []int64{1, 2, 2}},
			parquettest.Column{Name: "tpep_pickup_datetime", Values: []int64{0, 1, 2}, Logical: stampMicros},
			parquettest.Column{Name: "trip_distance", Values: []float64{1.5, 0, 3}},
			parquettest.Column{Name: "store_and_fwd_flag", Values: []string{"N", "Y", "N"}})),
	}
}

var docExample = regexp.MustCompile("(?m)^#+ (.*)$|^```yaml\n((?s).*?)^```$")

// TestDocsAreBuilt builds the examples of docs/reference/config of records and of values, as
// they are there.
func TestDocsAreBuilt(t *testing.T) {
	var text strings.Builder
	for _, page := range pages(t) {
		if strings.HasPrefix(page, "docs/reference/config/") {
			text.WriteString(pageText(t, page))
		}
	}
	dir := t.TempDir()
	for name, content := range docData() {
		write(t, dir, name, []byte(content))
	}
	writeShards(t, filepath.Join(dir, "shards"))
	write(t, dir, "photos.zip", zippedPhotos(t))
	for _, name := range []string{"train/cat.png", "masks/cat.png", "photos/cat.png"} {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 400, 300))); err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, b.Bytes())
	}
	examples := map[string]int{ // by heading
		"tar": 1, "zip": 1, "xml": 1, "Elements as rows": 1, "record": 3, "format: ofrecord": 1,
		"format: array_record": 1,
		"webdataset":           1, "split": 2, "stratify": 1, "shards": 1, "Directories of shards": 1,
		"classes": 1, "map": 1,
		"Tensors and raw bytes": 1, "Lists of lists": 1, "JSON in cells": 1, "Many columns": 1, "tfds": 1,
		"date":        1,
		"Filter rows": 1, "limit": 1,
		"parquet":     1,
		"coordinates": 2, "boxes": 1, "points": 1, "polygons": 1, "masks": 1,

		"Several keys": 1, "A file for each row": 1, "Several files per row": 1,
	}
	heading := ""
	for _, m := range docExample.FindAllStringSubmatch(text.String(), -1) {
		if m[1] != "" {
			heading = m[1]
			continue
		}
		if examples[heading] == 0 {
			continue
		}
		examples[heading]--
		config := "name: d\noutput: out\n" + m[2]
		if !strings.Contains(config, "\nfeatures:") && !strings.Contains(config, "\nrecord:") {
			config += "features: {x: bytes}\n"
		}
		if !strings.Contains(config, "\nsource:") {
			config += "source: {csv: {files: a.csv}}\n"
		}
		if heading == "tfds" {
			config += "on_error: skip\nmax_errors: 1\n" // one row has no caption
		}
		t.Run(heading, func(t *testing.T) {
			write(t, dir, "c.yaml", []byte(config))
			build(t, filepath.Join(dir, "c.yaml"), filepath.Join(t.TempDir(), "out"), pipeline.Run{})
		})
	}
	for heading, left := range examples {
		if left > 0 {
			t.Errorf("docs/reference/config has %d examples less under %q", left, heading)
		}
	}
}
