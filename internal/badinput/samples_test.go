package badinput

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
	"tfr-build/internal/testenv"
)

// imageListFaults are rows with lists of images that cannot be used.
func imageListFaults(t *testing.T) []fault {
	p := draw(t)
	load := func(v verdict, name, keys, rows string) fault {
		return input(v, name, "source:\n  jsonl: {files: t.jsonl}\n  load: {images: {path: '{photos}', dir: pics"+keys+
			"}}\nfeatures: {images: {shape: [-1], missing: omit}}\n",
			map[string]string{"t.jsonl": "{\"photos\": [\"a.jpg\"]}\n" + rows, "pics/a.jpg": p.jpeg,
				"pics/b.jpg": "no image", "pics/c.jpg": p.jpeg[:100], "pics/d.png": p.png, "out.jpg": p.jpeg})
	}
	row := func(paths string) string { return `{"photos": ` + paths + "}\n" }
	long := `"` + strings.Repeat("a", 5000) + `.jpg"`
	list := []fault{
		load(accepted, "a list of images", "", row(`["a.jpg", "d.png", "a.jpg"]`)),
		load(accepted, "an empty list of images", "", row(`[]`)),
		load(badRow, "a list with one missing file", "", row(`["a.jpg", "d.png", "none.jpg"]`)),
		load(badRow, "a list with one file that is not an image", "", row(`["a.jpg", "b.jpg"]`)),
		load(badRow, "a list with one image that is cut", "", row(`["a.jpg", "c.jpg"]`)),
		load(badRow, "a list with a null", "", row(`["a.jpg", null]`)),
		load(badRow, "a list with an empty path", "", row(`["", "a.jpg"]`)),
		load(badRow, "a list with a list", "", row(`["a.jpg", ["a.jpg"]]`)),
		load(badRow, "a list with an object", "", row(`[{"path": "a.jpg"}]`)),
		load(badRow, "a list with a number", "", row(`["a.jpg", 7]`)),
		load(badRow, "an object for a list", "", row(`{"path": "a.jpg"}`)),
		load(badRow, "a list with a way out", "", row(`["a.jpg", "../out.jpg"]`)),
		load(badRow, "a list with an absolute path", "", row(`["a.jpg", "/etc/passwd"]`)),
		load(badRow, "a list with a directory", "", row(`["a.jpg", "."]`)),
		load(badRow, "a list with a NUL", "", row(`["a.jpg", "a\u0000.jpg"]`)),
		load(badRow, "a list with a path of 5,000 bytes", "", row(`["a.jpg", `+long+`]`)),
		load(badRow, "a list of 20,000 missing files", "",
			row(`["none.jpg"`+strings.Repeat(`, "none.jpg"`, 19_999)+`]`)),
		load(badRow, "a list with boxes", ", convert: {resize: {short: 4}, boxes: [{xyxy: y, unit: pixel}]}",
			`{"photos": ["a.jpg", "d.png"], "y": [0, 0, 1, 1]}`+"\n"),
		load(badRow, "a list of more bytes than a record", "",
			row(`["a.jpg", "d.png", "a.jpg"]`)).limited("record: 1KB"),
		load(badRow, "a list of more pixels than images of one size",
			", convert: {resize: {width: 30, height: 30, fit: stretch, up: true}}",
			row(`["a.jpg"`+strings.Repeat(`, "a.jpg"`, 10)+`]`)).limited("pixels: 900"),
		load(badRow, "a list with one large image", ", convert: {color: gray}",
			row(`["a.jpg", "d.png"]`)).limited("pixels: 100"),
		load(refused, "a key with the name of a load", "", `{"photos": ["a.jpg"], "images": ["a.jpg"]}`+"\n"),
	}
	parquet := func(v verdict, name, column string) fault {
		data, err := os.ReadFile(filepath.Join("testdata", "images-"+name+".parquet"))
		must(t, err)
		return input(v, "images of Parquet, "+name+" in "+column,
			"source: {parquet: {files: x.parquet, image: "+column+"}}\nfeatures: {image: {}}\n",
			map[string]string{"x.parquet": string(data)})
	}
	return append(list,
		parquet(accepted, "list", "photos"),
		parquet(badRow, "missing", "photos"),
		parquet(badRow, "far", "photos"),
		parquet(refused, "lists", "photos"),
		parquet(refused, "path", "photos"),
		parquet(badRow, "text", "photos"),
		parquet(accepted, "inner", "photos.photos"),
		parquet(refused, "inner", "photos"),
	)
}

// sampleFaults are records that no archive of WebDataset can have.
func sampleFaults(t *testing.T) []fault {
	p := draw(t)
	keyed := func(v verdict, name string, ids ...string) fault {
		rows := ""
		for _, id := range ids {
			rows += `{"id": ` + id + "}\n"
		}
		return input(v, name, "format: webdataset\nwebdataset: {key: '{id}'}\nsource: {jsonl: {files: t.jsonl}}\n"+
			"features: {x: {from: id, type: string, missing: omit}}\norder: source\n",
			map[string]string{"t.jsonl": "{\"id\": \"ok\"}\n" + rows})
	}
	quoted := func(text string) string { return `"` + text + `"` }
	config := func(v verdict, name, webdataset, features string) fault {
		return input(v, name, "format: webdataset\n"+webdataset+"source: {jsonl: {files: t.jsonl}}\nload: {photo: "+
			"{path: '{f}', dir: .}}\nfeatures: "+features+"\n",
			map[string]string{"t.jsonl": `{"f": "a.jpg", "n": 1, "list": [1, 2]}` + "\n" +
				`{"f": "d.png", "n": 2, "list": []}` + "\n", "a.jpg": p.jpeg, "d.png": p.png})
	}
	return []fault{
		keyed(accepted, "keys", quoted("a"), quoted("é ß 漢"), "7"),
		keyed(badRow, "a key with a dot", quoted("a.b")),
		keyed(badRow, "a key with a slash", quoted("a/b")),
		keyed(badRow, "a key with a backslash", quoted(`a\\b`)),
		keyed(badRow, "a key with a NUL", quoted(`a\u0000b`)),
		keyed(badRow, "a key with a line feed", quoted(`a\nb`)),
		keyed(badRow, "two dots for a key", quoted("..")),
		keyed(badRow, "an empty key", quoted("")),
		keyed(badRow, "a null for a key", "null"),
		keyed(badRow, "a fraction for a key", "1.5"),
		keyed(badRow, "a list for a key", "[1]"),
		keyed(badRow, "a key twice", quoted("a"), quoted("b"), quoted("a")),
		keyed(badRow, "a key twice, as a number and a string", "7", quoted("7")),
		keyed(accepted, "a key of 4,000 bytes", quoted(strings.Repeat("k", 4000))),
		keyed(accepted, "keys that differ in case", quoted("a"), quoted("A")),
		keyed(badRow, "a key beyond the limit of a record", quoted(strings.Repeat("k", 4000))).limited("record: 1KB"),
		config(accepted, "an image and numbers", "", "{photo: {}, n: int64}"),
		config(badRow, "an image beyond the limit of a record", "", "{photo: {}, n: int64}").limited("record: 200B"),
		config(refused, "two images without names", "", "{photo: {}, other: {from: photo}}"),
		config(refused, "two features of one name", "", "{A: {from: photo}, a: {from: f, type: bytes}, "+
			"A/b: {from: f, type: bytes}, a.b: {from: f, type: bytes}}"),
		config(refused, "a member with a slash", "webdataset: {members: {a/b: n, jpg: photo}}\n",
			"{photo: {}, n: int64}"),
		config(refused, "a member with a number first", "webdataset: {members: {0.jpg: photo, cls: n}}\n",
			"{photo: {}, n: int64}"),
		config(refused, "a feature in no member", "webdataset: {members: {jpg: photo}}\n", "{photo: {}, n: int64}"),
		config(refused, "a list for cls", "webdataset: {members: {cls: list}}\n", "{list: {type: int64, shape: [-1]}}"),
		config(refused, "records that may have no member", "webdataset: {members: {txt: x}}\n",
			"{x: {type: string, missing: omit}}"),
		config(refused, "a key in braces that no row has", "webdataset: {key: '{nokey}'}\n", "{n: int64}"),
		config(refused, "a key of each row of a record", "group: {by: f}\nderive: {k: '@step'}\n"+
			"webdataset: {key: '{k}'}\n", "{n: {type: int64, take: first}}"),
		config(refused, "a key of two columns", "webdataset: {key: '{f}{n}'}\n", "{n: int64}"),
	}
}

// damages are what can happen to an archive that a dataset has.
func damages(t *testing.T, sound string) []struct{ name, data string } {
	header := strings.Index(sound, "b.txt")
	return []struct{ name, data string }{
		{"sound", sound},
		{"cut in a content", sound[:header+600]},
		{"without its end", sound[:len(sound)-1024]},
		{"with a damaged header", filetest.Overwrite(sound, header, "B")},
		{"that claims 8 GiB", filetest.Overwrite(sound, 124, "77777777777\x00")},
		{"with another number", filetest.Overwrite(sound, strings.Index(sound, "cls")+508, "x")},
		{"with more after its end", sound + sound},
		{"of other members", filetest.Tar(t, "a.txt", "one", "a.exe", "x", "b.txt", "two", "b.cls", "2")},
		{"with a member twice", filetest.Tar(t, "a.txt", "one", "a.txt", "one", "a.cls", "1")},
		{"without members", filetest.Tar(t)},
		{"of zeros", strings.Repeat("\x00", len(sound))},
		{"that is a text", "a,b\n"},
		{"without a byte", ""},
	}
}

// sizes matches what a report and other files of a dataset have together.
var sizes = regexp.MustCompile(` bytes=\d+`)

// TestDamagedSamples damages an archive of a dataset, or some of the damages. What commands say about it is in a golden
// file.
func TestDamagedSamples(t *testing.T) {
	t.Parallel()
	bin := testenv.Program(t)
	f := input(accepted, "", "format: webdataset\norder: source\nwebdataset: {key: '{id}', members: {txt: text, "+
		"cls: n}}\n"+
		"source: {csv: {files: t.csv}}\nfeatures: {text: string, n: int64}\n",
		map[string]string{"t.csv": "id,text,n\na,one,1\nb,two,2\nc,three,3\n"})
	dir := f.layOut(t)
	if out, err := f.command(bin, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shard := filepath.Join(dir, "out", "d-train-000000.tar")
	sound, err := os.ReadFile(shard)
	must(t, err)
	list := damages(t, string(sound))
	var faults []fault
	var answers []string
	for i, damage := range list {
		faults, answers = append(faults, fault{name: "an archive " + damage.name}), append(answers, "")
		if i%testenv.Times(len(list)/2, 1, 1) != 0 && !*update {
			continue
		}
		must(t, os.WriteFile(shard, []byte(damage.data), 0o666))
		for _, args := range []string{"verify out", "stats out", "inspect out", "locate out n=2",
			"verify -salvage saved out/d-train-000000.tar"} {
			cmd := exec.Command(bin, strings.Fields(args)...)
			cmd.Dir = dir
			said, err := cmd.CombinedOutput()
			if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok ||
				strings.Contains(string(said), "goroutine") {
				t.Errorf("%s: %v\n%s", args, err, said)
			}
			answers[i] += "  " + args + ": " + answer(cmd.ProcessState.ExitCode(),
				sizes.ReplaceAllString(strings.TrimSpace(string(said)), ""))
		}
		answers[i] = faults[i].name + ": exit codes\n" + answers[i]
		must(t, os.RemoveAll(filepath.Join(dir, "saved")))
	}
	golden(t, filepath.Join("testdata", "damaged.golden"), faults, answers)
}
