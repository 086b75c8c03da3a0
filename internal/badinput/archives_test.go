package badinput

import (
	"archive/tar"
	"strings"
	"testing"

	"tfr-build/internal/filetest"
)

// archiveFaults are archives that lie, are damaged, or hold what is not read.
func archiveFaults(t testing.TB) []fault {
	samples := func(v verdict, name, file string) fault {
		return input(v, "a tar archive, "+name,
			"source: {tar: {files: x.tar}}\nfeatures: {txt: bytes, n: {type: int64, from: json.n, missing: omit}}\n",
			map[string]string{"x.tar": file})
	}
	members := func(v verdict, name, file string) fault {
		return input(v, "a zip archive, "+name,
			"source: {zip: {files: x.zip}}\nlimits: {record: 1MiB}\nfeatures: {content: {}, path: bytes}\n",
			map[string]string{"x.zip": file})
	}
	of := func(namesAndContents ...string) string { return filetest.Tar(t, namesAndContents...) }
	linked := func(kind byte) string {
		w := filetest.NewTar(t)
		w.AddHeader(&tar.Header{Name: "1.txt", Typeflag: kind, Linkname: "elsewhere"}, "")
		return w.Finish()
	}
	zipOf := func(namesAndContents ...string) string { return filetest.Zip(t, namesAndContents...) }
	good := of("1.txt", "one", "1.json", `{"n": 1}`, "2.txt", "two", "3.txt", "three", "4.txt", "four")
	archive := zipOf("a/1.txt", "one", "a/2.txt", "two")
	skip := func(f fault) fault {
		f.name += ", skipped"
		f.config = "on_error: skip\nmax_errors: 5\n" + f.config
		return f
	}
	return []fault{
		samples(accepted, "sound", good),
		samples(refused, "a text", "a,b\n1,2\n"),
		samples(refused, "empty", ""),
		samples(refused, "cut in a content", good[:1200+512]),
		samples(refused, "cut before its end", good[:len(good)-1024]),
		skip(samples(warned, "cut before its end", good[:len(good)-1024])),
		samples(refused, "with a damaged header", filetest.Overwrite(good, 2148, "Q")),
		skip(samples(warned, "with a damaged header", filetest.Overwrite(good, 2148, "Q"))),
		samples(refused, "that claims 8 GiB", filetest.Overwrite(good, 124, "77777777777\x00")),
		samples(refused, "with another behind it", good+good),
		samples(badRow, "with a symbolic link", linked(tar.TypeSymlink)),
		samples(badRow, "with a hard link", linked(tar.TypeLink)),
		samples(badRow, "with a pipe", linked(tar.TypeFifo)),
		samples(badRow, "with a way out", of("../../1.txt", "x")),
		samples(badRow, "with an absolute path", of("/etc/1.txt", "x")),
		samples(badRow, "with a member twice", of("1.txt", "x", "1.TXT", "y")),
		samples(badRow, "without a member", of("1.json", "{}", "2.txt", "x")),
		samples(badRow, "with JSON that is none", of("1.txt", "x", "1.json", `{"n": `)),
		samples(badRow, "with JSON that is a list", of("1.txt", "x", "1.json", `[1]`)),
		samples(refused, "with no row", of()),
		input(badRow, "a tar archive, with an image that is none",
			"source: {tar: {files: x.tar}}\nfeatures: {jpg: {}, h: {from: jpg.height}}\n",
			map[string]string{"x.tar": of("1.jpg", "no image")}),
		input(refused, "a tar archive, with a column that no row has",
			"source: {tar: {files: x.tar}}\nfeatures: {text: bytes}\n", map[string]string{"x.tar": good}),
		input(refused, "a tar archive, compressed and cut",
			"source: {tar: {files: x.tar.gz}}\nfeatures: {txt: bytes}\n",
			map[string]string{"x.tar.gz": filetest.Gzip(good)[:60]}),
		members(accepted, "sound", archive),
		members(refused, "a text", "a,b\n1,2\n"),
		members(refused, "empty", ""),
		members(refused, "cut", archive[:len(archive)-30]),
		members(refused, "with a damaged content", filetest.Overwrite(archive, 38, "Q")),
		members(badRow, "with a bomb", zipOf("a", strings.Repeat("\x00", 2<<20))),
		members(badRow, "with a way out", zipOf("../a", "x")),
		members(badRow, "with a drive", zipOf("c:\\a", "x")),
		members(refused, "with a path twice", zipOf("a", "x", "a", "x")),
		members(badRow, "that is encrypted", filetest.Overwrite(archive, strings.Index(archive, "PK\x01\x02")+8,
			"\x09")), members(refused, "with members that overlap",
			filetest.Overwrite(archive, strings.LastIndex(archive, "PK\x01\x02")+42, "\x01")),
		members(refused, "with no row", zipOf()),
	}
}
