package sources

import (
	"archive/tar"
	"bytes"
	"strings"
	"testing"

	ours "tfr-build/sources/tar"
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
