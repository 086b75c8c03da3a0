package badinput

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tfr-build/internal/testenv"
)

// A layer lays out what is not a plain file.
type layer func(t *testing.T, dir string)

// link makes a symbolic link; DIR in what it leads to is the directory of the test.
func link(to, at string) layer {
	return func(t *testing.T, dir string) {
		must(t, os.Symlink(strings.ReplaceAll(to, "DIR", dir), filepath.Join(dir, at)))
	}
}

func hardLink(to, at string) layer {
	return func(t *testing.T, dir string) {
		must(t, os.Link(filepath.Join(dir, to), filepath.Join(dir, at)))
	}
}

func pipe(at string) layer {
	return func(t *testing.T, dir string) { must(t, syscall.Mkfifo(filepath.Join(dir, at), 0o666)) }
}

func socket(at string) layer {
	return func(t *testing.T, dir string) {
		must(t, syscall.Mknod(filepath.Join(dir, at), syscall.S_IFSOCK|0o666, 0))
	}
}

func directory(at string) layer {
	return func(t *testing.T, dir string) { mkdir(t, dir, at) }
}

func mode(m os.FileMode, names ...string) layer {
	return func(t *testing.T, dir string) {
		for _, name := range names {
			path := filepath.Join(dir, name)
			must(t, os.Chmod(path, m))
			t.Cleanup(func() { os.Chmod(path, 0o777) })
		}
	}
}

func sparse(at string, size int64) layer {
	return func(t *testing.T, dir string) {
		testenv.Put(t, filepath.Join(dir, at), "")
		must(t, os.Truncate(filepath.Join(dir, at), size))
	}
}

func all(layers ...layer) layer {
	return func(t *testing.T, dir string) {
		for _, l := range layers {
			l(t, dir)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// at is f with its output elsewhere.
func (f fault) at(output string) fault {
	f.output = output
	return f
}

// byUser is f for somebody who may not read everything.
func (f fault) byUser() fault {
	f.asUser = true
	return f
}

const (
	oneTable     = "source: {csv: {files: t.csv}}\nfeatures: {a: int64}\n"
	tables       = "source: {csv: {files: \"*.csv\"}}\nfeatures: {a: int64}\n"
	oneDirectory = "source: {folder: {dir: in}}\nfeatures: {content: bytes}\n"
	followed     = "source: {folder: {dir: in, follow_links: true}}\nfeatures: {content: bytes}\n"
	loading      = "source: {csv: {files: t.csv}}\nload: {pic: {path: \"{a}\", dir: in, as: bytes}}\nfeatures: {pic: " +
		"{type: bytes}}\n"
)

// placeFaults are inputs that are not plain files, or cannot be reached, and
// outputs that cannot be where they should.
func placeFaults() []fault {
	table := map[string]string{"t.csv": "a\n1\n"}
	in := map[string]string{"in/x/1.bin": "one", "in/y/2.bin": "two", "outside/3.bin": "three", "lone.bin": "four"}
	loads := func(v verdict, name, cell string, lay layer) fault {
		return input(v, name, loading, map[string]string{"t.csv": "a\ngood.bin\n" + cell + "\n", "in/good.bin": "x",
			"secret.bin": "secret"}).with(lay)
	}
	deny := all(mode(0, "in/x", "in/y/2.bin"))
	return []fault{
		input(accepted, "a link to a table", oneTable,
			nil).with(all(func(t *testing.T, dir string) { testenv.Put(t, dir+"/real", "a\n1\n") },
			link("real", "t.csv"))),
		input(refused, "a dangling link for a table", oneTable, nil).with(link("nowhere", "t.csv")),
		input(refused, "a dangling link among tables", tables, table).with(link("nowhere", "u.csv")),
		input(refused, "a link to itself for a table", oneTable, nil).with(link("t.csv", "t.csv")),
		input(refused, "a pipe for a table", oneTable, nil).with(pipe("t.csv")),
		input(refused, "a pipe among tables", tables, table).with(pipe("u.csv")),
		input(refused, "a socket for a table", oneTable, nil).with(socket("t.csv")),
		input(refused, "a device for a table", "source: {csv: {files: /dev/zero}}\nfeatures: {a: int64}\n", nil),
		input(refused, "a link to a device for a table", oneTable, nil).with(link("/dev/zero", "t.csv")),
		input(refused, "a table of a hole", oneTable, nil).with(sparse("t.csv", 1<<20)),
		input(warned, "a table under two names", tables, table).with(hardLink("t.csv", "u.csv")),
		input(refused, "tables that may not be read", tables,
			map[string]string{"t.csv": "a\n1\n", "u.csv": "a\n1\n", "v.csv": "a\n1\n"}).with(mode(0, "t.csv",
			"v.csv")).byUser(),
		input(refused, "a directory of tables that may not be read",
			"source: {csv: {files: \"in/*.csv\"}}\nfeatures: {a: int64}\n",
			map[string]string{"in/t.csv": "a\n1\n"}).with(mode(0, "in")).byUser(),
		input(refused, "a pipe for class names", "source: {csv: {files: t.csv}}\nfeatures: {a: {classes: n.txt}}\n",
			table).with(pipe("n.txt")),
		input(refused, "a pipe for a lookup table",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: s.csv}, on: a}]\nfeatures: {a: int64, c: bytes}\n",
			table).with(pipe("s.csv")),

		input(warned, "links skipped", oneDirectory,
			in).with(all(link("x/1.bin", "in/3.bin"), link("x", "in/z"), link("nowhere", "in/4.bin"),
			link("../..", "in/up"))),
		input(accepted, "links followed", followed,
			in).with(all(link("../outside", "in/z"), link("../../lone.bin", "in/x/4.bin"))),
		input(warned, "a link to a directory around it", followed, in).with(link("..", "in/x/up")),
		input(warned, "two ways to a directory", followed, in).with(link("x", "in/z")),
		input(refused, "a dangling link, followed", followed, in).with(link("nowhere", "in/4.bin")),
		input(refused, "a link to itself, followed", followed, in).with(link("4.bin", "in/4.bin")),
		input(accepted, "a link for the directory itself", "source: {folder: {dir: l}}\nfeatures: {content: bytes}\n",
			in).with(link("in", "l")),
		input(badRow, "a pipe among files", oneDirectory, in).with(pipe("in/x/0.bin")),
		input(badRow, "a socket among files", oneDirectory, in).with(socket("in/x/0.bin")),
		input(badRow, "a link to a device, followed", followed, in).with(link("/dev/zero", "in/x/0.bin")),
		input(badRow, "a pipe among images", "source: {images: {dir: in}}\nfeatures: {image: {from: image}}\n",
			nil).with(all(directory("in"), pipe("in/1.jpg"))),
		input(accepted, "a file of a hole", oneDirectory, in).with(sparse("in/x/0.bin", 1<<20)),
		input(warned, "a file under two names", oneDirectory, in).with(hardLink("in/x/1.bin", "in/y/3.bin")),
		input(refused, "a file for a directory", "source: {folder: {dir: t.csv}}\nfeatures: {content: bytes}\n", table),
		input(refused, "a pipe for a directory", "source: {folder: {dir: p}}\nfeatures: {content: bytes}\n",
			nil).with(pipe("p")),
		input(refused, "files and directories that may not be read", oneDirectory, in).with(deny).byUser(),
		input(refused, "twelve directories that may not be read", oneDirectory,
			nil).with(lockedDirectories(12)).byUser(),
		input(refused, "the directory itself may not be read", oneDirectory, in).with(mode(0, "in")).byUser(),

		loads(accepted, "a loaded file below", "deep/1.bin",
			func(t *testing.T, dir string) { testenv.Put(t, dir+"/in/deep/1.bin", "x") }),
		loads(accepted, "a loaded file through a link that stays inside", "l.bin", link("good.bin", "in/l.bin")),
		loads(badRow, "a loaded file through a link that leads outside", "l.bin", link("../secret.bin", "in/l.bin")),
		loads(badRow, "a loaded file through an absolute link", "l.bin", link("DIR/in/good.bin", "in/l.bin")),
		loads(badRow, "a loaded file through a linked directory outside", "l/secret.bin", link("..", "in/l")),
		loads(badRow, "a loaded file by an absolute path", "/etc/passwd", nil),
		loads(accepted, "a loaded file by way of ..", "deep/../good.bin", directory("in/deep")),
		loads(badRow, "a loaded file by way of .. outside", "deep/../../secret.bin", directory("in/deep")),
		loads(badRow, "a loaded directory", "deep", directory("in/deep")),
		loads(badRow, "a loaded pipe", "p", pipe("in/p")),
		loads(badRow, "a loaded socket", "s", socket("in/s")),
		loads(badRow, "a loaded link that leads nowhere", "l", link("nowhere", "in/l")),
		loads(badRow, "a loaded link to itself", "l", link("l", "in/l")),
		loads(badRow, "a loaded file below a file", "good.bin/x", nil),
		loads(badRow, "a loaded file of a long name", strings.Repeat("x", 300), nil),
		loads(badRow, "a loaded file of no name", ".", nil),
		loads(badRow, "a loaded file beyond the limit", "big.bin", sparse("in/big.bin", 5000)).limited("record: 2KB"),
		loads(refused, "a loaded file that may not be read", "d.bin", func(t *testing.T, dir string) {
			testenv.Put(t, dir+"/in/d.bin", "x")
			mode(0, "in/d.bin")(t, dir)
		}).byUser(),
		loads(refused, "a directory of loaded files that is not there", "x",
			func(t *testing.T, dir string) { must(t, os.RemoveAll(dir+"/in")) }),

		input(refused, "the output is the root", oneTable, table).at("/"),
		input(refused, "the output is a mount point", oneTable, table).at("/proc"),
		input(refused, "the output is an input directory", oneDirectory, in).at("in"),
		input(refused, "the output inside an input directory", oneDirectory, in).at("in/x/out"),
		input(refused, "the output inside an input directory, through a link", oneDirectory,
			in).at("l/out").with(link("in", "l")),
		input(refused, "the output inside the directory of a deep pattern",
			"source: {csv: {files: \"in/**/*.csv\"}}\nfeatures: {a: int64}\n",
			map[string]string{"in/t.csv": "a\n1\n"}).at("in/out"),
		input(accepted, "the output next to a table", "source: {csv: {files: \"in/*.csv\"}}\nfeatures: {a: int64}\n",
			map[string]string{"in/t.csv": "a\n1\n"}).at("in/out"),
		input(refused, "a table inside the output", "source: {csv: {files: out/t.csv}}\nfeatures: {a: int64}\n",
			map[string]string{"out/t.csv": "a\n1\n"}),
		input(refused, "a table inside the output, through a link", oneTable,
			map[string]string{"out/t.csv": "a\n1\n"}).with(link("out/t.csv", "t.csv")),
		input(refused, "a table inside the hidden directory",
			"source: {csv: {files: .out.tfr/t.csv}}\nfeatures: {a: int64}\n",
			map[string]string{".out.tfr/t.csv": "a\n1\n"}),
		input(refused, "a lookup table inside the output",
			"source: {csv: {files: t.csv}}\njoin: [{csv: {files: out/s.csv}, on: a}]\nfeatures: {a: int64, c: bytes}\n",
			map[string]string{"t.csv": "a\n1\n", "out/s.csv": "a,c\n1,2\n"}),
		input(refused, "class names inside the output",
			"source: {csv: {files: t.csv}}\nfeatures: {a: {classes: out/n.txt}}\n",
			map[string]string{"t.csv": "a\n1\n", "out/n.txt": "1\n"}),
		input(refused, "an input directory inside the output",
			"source: {folder: {dir: out/in}}\nfeatures: {content: bytes}\n", map[string]string{"out/in/1.bin": "x"}),
		input(accepted, "the output inside a directory of loaded files", loading,
			map[string]string{"t.csv": "a\n1\n", "in/1": ""}).at("in/out"),
		input(refused, "a file at the output", oneTable, map[string]string{"t.csv": "a\n1\n", "out": "mine"}),
		input(refused, "files at the output", oneTable, map[string]string{"t.csv": "a\n1\n", "out/notes.txt": "mine"}),
		input(refused, "a file at the hidden directory", oneTable,
			map[string]string{"t.csv": "a\n1\n", ".out.tfr": "mine"}),
		input(accepted, "an empty directory at the output", oneTable, table).with(directory("out")),
		input(accepted, "a link to an empty directory at the output", oneTable,
			table).with(all(directory("real"), link("real", "out"))),
		input(accepted, "a dangling link at the output", oneTable, table).with(link("nowhere", "out")),
		input(refused, "a file on the way to the output", oneTable,
			map[string]string{"t.csv": "a\n1\n", "f": ""}).at("f/out"),
		input(refused, "an output that may not be made", oneTable,
			table).at("locked/out").with(all(directory("locked"), mode(0o555, "locked"))).byUser(),
	}
}

// kernelFaults are files that Linux makes up while they are read.
func kernelFaults() []fault {
	return []fault{
		input(refused, "a file of the kernel for a table",
			"source: {csv: {files: /proc/self/status}}\nfeatures: {a: int64}\n", nil),
		input(refused, "a file of the kernel for JSON lines",
			"source: {jsonl: {files: /proc/self/status}}\nfeatures: {a: int64}\n", nil),
		input(badRow, "files of the kernel",
			"source: {folder: {dir: /proc/sys/kernel, include: ostype}}\nfeatures: {content: bytes}\n", nil),
	}
}

// lockedDirectories makes n directories that no process may read.
func lockedDirectories(n int) layer {
	return func(t *testing.T, dir string) {
		for i := range n {
			name := "in/" + string(rune('a'+i))
			mkdir(t, dir, name)
			mode(0, name)(t, dir)
		}
	}
}
