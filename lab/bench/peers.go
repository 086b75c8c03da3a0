package main

import (
	"fmt"
	"path/filepath"

	"tfr-build/lab/pyenv"
)

// The environments of others' packages.
const (
	peers     = "peers"  // pyarrow, polars, DuckDB, TensorFlow, TFDS, vahidk's tfrecord
	mds       = "mds"    // MosaicML Streaming, with PyTorch
	libraries = "images" // OpenCV, Pillow, libvips
)

// peerPython is the Python of an environment.
func (b *bench) peerPython(name string) string { return filepath.Join(b.venvs, name, "bin", "python") }

// makePeers makes the environments, unless they are there.
func (b *bench) makePeers(names ...string) error {
	for _, name := range names {
		if _, err := pyenv.Make(filepath.Join(b.venvs, name),
			filepath.Join("bench", "requirements", name+".txt")); err != nil {
			return fmt.Errorf("the environment %s: %w", name, err)
		}
	}
	return nil
}

// readers only read a table.
func (b *bench) readers(table string) []contender {
	read := func(name, peer string) contender {
		return contender{name: name, role: reads, args: scriptBy(b.peerPython(peers), "read_table.py", peer,
			b.path(table))}
	}
	return []contender{read(pyarrow, "pyarrow"), read("polars, only reading", "polars"), read(duckDB, "duckdb")}
}

// Readers that goals name.
const (
	pyarrow = "pyarrow, only reading"
	duckDB  = "DuckDB, only sums"
)

// writers write the rows of a table, or the images of a tree, as a dataset. They take
// minutes, so they do a part.
func (b *bench) writers(source string, p part) (writers []contender) {
	for _, w := range []struct{ name, venv, peer string }{
		{"TensorFlow, a loop", peers, "tensorflow"},
		{"tfrecord by vahidk", peers, "tfrecord"},
		{"MosaicML Streaming, MDS", mds, "mds"},
		{"TFDS", peers, "tfds"},
	} {
		args := scriptBy(b.peerPython(w.venv), "write_dataset.py", w.peer, b.path(source), "%s", fmt.Sprint(p.of))
		writers = append(writers, contender{name: w.name, role: writes, args: args, once: true, says: true, part: p})
	}
	return writers
}

// rowsOfTables is what writers do of a table: a twentieth.
func (b *bench) rowsOfTables() part {
	return part{of: max(1, b.rows/20), all: b.rows, what: "rows"}
}

// tutorial races a table of four features against the loop of TensorFlow's tutorial,
// whose values are in memory already.
func (b *bench) tutorial() group {
	const ours, theirs = "with fsync", "TensorFlow's tutorial, a loop"
	return group{
		name:  "the tutorial's observations",
		page:  true,
		input: func() error { return b.makeTutorial() },
		contenders: []contender{
			b.ours(ours, "tutorial.yaml").as(built),
			{
				name: theirs, role: writes, once: true, says: true, part: b.rowsOfTables(),
				args: scriptBy(b.peerPython(peers), "tutorial_by_tensorflow.py", "%s", fmt.Sprint(b.rowsOfTables().of)),
			},
		},
		goals: []goal{{of: theirs, to: ours, limit: 100, least: true}},
	}
}
