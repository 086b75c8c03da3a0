package infer_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/imagetest"
	"tfr-build/internal/testenv"
)

// shard is an archive of samples from one on to another.
func shard(t *testing.T, from, to int) string {
	t.Helper()
	photos := imagetest.Photos(t)
	w := filetest.NewTar(t)
	for i := from; i < to; i++ {
		members := [][2]string{
			{"jpg", string(photos[i%18].Data)}, {"cls", fmt.Sprintln(i % 2)},
			{"json", fmt.Sprintf("{\n\"caption\": \"photo %d of many\", \"box\": [%d, 2]}", i/3, i)},
			{"txt", fmt.Sprintf("a text of several words, which is number %d\n", i)}, {"npy", "\x93NUMPY\x00"},
		}
		for _, m := range members {
			if m[0] == "npy" && i%4 == 0 {
				continue
			}
			w.Add(fmt.Sprintf("%04d.%s", i, m[0]), m[1])
		}
	}
	return w.Finish()
}

// TestArchives writes configs of archives, which check and try take. A sample has one
// pattern.
func TestArchives(t *testing.T) {
	photo := string(imagetest.Photos(t)[0].Data)
	dir := testenv.Directory(t, map[string]string{
		"shards/000.tar": shard(t, 0, 12), "shards/001.tar": shard(t, 12, 24),
		"photos.zip": filetest.Zip(t, "a/1.jpg", photo, "b/2.jpg", photo),
		"texts.zip":  filetest.Zip(t, "a/1.txt", "one", "b/2.txt", "two", "3.txt", "three"),
	})
	for path, want := range map[string][]string{
		"shards": {
			"tar:", "files: shards/*.tar", "24 rows", "jpg: {from: jpg}", "JPEG", "jpg/height: {from: jpg.height}",
			"cls: int64",
			"json/caption: {from: json.caption, type: string}", "json/box: {from: json.box, type: int64, shape: [2]}",
			"txt: string", "npy: {type: bytes, missing: omit}", "key: bytes",
		},
		"shards/{000..001}.tar": {"files: shards/*.tar", "24 rows"},
		"shards/0*.tar":         {"files: shards/*.tar", "24 rows"},
		"shards/000.tar":        {"files: shards/000.tar", "12 rows", "jpg: {from: jpg}"},
		"photos.zip": {"zip:", "image: {from: image}", "height: {from: image.height}",
			"label: {from: class, classes: [a, b]}", "path: string"},
		"texts.zip": {"zip:", "content: string", "label: {from: class, classes: [a, b], missing: omit}"},
	} {
		if !testenv.Exhaustive() && strings.HasPrefix(path, "shards/") {
			continue
		}
		c := written(t, dir, filepath.Join(dir, path))
		for _, line := range want {
			if !strings.Contains(string(c.Text), line) {
				t.Errorf("%s: no %q in\n%s", path, line, c.Text)
			}
		}
		worksIn(t, dir, c)
	}
}

// TestLargeArchive has more members than are read, so that others may have other classes.
func TestLargeArchive(t *testing.T) {
	w := filetest.NewZip(t)
	mebibyte := string(make([]byte, 1<<20))
	for i := range 34 {
		w.Store(fmt.Sprintf("%c/%d.bin", 'a'+i/33, i), mebibyte)
	}
	dir := testenv.Directory(t, map[string]string{"large.zip": w.Finish()})
	c := written(t, dir, filepath.Join(dir, "large.zip"))
	if want := "label: {from: class, classes: auto, missing: omit}"; !strings.Contains(string(c.Text), want) {
		t.Errorf("no %q in\n%s", want, c.Text)
	}
}
