package conformance

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/imagetest"
	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

// writeShards writes the project's photos as three shards of WebDataset, one of them
// by each of the formats of tar. Every third has no caption.
func writeShards(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	photos := map[string][]byte{}
	formats := []tar.Format{tar.FormatUSTAR, tar.FormatPAX, tar.FormatGNU}
	all := imagetest.Photos(t)
	for i, format := range formats {
		w := filetest.NewTar(t)
		w.Format = format
		add := func(name string, content []byte) {
			if format != tar.FormatUSTAR {
				name = strings.Repeat("a long folder/", 20) + name
			}
			w.Add(name, string(content))
		}
		for n := i * len(all) / 3; n < (i+1)*len(all)/3; n++ {
			key := fmt.Sprintf("%04d", n)
			photos[key] = all[n].Data
			class, caption := "0\n", fmt.Sprintf("{\n  \"caption\": \"photo %d \\u00e9\"\n}\n", n)
			if strings.Contains(all[n].Name, "portrait") {
				class = "1"
			}
			if n%3 == 0 {
				caption = "{}"
			}
			add(key+".jpg", all[n].Data)
			add(key+".cls", []byte(class))
			add(key+".json", []byte(caption))
		}
		write(t, dir, fmt.Sprintf("%03d.tar", i), []byte(w.Finish()))
	}
	return photos
}

// TestWebDataset builds configs/webdataset.yaml from shards of the project's photos, and
// compares each record with its photo.
func TestWebDataset(t *testing.T) {
	dir := t.TempDir()
	photos := writeShards(t, filepath.Join(dir, "shards"))
	t.Setenv("SHARDS", filepath.Join(dir, "shards"))
	output := filepath.Join(dir, "out")
	build(t, configFile("webdataset"), output, pipeline.Run{})
	for _, record := range payloads(t, output)["train"] {
		f := example(t, record)
		text := func(key string) string { return string(f[key].GetBytesList().GetValue()[0]) }
		number := func(key string) int64 { return f[key].GetInt64List().GetValue()[0] }
		key := text("key")
		key = key[strings.LastIndexByte(key, '/')+1:]
		if !bytes.Equal(photos[key], []byte(text("image"))) {
			t.Errorf("%s: another image", key)
		}
		delete(photos, key)
		var n int
		fmt.Sscanf(key, "%d", &n)
		caption := f["caption"].GetBytesList().GetValue()
		if n%3 == 0 && len(caption) > 0 || n%3 > 0 && string(caption[0]) != fmt.Sprintf("photo %d é", n) {
			t.Errorf("%s: the caption %q", key, caption)
		}
		if portrait := n >= 9; (number("label") == 1) != portrait || number("width")*number("height") != 1200*1800 ||
			number("orientation") != int64(n%9) && n%9 > 0 {
			t.Errorf("%s: label %d, %d x %d, orientation %d", key, number("label"), number("width"), number("height"),
				number("orientation"))
		}
	}
	if len(photos) > 0 {
		t.Errorf("%d photos are in no record", len(photos))
	}
}

// TestTrainingStepOfWebDataset has TensorFlow train one step on archives with lists of images, as reader.py reads them.
func TestTrainingStepOfWebDataset(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("TensorFlow takes seconds to start")
	}
	dir := t.TempDir()
	photos := imagetest.Photos(t)
	var rows strings.Builder
	for i := range 12 {
		name := fmt.Sprintf("%d.jpg", i)
		write(t, filepath.Join(dir, "pics"), name, photos[i].Data)
		fmt.Fprintf(&rows, "{\"images\": [%q, \"0.jpg\"], \"label\": %d}\n", name, i%2)
	}
	write(t, dir, "rows.jsonl", []byte(rows.String()))
	write(t, dir, "d.yaml", []byte("name: d\noutput: out\nsource: {jsonl: {files: rows.jsonl}}\nload: {images: {path: "+
		"'{images.*}', dir: pics, convert: {resize: {width: 8, height: 8, fit: cover}}}}\nformat: "+
		"webdataset\nshards: 2\nfeatures: {images: {}, label: int64}\n"))
	build(t, filepath.Join(dir, "d.yaml"), filepath.Join(dir, "out"), pipeline.Run{})
	write(t, dir, "train.py", []byte(`import sys

sys.path.append(sys.argv[1])
import reader
import tensorflow as tf

def two(record):
    images = tf.map_fn(lambda data: tf.io.decode_jpeg(data, 3), record["images"], fn_output_signature=tf.uint8)
    return tf.cast(tf.ensure_shape(images, (2, 8, 8, 3)), tf.float32) / 255, record["label"]

images, labels = next(iter(reader.dataset("train").map(two).batch(12)))
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(2)])
loss = lambda: tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(labels, model(images), from_logits=True))
with tf.GradientTape() as tape:
    before = loss()
for variable, gradient in zip(model.trainable_variables, tape.gradient(before, model.trainable_variables)):
    variable.assign_sub(0.01 * gradient)
assert len(labels) == 12 and loss() < before, (labels, before, loss())
`))
	tftest.Run(t, filepath.Join(dir, "train.py"), filepath.Join(dir, "out", "_tfr"))
}

// zippedPhotos is an archive of the project's photos, below their classes.
func zippedPhotos(t testing.TB) []byte {
	t.Helper()
	w := filetest.NewZip(t)
	for i, photo := range imagetest.Photos(t) {
		name := strings.TrimPrefix(photo.Name, "photos/")
		w.AddHeader(&zip.FileHeader{Name: name, Method: []uint16{zip.Store, zip.Deflate}[i%2]}, string(photo.Data))
	}
	return []byte(w.Finish())
}

// TestZippedPhotos builds the project's photos from an archive: the records are those
// of their directory.
func TestZippedPhotos(t *testing.T) {
	dir := t.TempDir()
	photos, err := filepath.Abs(filepath.Join(project, "testdata", "photos"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "photos.zip", zippedPhotos(t))
	const features = "features: {image: {}, width: {from: image.width}, class: bytes, path: bytes}\n"
	made := map[string][][]byte{}
	for name, source := range map[string]string{"zip": "zip: {files: photos.zip}",
		"folder": fmt.Sprintf("images: {dir: %q}", photos)} {
		write(t, dir, name+".yaml", []byte("name: d\noutput: "+name+"\nsource:\n  "+source+"\n"+features))
		build(t, filepath.Join(dir, name+".yaml"), "", pipeline.Run{})
		made[name] = payloads(t, filepath.Join(dir, name))["train"]
	}
	if len(made["zip"]) != 18 || !sameRecords(made["zip"], made["folder"]) {
		t.Errorf("%d records of the archive, other than the %d of the directory", len(made["zip"]), len(made["folder"]))
	}
}
