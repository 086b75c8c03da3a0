package sources

import (
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/sources/input"
	ours "tfr-build/sources/tar"
	zips "tfr-build/sources/zip"
)

// tarEnd is how long the end of an archive is that Go writes.
const tarEnd = 1024

func tarOptions(file string) *ours.Options { return &ours.Options{Files: patterns([]string{file})} }

func tarSample(t *testing.T) sample {
	image := encodedImage(t, "png", 3, 2)
	long := strings.Repeat("long/", 60) + "3"
	w := filetest.NewTar(t)
	for _, f := range [][2]string{
		{"./cat/1.png", image}, {"./cat/1.cls", "7\n"}, {"./cat/1.json", "{\n\"caption\": \"é\"\n}\n"},
		{"./cat/2.CLS", "8"}, {"./cat/2.cls", "9"},
		{long + ".cls", "10"}, {long + ".json", `{"caption": null}`},
		{"4.png", "no image"},
		{"../5.cls", "1"},
		{"6.json", "{"},
		{"7.cls", strings.Repeat("x", recordLimit)}, {"7.txt", "x"},
	} {
		w.Add(f[0], f[1])
	}
	w.Symlink("8.cls", "7.cls")
	w.Add("9.cls", "11")
	return sample{
		name: "WebDataset", options: tarOptions("**/*.tar*"),
		columns: []string{"cls", "json.caption", "png.width", "key"},
		hostile: tarHostile,
		first:   "in/a.tar", row: "x", blank: "2 members",
		files: map[string]string{
			"in/a.tar": w.Finish(),
			"in/b.tar": filetest.Tar(t, "9.cls", "12"),
		},
		rows: []string{
			"in/a.tar:0:0 7|é|3|cat/1", "in/a.tar:3072:1 TAR_DUPLICATE", "in/a.tar:5120:2 10|-|-|" + long,
			"in/a.tar:9216:3 IMG_FORMAT",
			"in/a.tar:10240:4 TAR_NAME", "in/a.tar:11264:5 JSON_SYNTAX", "in/a.tar:12288:6 LIMIT_RECORD",
			"in/a.tar:14336:7 TAR_UNSUPPORTED",
			"in/a.tar:14848:8 11|-|-|9", "in/b.tar:0:0 12|-|-|9",
		},
		bzip2: "QlpoOTFBWSZTWUQA60cAAVN//9/SRBBQAf/2PuVeWnv33krQIgBGBCFAAGgEABAAJEoYwAHLmsbEMiQhMmhoDQ2ppo9QBk0DIZND0j1H6po" +
			"AeoDyQZIFPJqnpNPU0AABtQAAPUaAeoAAAGgcGQaNAGTTENNBkGIYQNAaMTEaAAASSU9RlNkT0TQ0DTTQaAADQAAAAB6mQS/S5IJS9y14SxGX1LxB" +
			"7B4UATPpBA6EGBjbzgD8CNjYfJUJjssw65BIvkBJAGEhpSexFDPOoLWpk7XVekAYRIJMQuGQmACfC1QLEx0c6JnvmgE+ASYiBIZkAnCTMAK2yWQwH" +
			"cyAx8avWz6tmtm7FE9b9hgJatOo4PbHEyfYksx5879R8P0czY2lrO0lWs5XIgGMEwgBVxKmhMQRwuoPBIVEAYBIXJzkzldTS0LRqkBNAJQEACBQFE" +
			"BQoBNAzBgPtpkS7pXRUAKkdQgfeIZpDARkgiV0c9wWLQQSsatLqKKBLW2pWhYtgS+qHscItC0EHtFZj1AlYrKdrukiigqPPINkKCfEQ/" +
			"dSKLuVEhm2Yu1sdDvmNQA4UJOD39RugAyPclvywi+A0oLQhAvVxmMTVnUfm6ECVu4+08AR7FICz9caKgwCBZUlPoU4gAQJ5SLwQTAJVTAPN6IQC44" +
			"oEMUottkEZRq1HRo32cpL9X+xHXnEpkmSBTVklYJEMqAAzZwjYuH/F3JFOFCQRADrRw==",
	}
}

// tarDamaged has a damaged header, and no end.
func tarDamaged(t *testing.T) sample {
	text := filetest.Tar(t, "1.txt", "a", "2.txt", "b", "2.cls", "3", "3.cls", "4", "3.txt", "c", "4.txt", "d", "5.txt",
		"e")
	text = filetest.Flip(text, 2048+100) // the header of 2.cls
	return sample{
		name: "damage", options: tarOptions("*.tar*"), columns: []string{"txt", "stem"}, blank: "2 members",
		first: "a.tar",
		row:   "x",
		files: map[string]string{"a.tar": text[:len(text)-tarEnd]},
		rows:  []string{"a.tar:0:0 a|1", "a.tar:1024:1 TAR_DAMAGED", "a.tar:5120:2 d|4", "a.tar:6144:3 TAR_DAMAGED"},
		bzip2: "QlpoOTFBWSZTWSIuC5AAAQ7bkMmAQAF/hAAIfgQeQAQAAAgwALgKAAAAAFAAAAABFETSNAaHoQaWXb2kStV1vfr2013XmCJln59XrX4vZeS" +
			"wLRfK5LYchEgRIXppaJ4c7LdaSgOK4yADsNF2WAWrWElIgkcI1Wk2gCTeCMFmhmudIpIzLKJhssHsguaL9Py7p+XFN14pkifxdyRThQkCIuC5AA==",
	}
}

func zipOptions(file string) *zips.Options {
	return &zips.Options{Files: patterns([]string{file}), Extensions: input.Extensions{Any: true}}
}

func zipSample(t *testing.T) sample {
	in := filetest.NewZip(t)
	in.Store("cat/1.txt", "one\n")
	in.Add("cat/2.z", "two two two two two two")
	in.Store("cat/", "")
	in.Store("3", "")
	in.Add("4.z", strings.Repeat("long", recordLimit))
	in.Store("../5", "x")
	in.Symlink("6", "-> 3")
	other := filetest.NewZip(t)
	other.Store("1.txt", "one")
	return sample{
		name: "members", options: zipOptions("**/*.zip"), columns: []string{"content", "stem", "class"},
		hostile: zipHostile,
		first:   "in/a.zip", row: "x", inside: true,
		files: map[string]string{
			"in/a.zip": in.Finish(),
			"in/b.zip": other.Finish(),
		},
		rows: []string{
			"in/a.zip:0:0 one\n|1|cat", "in/a.zip:59:1 two two two two two two|2|cat", "in/a.zip:158:2 |3|-",
			"in/a.zip:205:3 LIMIT_RECORD",
			"in/a.zip:276:4 ZIP_NAME", "in/a.zip:327:5 ZIP_UNSUPPORTED", "in/b.zip:0:0 one|1|-",
		},
	}
}

func zipImages(t *testing.T) sample {
	o := zipOptions("*.zip")
	o.Extensions, o.Exclude = input.Extensions{List: []string{"png", "jpg"}}, input.Patterns{"no/**"}
	w := filetest.NewZip(t)
	w.Store("a/1.png", encodedImage(t, "png", 3, 2))
	w.Store("2.jpg", "none")
	w.Store("no/3.png", "")
	return sample{
		name: "images", options: o, columns: []string{"image.width", "filename", "image.format", "path"}, inside: true,
		first: "a.zip", row: "x",
		files: map[string]string{"a.zip": w.Finish()},
		rows:  []string{"a.zip:0:0 3|1.png|PNG|a/1.png", "a.zip:130:1 IMG_FORMAT"},
	}
}
