package badinput

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"strings"
	"testing"
)

// A packed is a member of an archive.
type packed struct {
	name, content string
	kind          byte // of a tar archive; 0 for a file
}

// tarOf is a tar archive of members.
func tarOf(t testing.TB, members ...packed) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Size: int64(len(m.content)), Mode: 0o644, Typeflag: m.kind}
		if m.kind != 0 {
			h.Linkname = "elsewhere"
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(m.content))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// zipOf is a zip archive of members, deflated.
func zipOf(t testing.TB, members ...packed) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		f, err := w.Create(m.name)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(m.content))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// changed is a text with other bytes from an offset on; a negative one is from its end.
func changed(text string, at int, with string) string {
	if at < 0 {
		at += len(text)
	}
	return text[:at] + with + text[at+len(with):]
}

// archiveFaults are archives that lie, are damaged, or hold what is not read.
func archiveFaults(t testing.TB) []fault {
	samples := func(v verdict, name, file string) fault {
		return input(v, "a tar archive, "+name, "source: {tar: {files: x.tar}}\nfeatures: {txt: bytes, n: {type: int64, from: json.n, missing: omit}}\n", map[string]string{"x.tar": file})
	}
	members := func(v verdict, name, file string) fault {
		return input(v, "a zip archive, "+name, "source: {zip: {files: x.zip}}\nlimits: {record: 1MiB}\nfeatures: {content: {}, path: bytes}\n", map[string]string{"x.zip": file})
	}
	good := tarOf(t, packed{name: "1.txt", content: "one"}, packed{name: "1.json", content: `{"n": 1}`}, packed{name: "2.txt", content: "two"}, packed{name: "3.txt", content: "three"}, packed{name: "4.txt", content: "four"})
	archive := zipOf(t, packed{name: "a/1.txt", content: "one"}, packed{name: "a/2.txt", content: "two"})
	skip := func(f fault) fault {
		f.name += ", skipped"
		f.config = "on_error: skip\nmax_errors: 5\n" + f.config
		return f
	}
	of := func(members ...packed) string { return tarOf(t, members...) }
	return []fault{
		samples(accepted, "sound", good),
		samples(refused, "a text", "a,b\n1,2\n"),
		samples(refused, "empty", ""),
		samples(refused, "cut in a content", good[:1200+512]),
		samples(refused, "cut before its end", good[:len(good)-1024]),
		skip(samples(warned, "cut before its end", good[:len(good)-1024])),
		samples(refused, "with a damaged header", changed(good, 2148, "Q")),
		skip(samples(warned, "with a damaged header", changed(good, 2148, "Q"))),
		samples(refused, "that claims 8 GiB", changed(good, 124, "77777777777\x00")),
		samples(refused, "with another behind it", good+good),
		samples(badRow, "with a symbolic link", of(packed{name: "1.txt", kind: tar.TypeSymlink})),
		samples(badRow, "with a hard link", of(packed{name: "1.txt", kind: tar.TypeLink})),
		samples(badRow, "with a pipe", of(packed{name: "1.txt", kind: tar.TypeFifo})),
		samples(badRow, "with a way out", of(packed{name: "../../1.txt", content: "x"})),
		samples(badRow, "with an absolute path", of(packed{name: "/etc/1.txt", content: "x"})),
		samples(badRow, "with a member twice", of(packed{name: "1.txt", content: "x"}, packed{name: "1.TXT", content: "y"})),
		samples(badRow, "without a member", of(packed{name: "1.json", content: "{}"}, packed{name: "2.txt", content: "x"})),
		samples(badRow, "with JSON that is none", of(packed{name: "1.txt", content: "x"}, packed{name: "1.json", content: `{"n": `})),
		samples(badRow, "with JSON that is a list", of(packed{name: "1.txt", content: "x"}, packed{name: "1.json", content: `[1]`})),
		samples(refused, "with no row", of()),
		input(badRow, "a tar archive, with an image that is none", "source: {tar: {files: x.tar}}\nfeatures: {jpg: {}, h: {from: jpg.height}}\n", map[string]string{"x.tar": of(packed{name: "1.jpg", content: "no image"})}),
		input(refused, "a tar archive, with a column that no row has", "source: {tar: {files: x.tar}}\nfeatures: {text: bytes}\n", map[string]string{"x.tar": good}),
		input(refused, "a tar archive, compressed and cut", "source: {tar: {files: x.tar.gz}}\nfeatures: {txt: bytes}\n", map[string]string{"x.tar.gz": zipped(good)[:60]}),
		members(accepted, "sound", archive),
		members(refused, "a text", "a,b\n1,2\n"),
		members(refused, "empty", ""),
		members(refused, "cut", archive[:len(archive)-30]),
		members(refused, "with a damaged content", changed(archive, 38, "Q")),
		members(badRow, "with a bomb", zipOf(t, packed{name: "a", content: strings.Repeat("\x00", 2<<20)})),
		members(badRow, "with a way out", zipOf(t, packed{name: "../a", content: "x"})),
		members(badRow, "with a drive", zipOf(t, packed{name: "c:\\a", content: "x"})),
		members(refused, "with a path twice", zipOf(t, packed{name: "a", content: "x"}, packed{name: "a", content: "x"})),
		members(badRow, "that is encrypted", changed(archive, strings.Index(archive, "PK\x01\x02")+8, "\x09")),
		members(refused, "with members that overlap", changed(archive, strings.LastIndex(archive, "PK\x01\x02")+42, "\x01")),
		members(refused, "with no row", zipOf(t)),
	}
}
