package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"tfr-build/framing"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

func penguins() *Info {
	return &Info{
		Name: "penguins", Version: "1.0.0", Description: `Palmer's "penguins" <all>`,
		FilenameTemplate: "{SPLIT}-{SHARD_X_OF_Y}",
		Record: schema.Record{Features: []schema.Feature{
			{Key: "species", Type: schema.Int64,
				Classes: &schema.Classes{Names: []string{"Adelie", "Chinstrap", "Gentoo"}}},
			{Key: "bill_length_mm", Type: schema.Float, OnMissing: schema.MissingOmit},
			{Key: "island", Type: schema.BytesType},
			{Key: "image/class/label", Type: schema.Int64,
				Classes: &schema.Classes{Names: []string{"n01", "n02"}, First: 1}},
			{Key: "notes", Type: schema.StringType},
			{Key: "flags", Type: schema.BoolType, Shape: []int{-1}},
			{Key: "boxes", Type: schema.Float, Shape: []int{-1, 4}},
			{Key: "age", Type: schema.Uint8},
			{Key: "photo", Type: schema.BytesType, Image: true},
		}},
		Images: map[string]ImageMetadata{"photo": {Formats: []string{"JPEG"}, Colorspaces: []string{"RGB"},
			Channels: []int{3}}},
		Splits: []Split{
			{Name: "train", Records: 2, Shards: []Shard{
				{Name: "train-00000-of-00002", Records: 2, Bytes: 132, PayloadBytes: 100},
				{Name: "train-00001-of-00002"},
			}},
			{Name: "test", Shards: []Shard{{Name: "test-00000-of-00001"}}},
		},
	}
}

func describe(t *testing.T, info *Info) map[string]string {
	t.Helper()
	files, err := Describe(info)
	if err != nil {
		t.Fatal(err)
	}
	content := map[string]string{}
	for _, f := range files {
		content[f.Name] = string(f.Data)
	}
	if len(content) != len(files) {
		t.Errorf("%d files have %d names", len(files), len(content))
	}
	return content
}

func TestDescribeGolden(t *testing.T) {
	info := penguins()
	files, err := Describe(info)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
		golden(t, "penguins/"+strings.TrimPrefix(f.Name, "_tfr/"), withoutBody(f.Data))
	}
	want := []string{ReaderName, TorchReaderName, "image.class.label.labels.txt", "species.labels.txt", "features.json",
		"dataset_info.json"}
	if !slices.Equal(names, want) {
		t.Errorf("described in %q, want %q", names, want)
	}
}

// withoutBody removes the constant part of TorchReaderName.
func withoutBody(script []byte) []byte {
	return bytes.Replace(script, []byte(torchBody), []byte("\n…\n"), 1)
}

// TestDescribeInAnyOrder changes the order of the features, which may not change the result.
func TestDescribeInAnyOrder(t *testing.T) {
	info := penguins()
	first := describe(t, info)
	slices.Reverse(info.Record.Features)
	for name, content := range describe(t, info) {
		if first[name] != content {
			t.Errorf("%s depends on the order of the features", name)
		}
	}
}

func TestWhatTFDSCannotRead(t *testing.T) {
	changed := func(change func(*Info)) *Info {
		info := penguins()
		change(info)
		return info
	}
	for _, c := range []struct {
		info   *Info
		reason string
		files  bool
	}{
		{penguins(), "", true},
		{changed(func(i *Info) { i.Splits = i.Splits[1:] }), "", false}, // without records
		{changed(func(i *Info) { i.Compression = tfrecord.Gzip }), "TFDS reads no compressed TFRecord files", false},
		{changed(func(i *Info) {
			i.Framing, i.Record.Message = framing.Name("ofrecord").Format(), schema.OFRecordMessage
		}),
			"TFDS reads no OFRecord files", false},
		{changed(func(i *Info) { i.Record.Message = schema.JSONExampleMessage }),
			"TFDS reads no records but tf.train.Example", false},
		{changed(func(i *Info) {
			i.FilenameTemplate = "{SPLIT}-{INDEX}"
		}), "TFDS knows no {INDEX} in the names of shards",
			false},
		{changed(func(i *Info) {
			i.FilenameTemplate = "{SPLIT}-{COUNT}"
		}), "TFDS knows no {COUNT} in the names of shards",
			false},
	} {
		if got := c.info.TFDSReason(); got != c.reason {
			t.Errorf("the reason is %q, want %q", got, c.reason)
		}
		files := describe(t, c.info)
		want := 3
		if c.info.isForTorch() {
			want++
		}
		if _, has := files["dataset_info.json"]; has != c.files || !has && len(files) != want {
			t.Errorf("%q: described in %d files", c.reason, len(files))
		}
		if files["species.labels.txt"] != "Adelie\nChinstrap\nGentoo\n" {
			t.Errorf("%q: the label file is %q", c.reason, files["species.labels.txt"])
		}
	}
}

// TestReadersGolden checks the reader of each type of record.
func TestReadersGolden(t *testing.T) {
	classes := &schema.Classes{Names: []string{"ant", "bee"}}
	const omit = schema.MissingOmit
	features := []schema.Feature{
		{Key: "id", Type: schema.Int64}, {Key: "age", Type: schema.Uint8, OnMissing: omit},
		{Key: "fine", Type: schema.BoolType, Shape: []int{-1}},
		{Key: "name", Type: schema.StringType}, {Key: "label", Type: schema.Int64, Classes: classes},
		{Key: "pixels", Type: schema.Uint8, Shape: []int{28, 28}, Raw: true},
		{Key: "polygons", Type: schema.Float, Shape: []int{-1, -1, 2}},
	}
	tensor := schema.Feature{Key: "vector", Type: schema.Float16, Shape: []int{-1, 3}, Tensor: true, OnMissing: omit}
	steps := []schema.Feature{{Key: "kinds", Type: schema.Int64, Classes: classes},
		{Key: "place", Type: schema.Float, Shape: []int{2}, OnMissing: omit},
		{Key: "frame", Type: schema.Uint32, Shape: []int{-1}, Raw: true}}
	for name, record := range map[string]schema.Record{
		"example":      {Features: append(features, tensor)},
		"json_example": {Message: schema.JSONExampleMessage, Features: features[:2]},
		"json":         {Message: schema.JSONMessage, Features: append(features, tensor)},
		"sequence":     {Message: schema.SequenceMessage, Features: features[:5], Sequence: steps},
		"text":         {Message: schema.TextMessage, Column: "t"},
		"bytes":        {Message: schema.BytesMessage, Column: "t"},
		"ofrecord":     {Message: schema.OFRecordMessage, Features: features},
	} {
		info := &Info{Name: name, Version: "1.0.0", Record: record}
		golden(t, "readers/"+name+".py", readerScript(info))
		if name == "example" {
			golden(t, "readers/torch.py", withoutBody(torchScript(info)))
		}
	}
}

// connectorOf returns the class and the shape or dtype that TFDS gets for a
// feature.
func connectorOf(t *testing.T, f schema.Feature, images ImageMetadata) string {
	t.Helper()
	f.Key = "k"
	info := &Info{Record: schema.Record{Features: []schema.Feature{f}}, Images: map[string]ImageMetadata{"k": images}}
	data, err := info.featuresJSON(connectors(info, newLabels(info)))
	if err != nil {
		t.Fatal(err)
	}
	var root struct {
		FeaturesDict struct{ Features map[string]map[string]any }
	}
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	n := root.FeaturesDict.Features["k"]
	class := n["pythonClassName"].(string)
	delete(n, "pythonClassName")
	content, err := json.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	return class[strings.LastIndex(class, ".")+1:] + " " + string(content)
}

func TestConnectors(t *testing.T) {
	image := schema.Feature{Type: schema.BytesType, Image: true}
	images := func(formats, spaces string, channels ...int) ImageMetadata {
		return ImageMetadata{Formats: strings.Fields(formats), Colorspaces: strings.Fields(spaces), Channels: channels}
	}
	label := func(first int64, unknown *int64, names ...string) schema.Feature {
		return schema.Feature{Type: schema.Int64, Classes: &schema.Classes{Names: names, First: first,
			Unknown: unknown}}
	}
	none, far := int64(-1), int64(2)
	const str = `Tensor {"tensor":{"dtype":"string","encoding":"none","shape":{}}}`
	const num = `Tensor {"tensor":{"dtype":"int64","encoding":"none","shape":{}}}`
	const numbered = `Tensor {"description":"Number of a class. Line 1 of k.labels.txt is the name of class %d, and ` +
		`so on.%s","tensor":{"dtype":"int64","encoding":"none"%s"shape":{}}}`
	maybe := label(0, nil, "a", "b")
	maybe.OnMissing = schema.MissingOmit
	list, oneSize := schema.Feature{Type: schema.BytesType, Image: true, Shape: []int{-1},
		OnMissing: schema.MissingOmit}, images("PNG", "RGB", 3)
	filled := list
	filled.OnMissing, oneSize.OneSize = schema.MissingDefault, true
	const classes = `ClassLabel {"classLabel":{"numClasses":"2"}}`
	for _, c := range []struct {
		name   string
		f      schema.Feature
		images ImageMetadata
		want   string
	}{
		{"jpeg", image, images("JPEG", "GRAY RGB", 1, 3),
			`Image {"image":{"dtype":"uint8","encodingFormat":"jpeg","shape":{"dimensions":["-1","-1","3"]}}}`},
		{"gray jpeg", image, images("JPEG", "GRAY", 1),
			`Image {"image":{"dtype":"uint8","encodingFormat":"jpeg","shape":{"dimensions":["-1","-1","1"]}}}`},
		{"png with a palette", image, images("PNG", "RGB", 1),
			`Image {"image":{"dtype":"uint8","encodingFormat":"png","shape":{"dimensions":["-1","-1","3"]}}}`},
		{"mixed", image, images("JPEG PNG", "RGB CMYK", 3, 4),
			`Image {"image":{"dtype":"uint8","shape":{"dimensions":["-1","-1","3"]}}}`},
		{"bmp", image, images("BMP", "RGB", 3),
			`Image {"image":{"dtype":"uint8","shape":{"dimensions":["-1","-1","3"]}}}`},
		{"bmp with a palette", image, images("BMP", "RGB", 1), str},
		{"bmp and gray jpeg", image, images("BMP JPEG", "GRAY RGB", 1, 3), str},
		{"one gif", image, images("GIF JPEG", "RGB", 3), str},
		{"webp", image, images("WEBP", "RGB", 3), str},
		{"tiff", image, images("TIFF", "RGB", 3), str},
		{"no image seen", image, ImageMetadata{},
			`Image {"image":{"dtype":"uint8","shape":{"dimensions":["-1","-1","3"]}}}`},
		{"images with a default", schema.Feature{Type: schema.BytesType, Image: true, OnMissing: schema.MissingDefault},
			images("PNG", "RGB", 3), str},
		{"images of one size", list, oneSize,
			`Sequence {"sequence":{"feature":{"image":{"dtype":"uint8","encodingFormat":"png","shape":{"dimensions":["-1",` +
				`"-1","3"]}},` +
				`"pythonClassName":"tensorflow_datasets.core.features.image_feature.Image"},"length":"-1"}}`},
		{"images of several sizes", list, images("PNG", "RGB", 3),
			`Tensor {"tensor":{"dtype":"string","encoding":"none","shape":{"dimensions":["-1"]}}}`},
		{"images of one size, some missing", filled, oneSize,
			`Tensor {"tensor":{"dtype":"string","encoding":"none","shape":{"dimensions":["-1"]}}}`},
		{"two images", schema.Feature{Type: schema.BytesType, Image: true, Shape: []int{2}}, images("PNG", "RGB", 3),
			`Tensor {"tensor":{"dtype":"string","encoding":"none","shape":{"dimensions":["2"]}}}`},

		{"classes", label(0, nil, "a", "b"), ImageMetadata{}, classes},
		{"classes from 1", label(1, nil, "a", "b"), ImageMetadata{}, fmt.Sprintf(numbered, 1, "", ",")},
		{"a class that may be missing", maybe, ImageMetadata{},
			fmt.Sprintf(numbered, 0, " A record without a class is read as the lowest int64.", `,"optional":true,`)},
		{"an unknown class is missing", label(0, &none, "a", "b"), ImageMetadata{}, classes},
		{"unknown is another", label(0, &far, "a", "b"), ImageMetadata{}, fmt.Sprintf(numbered, 0, "", ",")},
		{"no classes", label(0, nil), ImageMetadata{}, num},
		{"empty name", label(0, nil, "a", ""), ImageMetadata{}, classes},
		{"name with a space before", label(0, nil, " a", "b"), ImageMetadata{}, classes},
		{"name with a no-break space after", label(0, nil, "a\u00a0", "b"), ImageMetadata{}, classes},
		{"name with a control character after", label(0, nil, "a\x1c", "b"), ImageMetadata{}, classes},
		{"name of two lines", label(0, nil, "a\rb", "b"), ImageMetadata{}, classes},
		{"a name that is like another in quotes", label(0, nil, " a", `" a"`), ImageMetadata{}, classes},
		{"name that is not UTF-8", label(0, nil, "\xff", "b"), ImageMetadata{}, classes},
		{"name with a space within", label(0, nil, "a b", "b"), ImageMetadata{}, classes},

		{"optional bool", schema.Feature{Type: schema.BoolType, OnMissing: schema.MissingOmit}, ImageMetadata{},
			`Tensor {"tensor":{"dtype":"int64","encoding":"none","optional":true,"shape":{}}}`},
		{"optional list", schema.Feature{Type: schema.Uint8, Shape: []int{-1}, OnMissing: schema.MissingOmit},
			ImageMetadata{}, `Tensor {"tensor":{"dtype":"uint8","encoding":"none","shape":{"dimensions":["-1"]}}}`},
		{"requested text", schema.Feature{Type: schema.BytesType, TFDS: "Text"}, ImageMetadata{}, `Text {"text":{}}`},
		{"a requested tensor", schema.Feature{Type: schema.StringType, TFDS: "Tensor"}, ImageMetadata{}, str},
		{"a requested image", schema.Feature{Type: schema.BytesType, TFDS: "Image"}, images("PNG", "RGB", 3),
			`Image {"image":{"dtype":"uint8","encodingFormat":"png","shape":{"dimensions":["-1","-1","3"]}}}`},
		{"a box", schema.Feature{Type: schema.Float, TFDS: "BBox", Shape: []int{4}}, ImageMetadata{},
			`BBoxFeature {"boundingBox":{"dtype":"float32","shape":{"dimensions":["4"]}}}`},
		{"samples", schema.Feature{Type: schema.Int16, TFDS: "Audio", Shape: []int{-1}}, ImageMetadata{},
			`Audio {"audio":{"dtype":"int16","encoding":"none","shape":{"dimensions":["-1"]}}}`},
		{"samples as bytes", schema.Feature{Type: schema.Int16, TFDS: "Audio", Shape: []int{-1, 2}, Raw: true},
			ImageMetadata{}, `Audio {"audio":{"dtype":"int16","encoding":"bytes","shape":{"dimensions":["-1","2"]}}}`},
		{"text with a default", schema.Feature{Type: schema.StringType, OnMissing: schema.MissingDefault},
			ImageMetadata{}, `Text {"text":{}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := connectorOf(t, c.f, c.images); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestLabelFiles(t *testing.T) {
	two := []string{"a", "b"}
	for _, c := range []struct {
		name     string
		features map[string][]string // names by key
		files    map[string]string
		misled   []string
		notes    []string
	}{
		{"one", map[string][]string{"label": two}, map[string]string{"label.labels.txt": "a\nb\n"}, nil, nil},
		{"slashes", map[string][]string{"a/b/c": two}, map[string]string{"a.b.c.labels.txt": "a\nb\n"}, nil, nil},
		{"no names", map[string][]string{"label": nil}, nil, nil, nil},
		{"odd names", map[string][]string{"label": {" Rex", "Größe", "a\nb", "", "\xff\"", `"x"`}},
			map[string]string{"label.labels.txt": "\" Rex\"\nGröße\n\"a\\nb\"\n\"\"\n\"\\xff\\\"\"\n\"x\"\n"}, nil,
			[]string{`feature "label": label.labels.txt has the class " Rex" and 3 others in quotes, which no line ` +
				`can hold as it is`}},
		{"two odd names", map[string][]string{"label": {" a", "b "}},
			map[string]string{"label.labels.txt": "\" a\"\n\"b \"\n"}, nil,
			[]string{`feature "label": label.labels.txt has the class " a" and 1 other in quotes, which no line can ` +
				`hold as it is`}},
		{"one odd name", map[string][]string{"label": {"a", "b\u00a0"}},
			map[string]string{"label.labels.txt": "a\n\"b\\u00a0\"\n"}, nil,
			[]string{`feature "label": label.labels.txt has the class "b\u00a0" in quotes, which no line can hold ` +
				`as it is`}},
		{"the same line", map[string][]string{"label": {" a", `" a"`}}, nil, nil,
			[]string{`feature "label": it has no label file, for two of its classes would be the same line; they ` +
				`are named in _tfr/reader.py`}},
		{"slash and dot", map[string][]string{"a/b": two, "a.b": {"x"}, "c": two},
			map[string]string{"a.b.labels.txt": "x\n", "c.labels.txt": "a\nb\n"}, []string{"a/b"},
			[]string{`feature "a/b": it has no label file, and TFDS takes it for a number, for the feature "a.b" ` +
				`has the file a.b.labels.txt; its classes are named in _tfr/reader.py`}},
		{"slash and dot, the same names", map[string][]string{"a/b": two, "a.b": two},
			map[string]string{"a.b.labels.txt": "a\nb\n"}, nil, nil},
		{"upper case", map[string][]string{"A": two, "a": {"x"}}, map[string]string{"A.labels.txt": "a\nb\n"},
			[]string{"a"},
			[]string{`feature "a": it has no label file, and TFDS takes it for a number, for the feature "A" has ` +
				`the file a.labels.txt; its classes are named in _tfr/reader.py`}},
		{"upper case, the same names", map[string][]string{"A": two, "a": two},
			map[string]string{"A.labels.txt": "a\nb\n", "a.labels.txt": "a\nb\n"}, nil, nil},
		{"upper case, slash and dot, the same names", map[string][]string{"A/b": two, "a/b": two, "a.b": two},
			map[string]string{"A.b.labels.txt": "a\nb\n", "a.b.labels.txt": "a\nb\n"}, nil, nil},
		{"a shard's name", map[string][]string{"X": two}, nil, []string{"X"},
			[]string{`feature "X": it has no label file, and TFDS takes it for a number, for the shard ` +
				`"x.labels.txt" has the file X.labels.txt; its classes are named in _tfr/reader.py`}},
		{"no key", map[string][]string{"": two}, nil, nil,
			[]string{`feature "": no label file can have the name of its key; its classes are named in ` +
				`_tfr/reader.py alone`}},
		{"dots", map[string][]string{"../x": two}, nil, nil,
			[]string{`feature "../x": no label file can have the name of its key; its classes are named in ` +
				`_tfr/reader.py alone`}},
		{"two lines", map[string][]string{"a\nb": two}, nil, nil,
			[]string{`feature "a\nb": no label file can have the name of its key; its classes are named in ` +
				`_tfr/reader.py alone`}},
		{"control characters", map[string][]string{"label": {"\x1ba\x07", "b\x1f"}},
			map[string]string{"label.labels.txt": "\x1ba\x07\n\"b\\x1f\"\n"}, nil,
			[]string{`feature "label": label.labels.txt has the class "b\x1f" in quotes, which no line can hold as ` +
				`it is`}},
		{"as long as can be", map[string][]string{strings.Repeat("x", 239): two},
			map[string]string{strings.Repeat("x", 239) + ".labels.txt": "a\nb\n"}, nil, nil},
		{"too long", map[string][]string{strings.Repeat("x", 245): two}, nil, nil,
			[]string{`feature "` + strings.Repeat("x", 245) +
				`": no label file can have the name of its key; its classes are named in _tfr/reader.py alone`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			info := &Info{Splits: []Split{{Name: "train", Records: 1,
				Shards: []Shard{{Name: "x.labels.txt", Records: 1}}}}}
			for key, names := range c.features { // in any order
				info.Record.Features = append(info.Record.Features,
					schema.Feature{Key: key, Type: schema.Int64, Classes: &schema.Classes{Names: names}})
			}
			l := newLabels(info)
			got := map[string]string{}
			for _, f := range l.files {
				got[f.Name] = string(f.Data)
			}
			if !maps.Equal(got, c.files) || !slices.Equal(slices.Sorted(maps.Keys(l.notClassLabel)), c.misled) {
				t.Errorf("files %q, misled %v", got, l.notClassLabel)
			}
			var texts []string
			for _, w := range info.LabelWarnings() {
				texts = append(texts, w.Text)
				if !strings.HasPrefix(w.Text, fmt.Sprintf("feature %q: ", w.Feature)) {
					t.Errorf("%+v", w)
				}
			}
			if !slices.Equal(texts, c.notes) {
				t.Errorf("warnings\n%s\nwant\n%s", strings.Join(texts, "\n"), strings.Join(c.notes, "\n"))
			}
		})
	}
}

// TestSupervised checks that only one input and one class are a pair.
func TestSupervised(t *testing.T) {
	names := &schema.Classes{Names: []string{"a", "b"}}
	text := schema.Feature{Key: "text", Type: schema.StringType}
	image := schema.Feature{Key: "image/encoded", Type: schema.BytesType, Image: true}
	label := schema.Feature{Key: "class/label", Type: schema.Int64, Classes: names}
	several := schema.Feature{Key: "tags", Type: schema.Int64, Classes: names, Shape: []int{-1}}
	maybe := schema.Feature{Key: "maybe", Type: schema.Int64, Classes: names, OnMissing: schema.MissingOmit}
	number := schema.Feature{Key: "n", Type: schema.Float}
	other := schema.Feature{Key: "other", Type: schema.Int64, Classes: names}
	for _, c := range []struct {
		features []schema.Feature
		want     []string
	}{
		{[]schema.Feature{label, text}, []string{"text", "class/label"}},
		{[]schema.Feature{image, number, several, maybe, label}, []string{"image/encoded", "class/label"}},
		{[]schema.Feature{image, text, label}, nil},
		{[]schema.Feature{text, label, other}, nil},
		{[]schema.Feature{text, several}, nil},
		{[]schema.Feature{text, maybe}, nil},
		{[]schema.Feature{label}, nil},
		{[]schema.Feature{text}, nil},
	} {
		info := &Info{Record: schema.Record{Features: c.features}}
		if got := supervised(connectors(info, newLabels(info))); !slices.Equal(got, c.want) {
			t.Errorf("%v: got %q, want %q", c.features, got, c.want)
		}
	}
}

// TestHidden checks the files of TFDS in a directory of their own: they refer to the shards, and
// their names are free next to the shards.
func TestHidden(t *testing.T) {
	info := &Info{
		Name: "d", Version: "1.0.0", FilenameTemplate: "{SPLIT}.labels.txt/{SHARD_X_OF_Y}", Hidden: true,
		Record: schema.Record{Features: []schema.Feature{{Key: "label", Type: schema.Int64,
			Classes: &schema.Classes{Names: []string{"a"}}}}},
		Splits: []Split{{Name: "label", Records: 1,
			Shards: []Shard{{Name: "label.labels.txt/00000-of-00001", Records: 1}}}},
	}
	names := func() (list []string) {
		files, err := Describe(info)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			list = append(list, f.Name)
			if strings.HasSuffix(f.Name, "dataset_info.json") &&
				!strings.Contains(string(f.Data), `"filepathTemplate": "`+info.filepathTemplate()+`"`) {
				t.Errorf("%s", f.Data)
			}
		}
		return list
	}
	if got, want := names(), []string{ReaderName, TorchReaderName, "_tfr/tfds/label.labels.txt",
		"_tfr/tfds/features.json", "_tfr/tfds/dataset_info.json"}; !slices.Equal(got, want) {
		t.Errorf("hidden: got %q, want %q", got, want)
	}
	info.Hidden = false
	if got, want := names(), []string{ReaderName, TorchReaderName, "features.json",
		"dataset_info.json"}; !slices.Equal(got, want) {
		t.Errorf("next to a shard that has the name: got %q, want %q", got, want)
	}
}

// TestLabelMaps checks label maps: two features share one, and two have no file of their own.
func TestLabelMaps(t *testing.T) {
	feature := func(key, file string, first int64, names ...string) schema.Feature {
		return schema.Feature{Key: key, Type: schema.Int64, LabelMap: file,
			Classes: &schema.Classes{Names: names, First: first}}
	}
	info := &Info{Name: "d", Version: "1.0.0", Record: schema.Record{Features: []schema.Feature{
		feature("a", "map.pbtxt", 1, "cat", `d"og`), feature("b", "map.pbtxt", 1, "cat", `d"og`),
		feature("c", "MAP.pbtxt", 2, "cat"),
		feature("d", "d.pbtxt", 7, "caf\u00e9\n", " "), feature("e", "e.pbtxt", 1, "x", "caf\xe9"),
		feature("f", "", 1, "x"),
	}}}
	files, err := Describe(info)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".pbtxt") {
			found[f.Name] += string(f.Data)
		}
	}
	want := map[string]string{
		"map.pbtxt": "item {\n  id: 1\n  name: \"cat\"\n}\nitem {\n  id: 2\n  name: \"d\\\"og\"\n}\n",
		"d.pbtxt":   "item {\n  id: 7\n  name: \"caf\u00e9\\n\"\n}\nitem {\n  id: 8\n  name: \" \"\n}\n",
	}
	if !maps.Equal(found, want) {
		t.Errorf("the label maps are %q; expected %q", found, want)
	}
	warnings := fmt.Sprint(info.LabelWarnings())
	for _, want := range []string{
		`feature "c": it has no label map, for the feature "a" has the file MAP.pbtxt`,
		`feature "e": it has no label map, for the class "caf\xe9" is not UTF-8`,
	} {
		if !strings.Contains(warnings, want) {
			t.Errorf("no warning %s in %s", want, warnings)
		}
	}
}

// TestReaderTemplates checks that each message has a template, and each template a message.
func TestReaderTemplates(t *testing.T) {
	used := map[string]bool{}
	for _, m := range schema.Messages() {
		name := m.Readers().Template
		if used[name] = true; readerTemplates[name] == nil {
			t.Errorf("%v: the template %q does not exist", m, name)
		}
	}
	if len(used) != len(readerTemplates) {
		t.Errorf("of %d templates %d are used", len(readerTemplates), len(used))
	}
}

// TestFolds checks that the readers of a dataset of folds, and only these, have fold.
func TestFolds(t *testing.T) {
	for _, folds := range []int{0, 5} {
		files, err := Describe(&Info{Name: "small", Version: "1.0.0", Folds: folds})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if f.Name != ReaderName && f.Name != TorchReaderName {
				continue
			}
			if has := strings.Contains(string(f.Data), "\n\nFOLDS = 5\n\n\ndef fold(k):\n"); has != (folds > 0) {
				t.Errorf("%s of %d folds has fold: %v", f.Name, folds, has)
			}
		}
	}
}
