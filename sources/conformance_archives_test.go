package sources

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"io/fs"
	"strings"
	"testing"

	"tfr-build/sources/input"
	ours "tfr-build/sources/tar"
	zips "tfr-build/sources/zip"
)

// A packed is a member of an archive.
type packed struct{ name, content string }

// tarOf is an archive of members; long names are of PAX.
func tarOf(t *testing.T, members ...packed) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Size: int64(len(m.content)), Mode: 0o644, Typeflag: tar.TypeReg}
		switch {
		case strings.HasSuffix(m.name, "/"):
			h.Typeflag, h.Size = tar.TypeDir, 0
		case strings.HasPrefix(m.content, "-> "):
			h.Typeflag, h.Linkname, h.Size, m.content = tar.TypeSymlink, m.content[3:], 0, ""
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(m.content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// tarEnd is how long the end of an archive is that Go writes.
const tarEnd = 1024

func tarOptions(file string) *ours.Options { return &ours.Options{Files: patterns([]string{file})} }

func tarSample(t *testing.T) sample {
	image := picture(t, "png", 3, 2)
	long := strings.Repeat("long/", 60) + "3"
	return sample{
		name: "WebDataset", options: tarOptions("**/*.tar*"), columns: []string{"cls", "json.caption", "png.width", "key"},
		hostile: tarHostile,
		first:   "in/a.tar", row: "x", blank: "2 members",
		files: map[string]string{
			"in/a.tar": tarOf(t,
				packed{"./cat/1.png", image}, packed{"./cat/1.cls", "7\n"}, packed{"./cat/1.json", "{\n\"caption\": \"é\"\n}\n"},
				packed{"./cat/2.CLS", "8"}, packed{"./cat/2.cls", "9"},
				packed{long + ".cls", "10"}, packed{long + ".json", `{"caption": null}`},
				packed{"4.png", "no image"},
				packed{"../5.cls", "1"},
				packed{"6.json", "{"},
				packed{"7.cls", strings.Repeat("x", recordLimit)}, packed{"7.txt", "x"},
				packed{"8.cls", "-> 7.cls"},
				packed{"9.cls", "11"}),
			"in/b.tar": tarOf(t, packed{"9.cls", "12"}),
		},
		rows: []string{
			"in/a.tar:0:0 7|é|3|cat/1", "in/a.tar:3072:1 TAR_DUPLICATE", "in/a.tar:5120:2 10|-|-|" + long, "in/a.tar:9216:3 IMG_FORMAT",
			"in/a.tar:10240:4 TAR_NAME", "in/a.tar:11264:5 JSON_SYNTAX", "in/a.tar:12288:6 LIMIT_RECORD", "in/a.tar:14336:7 TAR_UNSUPPORTED",
			"in/a.tar:14848:8 11|-|-|9", "in/b.tar:0:0 12|-|-|9",
		},
		bzip2: "QlpoOTFBWSZTWUQA60cAAVN//9/SRBBQAf/2PuVeWnv33krQIgBGBCFAAGgEABAAJEoYwAHLmsbEMiQhMmhoDQ2ppo9QBk0DIZND0j1H6poAeoDyQZIFPJqnpNPU0AABtQAAPUaAeoAAAGgcGQaNAGTTENNBkGIYQNAaMTEaAAASSU9RlNkT0TQ0DTTQaAADQAAAAB6mQS/S5IJS9y14SxGX1LxB7B4UATPpBA6EGBjbzgD8CNjYfJUJjssw65BIvkBJAGEhpSexFDPOoLWpk7XVekAYRIJMQuGQmACfC1QLEx0c6JnvmgE+ASYiBIZkAnCTMAK2yWQwHcyAx8avWz6tmtm7FE9b9hgJatOo4PbHEyfYksx5879R8P0czY2lrO0lWs5XIgGMEwgBVxKmhMQRwuoPBIVEAYBIXJzkzldTS0LRqkBNAJQEACBQFEBQoBNAzBgPtpkS7pXRUAKkdQgfeIZpDARkgiV0c9wWLQQSsatLqKKBLW2pWhYtgS+qHscItC0EHtFZj1AlYrKdrukiigqPPINkKCfEQ/dSKLuVEhm2Yu1sdDvmNQA4UJOD39RugAyPclvywi+A0oLQhAvVxmMTVnUfm6ECVu4+08AR7FICz9caKgwCBZUlPoU4gAQJ5SLwQTAJVTAPN6IQC44oEMUottkEZRq1HRo32cpL9X+xHXnEpkmSBTVklYJEMqAAzZwjYuH/F3JFOFCQRADrRw==",
	}
}

// tarDamaged has a damaged header, and no end.
func tarDamaged(t *testing.T) sample {
	text := []byte(tarOf(t,
		packed{"1.txt", "a"}, packed{"2.txt", "b"}, packed{"2.cls", "3"}, packed{"3.cls", "4"}, packed{"3.txt", "c"}, packed{"4.txt", "d"}, packed{"5.txt", "e"}))
	text[2048+100] ^= 1 // the header of 2.cls
	return sample{
		name: "damage", options: tarOptions("*.tar*"), columns: []string{"txt", "stem"}, blank: "2 members", first: "a.tar", row: "x",
		files: map[string]string{"a.tar": string(text[:len(text)-tarEnd])},
		rows:  []string{"a.tar:0:0 a|1", "a.tar:1024:1 TAR_DAMAGED", "a.tar:5120:2 d|4", "a.tar:6144:3 TAR_DAMAGED"},
		bzip2: "QlpoOTFBWSZTWSIuC5AAAQ7bkMmAQAF/hAAIfgQeQAQAAAgwALgKAAAAAFAAAAABFETSNAaHoQaWXb2kStV1vfr2013XmCJln59XrX4vZeSwLRfK5LYchEgRIXppaJ4c7LdaSgOK4yADsNF2WAWrWElIgkcI1Wk2gCTeCMFmhmudIpIzLKJhssHsguaL9Py7p+XFN14pkifxdyRThQkCIuC5AA==",
	}
}

// zipOf is an archive of members; those whose names end with z are deflated.
func zipOf(t *testing.T, members ...packed) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name}
		if strings.HasSuffix(m.name, "z") {
			h.Method = zip.Deflate
		}
		if strings.HasPrefix(m.content, "-> ") {
			h.SetMode(0o777 | fs.ModeSymlink)
		}
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write([]byte(m.content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zipOptions(file string) *zips.Options {
	return &zips.Options{Files: patterns([]string{file}), Extensions: input.Extensions{Any: true}}
}

func zipSample(t *testing.T) sample {
	long := strings.Repeat("long", recordLimit)
	return sample{
		name: "members", options: zipOptions("**/*.zip"), columns: []string{"content", "stem", "class"},
		hostile: zipHostile,
		first:   "in/a.zip", row: "x", inside: true,
		files: map[string]string{
			"in/a.zip": zipOf(t, packed{"cat/1.txt", "one\n"}, packed{"cat/" + "2.z", "two two two two two two"}, packed{"cat/", ""}, packed{"3", ""}, packed{"4.z", long},
				packed{"../5", "x"}, packed{"6", "-> 3"}),
			"in/b.zip": zipOf(t, packed{"1.txt", "one"}),
		},
		rows: []string{
			"in/a.zip:0:0 one\n|1|cat", "in/a.zip:59:1 two two two two two two|2|cat", "in/a.zip:158:2 |3|-", "in/a.zip:205:3 LIMIT_RECORD",
			"in/a.zip:276:4 ZIP_NAME", "in/a.zip:327:5 ZIP_UNSUPPORTED", "in/b.zip:0:0 one|1|-",
		},
	}
}

func zipImages(t *testing.T) sample {
	o := zipOptions("*.zip")
	o.Extensions, o.Exclude = input.Extensions{List: []string{"png", "jpg"}}, input.Patterns{"no/**"}
	return sample{
		name: "images", options: o, columns: []string{"image.width", "filename", "image.format", "path"}, inside: true, first: "a.zip", row: "x",
		files: map[string]string{"a.zip": zipOf(t, packed{"a/1.png", picture(t, "png", 3, 2)}, packed{"2.jpg", "none"}, packed{"no/3.png", ""})},
		rows:  []string{"a.zip:0:0 3|1.png|PNG|a/1.png", "a.zip:130:1 IMG_FORMAT"},
	}
}
