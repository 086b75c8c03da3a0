// Package policy checks rules for the source of the complete project.
package policy

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// An importPolicy is what a package may import, besides the packages of the standard library that do not
// reach outside of the process. Its tests may also import the package itself, testImports, and tests.
type importPolicy struct {
	own   string // packages of the project; each of them is lower
	third string // packages of other modules
	std   string // packages of the standard library in outside
	tests string
}

// importPolicies has every package of the project, the lowest first.
//
//	cmd/tfr-build
//	pipeline
//	pipeline/…  describe  runstate  spill  task  find  rejects  rows  plan  infer  config
//	sources (its types, what they share, input, column)     sink     dataset
//	expr
//	schema     order     tfrecord     internal/vfs     message     pixels/jpeg/internal/dsp
var importPolicies = map[string]importPolicy{
	"tfrecord": {own: "internal/crc32c internal/plural"},
	"arrayrecord": {
		own: "tfrecord",
		third: `github.com/klauspost/compress/zstd github.com/minio/highwayhash
			google.golang.org/protobuf/encoding/protowire`,
	},
	"framing": {
		own:   "arrayrecord internal/tarfile message tfrecord webdataset",
		third: "github.com/klauspost/compress/gzip", tests: "os/exec",
	},
	"internal/tarfile": {own: "internal/prefetch schema"},
	"webdataset": {
		own:   "internal/nearest internal/tarfile message pixels/header schema tfrecord",
		third: "github.com/klauspost/compress/gzip google.golang.org/protobuf/encoding/protowire",
		tests: "os/exec",
	},
	"internal/crc32c":  {third: "golang.org/x/sys/cpu", tests: "os/exec"},
	"internal/sumline": {own: "internal/crc32c"},
	"internal/cost":    {std: "syscall"},
	"internal/natural": {},
	"internal/bug":     {},
	"internal/varint":  {},
	"internal/version": {},
	"internal/room":    {own: "schema"},
	"docs/reference":   {},
	"internal/codes":   {own: "docs/reference", tests: "os/exec"},
	"internal/nearest": {},
	"internal/nameset": {},
	"internal/plural":  {},
	"internal/excerpt": {},
	"internal/garbage": {},
	"internal/textformat": {
		tests: "google.golang.org/protobuf/encoding/prototext google.golang.org/protobuf/types/known/wrapperspb",
	},
	"message": {
		third: "google.golang.org/protobuf/encoding/protowire",
		tests: `schema/tfpb google.golang.org/protobuf/proto google.golang.org/protobuf/encoding/protojson
			google.golang.org/protobuf/reflect/protodesc google.golang.org/protobuf/reflect/protoreflect
			google.golang.org/protobuf/types/descriptorpb google.golang.org/protobuf/types/dynamicpb`,
	},
	"schema": {
		own:   "internal/nameset internal/nearest message schema/date",
		third: "google.golang.org/protobuf/encoding/protowire",
		tests: `schema/tfpb google.golang.org/protobuf/proto google.golang.org/protobuf/reflect/protodesc
			google.golang.org/protobuf/reflect/protoreflect google.golang.org/protobuf/types/descriptorpb
			google.golang.org/protobuf/types/dynamicpb`,
	},
	"schema/date": {tests: "os/exec"},
	"expr": {
		own:   "internal/natural internal/nearest internal/plural internal/room schema",
		third: "golang.org/x/text/unicode/rangetable",
		tests: "syscall",
	},
	"schema/tfpb": {
		third: "google.golang.org/protobuf/reflect/protoreflect google.golang.org/protobuf/runtime/protoimpl",
		std:   "unsafe",
		tests: "google.golang.org/protobuf/proto",
	},
	"internal/pool": {own: "internal/bug", third: "golang.org/x/sync/errgroup"},
	"internal/order": {
		own:   "internal/plural internal/pool",
		third: "github.com/tidwall/btree github.com/zeebo/xxh3 golang.org/x/sync/errgroup",
	},
	"internal/order/inception": {own: "internal/order", third: "gonum.org/v1/gonum/mathext/prng", tests: "os/exec"},
	"internal/vfs": {third: "golang.org/x/sys/unix", std: "os syscall unsafe",
		tests: "internal/vfs/vfstest"},
	"internal/bytemask": {third: "golang.org/x/sys/cpu", tests: "os/exec"},
	"internal/hugepage": {third: "golang.org/x/sys/unix", std: "unsafe"},
	"internal/prefetch": {},
	"internal/bucket": {
		own: "internal/crc32c",
		third: `github.com/minio/minio-go/v7 github.com/minio/minio-go/v7/pkg/credentials
			golang.org/x/sync/errgroup`,
		std:   "net net/http os",
		tests: "go.uber.org/goleak",
	},

	"internal/store":         {own: "internal/crc32c internal/vfs", tests: "internal/vfs/vfstest syscall"},
	"internal/store/objects": {own: "internal/bucket internal/store"},
	"internal/store/storetest": { // which only tests import
		own:   "internal/crc32c internal/store",
		tests: "net/http internal/vfs/vfstest internal/bucket internal/store/objects",
	},

	"pixels/jpeg/internal/dsp": {third: "golang.org/x/sys/cpu", tests: "golang.org/x/sys/unix"},
	"pixels/geometry":          {},
	"pixels/internal/segment":  {},
	"pixels/jpeg":              {own: "pixels/internal/segment pixels/jpeg/internal/dsp"},

	"internal/vfs/vfstest": {own: "internal/vfs", std: "os syscall"}, // which only tests import

	"sources/column":  {own: "expr schema"},
	"sources/lines":   {},
	"sources/charset": {own: "schema sources/lines"},
	"sources/files": {
		own:   "internal/pool internal/store",
		third: "golang.org/x/sync/errgroup golang.org/x/sys/unix",
		std:   "os",
		tests: "go.uber.org/goleak internal/bucket internal/store/objects",
	},
	"sources/input": {
		own:   "internal/excerpt internal/plural internal/order internal/room schema sources/column sources/files",
		tests: "golang.org/x/sys/unix",
	},
	"sources/compress": {
		own:   "sources/files sources/input",
		third: "github.com/klauspost/compress/gzip github.com/klauspost/compress/zstd",
	},
	"sources/table": {
		own: `internal/store internal/order schema sources/charset sources/column sources/compress sources/files
			sources/input sources/lines`,
		third: "golang.org/x/sys/unix",
		tests: "sources/csv sources/jsonl sources/text os/exec github.com/klauspost/compress/zstd",
	},
	"sources/tree": {
		own:   "internal/plural internal/store internal/order schema sources/column sources/files sources/input",
		third: "golang.org/x/text/unicode/norm",
		tests: "golang.org/x/sys/unix",
	},
	"sources/arrays": {
		own: `internal/plural internal/order schema sources/column sources/compress sources/files sources/input
			sources/table sources/zipdir`,
		third: "github.com/klauspost/compress/flate golang.org/x/sys/unix",
		tests: "github.com/klauspost/compress/gzip",
	},
	"sources/parquet": {
		own: `internal/bug internal/hugepage internal/plural internal/prefetch internal/order internal/room schema
			sources/column sources/compress sources/files pixels/convert pixels/geometry sources/images
			sources/input sources/table`,
		third: `github.com/andybalholm/brotli github.com/klauspost/compress/gzip
			github.com/klauspost/compress/snappy github.com/klauspost/compress/zstd
			github.com/parquet-go/parquet-go/deprecated github.com/parquet-go/parquet-go/encoding
			github.com/parquet-go/parquet-go/encoding/delta github.com/parquet-go/parquet-go/encoding/thrift
			github.com/parquet-go/parquet-go/format github.com/pierrec/lz4/v4`,
	},
	"sources/csv": {
		own: `internal/bytemask internal/plural schema sources/charset sources/column sources/input
			sources/lines sources/table`,
	},
	"sources/jsonl": {own: "schema sources/column sources/input sources/lines sources/table", tests: "os/exec"},
	"sources/json": {
		own: `internal/nearest internal/plural schema sources/column sources/compress sources/files
			sources/input sources/jsonl sources/lines sources/table`,
		tests: "github.com/klauspost/compress/gzip",
	},
	"sources/text": {
		own: "internal/plural schema sources/charset sources/column sources/input sources/lines sources/table",
	},
	"sources/tfrecord": {
		own: `message internal/order internal/room schema sources/column sources/compress sources/files sources/input
			sources/table tfrecord framing`,
		tests: `arrayrecord dataset schema/tfpb google.golang.org/protobuf/encoding/protowire
			google.golang.org/protobuf/proto`,
	},
	"pixels/header": {
		own:   "pixels/internal/segment pixels/jpeg",
		third: "github.com/klauspost/compress/zlib",
		tests: "golang.org/x/image/bmp golang.org/x/image/webp",
	},
	"pixels/raster": {
		own: "pixels/jpeg pixels/header",
		third: "github.com/klauspost/compress/zlib golang.org/x/image/bmp golang.org/x/image/tiff " +
			"golang.org/x/image/webp",
	},
	"pixels/resample": {third: "golang.org/x/sys/cpu", tests: "syscall"},
	"pixels/convert":  {own: "pixels/geometry pixels/jpeg pixels/header pixels/raster pixels/resample"},
	"statistics": {
		own:   "internal/bug internal/natural internal/varint message schema",
		third: "github.com/zeebo/xxh3",
		tests: "google.golang.org/protobuf/encoding/protowire syscall",
	},
	"statistics/images": {
		own:   "pixels/header statistics",
		tests: "message schema/tfpb google.golang.org/protobuf/proto",
	},
	"sources/images": {
		own: "internal/room schema sources/column pixels/geometry pixels/header pixels/convert sources/input " +
			"sources/tree",
		tests: "sources/files",
	},
	"sources/xml": {own: `internal/nearest schema sources/charset sources/column sources/compress sources/input
		sources/lines sources/table sources/tree`},
	"sources/folder": {own: "schema sources/charset sources/column sources/input sources/tree"},
	"sources/tar": {
		own: `internal/tarfile internal/prefetch internal/order pixels/header schema sources/column sources/compress
			sources/files pixels/convert pixels/geometry sources/images sources/input sources/jsonl sources/lines
			sources/table`,
	},
	"sources/zipdir": {own: "schema sources/input"},
	"sources/zip": {
		own: `internal/order schema sources/column sources/compress sources/files pixels/convert pixels/geometry
			sources/images sources/input
			sources/table sources/tree sources/zipdir`,
		third: "github.com/klauspost/compress/flate",
	},
	"sources": {
		own: `internal/room internal/store expr schema internal/nearest internal/plural sources/arrays sources/column
			sources/csv sources/files sources/folder pixels/convert pixels/geometry pixels/header sources/images
			sources/input
			sources/json sources/jsonl sources/parquet sources/tar sources/text sources/tfrecord sources/xml
			sources/zip`,
		tests: `framing golang.org/x/sys/unix internal/order tfrecord github.com/klauspost/compress/gzip
			github.com/klauspost/compress/zstd`,
	},
	"sink": {
		own:   "internal/store internal/crc32c internal/pool internal/sumline",
		third: "github.com/zeebo/xxh3 github.com/klauspost/compress/flate",
		std:   "syscall",
		tests: `golang.org/x/sync/errgroup internal/bucket internal/store/objects internal/store/storetest
			internal/vfs/vfstest net/http os/exec go.uber.org/goleak github.com/klauspost/compress/gzip
			github.com/klauspost/compress/zlib internal/vfs`,
	},
	"dataset/provenance": {},
	"dataset": {
		own: "webdataset dataset/provenance internal/bug internal/store message schema tfrecord internal/crc32c " +
			"internal/excerpt internal/plural internal/textformat framing",
		third: "github.com/zeebo/xxh3 golang.org/x/sync/errgroup google.golang.org/protobuf/encoding/protowire",
		std:   "os syscall",
		tests: `arrayrecord internal/vfs/vfstest schema/tfpb google.golang.org/protobuf/proto
			google.golang.org/protobuf/encoding/protojson internal/vfs`,
	},
	"dataset/survey": {
		own:   "dataset message schema statistics statistics/images",
		tests: "tfrecord schema/tfpb google.golang.org/protobuf/proto",
	},
	"dataset/search": {own: "dataset message schema", tests: "tfrecord"},
	"dataset/page":   {own: "checks dataset dataset/diff dataset/survey report schema"},
	"dataset/diff": {
		own:   "internal/plural internal/store dataset dataset/survey statistics",
		third: "github.com/zeebo/xxh3 golang.org/x/sync/errgroup",
		tests: "message schema tfrecord",
	},

	"checks": {own: "internal/plural message statistics"},
	"dataset/tfx": {
		own:   "dataset internal/bug internal/textformat message schema statistics",
		tests: "google.golang.org/protobuf/encoding/prototext google.golang.org/protobuf/types/known/wrapperspb",
	},
	"dataset/croissant": {own: "dataset internal/bug internal/plural schema tfrecord", tests: "framing"},
	"pipeline/config": {
		own: `webdataset internal/store checks internal/bucket internal/plural internal/order/inception schema
			schema/date internal/excerpt internal/nearest sources sources/column sources/files
			pixels/convert sources/input expr internal/store/objects framing message`,
		third: "gopkg.in/yaml.v3",
		std:   "os",
		tests: `github.com/rogpeppe/go-internal/txtar sources/arrays sources/csv sources/folder sources/images
			sources/jsonl
			sources/text sources/tfrecord sources/parquet sources/json sources/xml sources/zip sources/tar`,
	},
	"report": {
		own: `webdataset checks dataset internal/codes internal/bug internal/plural pixels/jpeg message schema
			pixels/header pixels/raster statistics tfrecord framing`,
		tests: "arrayrecord internal/reporttest google.golang.org/protobuf/encoding/protowire",
	},
	"pipeline/plan": {
		own: `dataset internal/crc32c internal/nearest internal/plural internal/order internal/order/inception
			internal/sumline internal/varint pipeline/config sources/files sources/input framing`,
	},
	"pipeline/strata": {own: "internal/order"},
	"pipeline/decide": {own: "dataset pipeline/config", third: "github.com/zeebo/xxh3"},
	"pipeline/rows": {
		own: `webdataset dataset internal/bug pipeline/strata internal/store expr internal/excerpt internal/nameset
			internal/plural internal/order internal/textformat pipeline/config pipeline/decide pipeline/plan schema
			sources sources/column sources/files sources/input sources/table framing`,
		third: "github.com/zeebo/xxh3",
	},
	"pipeline/infer": {
		own: `internal/store internal/plural pipeline/config schema schema/date sources sources/column
			sources/compress sources/files sources/lines pixels/header sources/input`,
		tests: `arrayrecord internal/bucket message pipeline tfrecord internal/store/objects
			github.com/rogpeppe/go-internal/txtar gopkg.in/yaml.v3 github.com/parquet-go/parquet-go/format`,
	},
	"pipeline/rejects": {
		own:   "internal/plural internal/order pipeline/rows schema sources/input",
		tests: "pipeline/config",
	},
	"pipeline/duplicates": {own: "pipeline/decide pipeline/rejects pipeline/rows"},
	"pipeline/find": {
		own: `pipeline/strata internal/pool internal/prefetch internal/order internal/order/inception pipeline/count
			pipeline/plan pipeline/rejects pipeline/rows pipeline/task schema sources/input`,
		tests: "pipeline/config",
	},
	"pipeline/task": {
		own: `internal/bug internal/pool internal/prefetch internal/order pipeline/count pipeline/plan pipeline/rejects
			pipeline/rows sink framing dataset`,
		tests: "internal/store pipeline/config tfrecord golang.org/x/sync/errgroup",
	},
	"pipeline/spill": {
		own: `dataset internal/bug pipeline/decide pipeline/strata internal/pool internal/prefetch
			internal/order pipeline/count pipeline/plan pipeline/rejects pipeline/rows pipeline/task sink
			sources/table`,
		third: "github.com/zeebo/xxh3 golang.org/x/sync/errgroup",
		tests: "pipeline/config sources/input",
	},
	"pipeline/base": {
		own: `dataset internal/order internal/plural internal/store pipeline/plan pipeline/rows sources/files
			sources/input`,
	},
	"pipeline/runstate": {
		own: `pipeline/base internal/store dataset dataset/provenance internal/pool pipeline/config pipeline/plan
			pipeline/rows sink sources/files sources/input`,
		std: "os syscall",
	},
	"pipeline/work": {
		own: `internal/store internal/sumline pipeline/config pipeline/decide pipeline/plan pipeline/rejects
			pipeline/runstate pipeline/spill sink sources/files sources/input`,
		std:   "syscall",
		tests: "internal/bucket internal/store/objects internal/store/storetest net/http internal/vfs",
	},
	"pipeline/contents": {third: "github.com/zeebo/xxh3"},
	"pipeline/count": {
		own: "webdataset dataset internal/bug message pipeline/contents pipeline/plan pipeline/rows schema " +
			"statistics statistics/images",
		tests: "pipeline/config",
	},
	"pipeline/describe": {
		own: `internal/bug checks dataset dataset/croissant dataset/tfx internal/garbage internal/plural pipeline/config
			pipeline/count pipeline/base pipeline/plan pipeline/rejects pipeline/rows pipeline/task report sink
			sources/input statistics`,
		tests: "framing message schema",
	},
	"pipeline": {
		own: `webdataset internal/order internal/bug internal/garbage pipeline/base pipeline/strata internal/store
			checks report statistics
			pipeline/config pipeline/count pipeline/decide pipeline/describe pipeline/duplicates pipeline/find
			pipeline/plan
			pipeline/rejects pipeline/rows pipeline/runstate pipeline/spill pipeline/task pipeline/work dataset
			dataset/provenance internal/bucket internal/plural internal/pool internal/store/objects internal/version
			message schema sink sources sources/column sources/files pixels/header sources/input internal/order`,
		third: "golang.org/x/sync/errgroup",
		std:   "syscall",
		tests: `net/http tfrecord go.uber.org/goleak internal/order internal/vfs/vfstest os/exec internal/vfs
			dataset/diff internal/store/storetest github.com/parquet-go/parquet-go/format`,
	},
	"internal/exit": {
		own: `internal/bug arrayrecord dataset pipeline pipeline/config sink sources/files sources/input tfrecord
			internal/store`,
		tests: "syscall",
	},
	"cmd/tfr-build": {
		own: `internal/bug internal/store arrayrecord internal/bucket internal/codes internal/excerpt internal/exit
			internal/nearest internal/plural internal/pool pipeline pipeline/config pipeline/infer
			pipeline/work sink dataset dataset/diff dataset/page dataset/search dataset/survey report schema
			sources/files sources/input statistics tfrecord internal/store/objects internal/version framing`,
		third: "github.com/schollz/progressbar/v3 golang.org/x/sys/unix golang.org/x/text/width",
		std:   "os os/exec os/signal syscall",
		tests: "internal/sumline net/http os/exec github.com/rogpeppe/go-internal/testscript",
	},

	".":                   {tests: "os/exec"},
	"internal/buckettest": {std: "net net/http os os/exec"},
	"internal/filetest":   {third: "github.com/klauspost/compress/zstd"},
	"internal/imagetest":  {std: "os"}, // only tests import these
	"internal/parquettest": {
		third: `github.com/klauspost/compress/snappy github.com/klauspost/compress/zstd
			github.com/parquet-go/parquet-go/deprecated github.com/parquet-go/parquet-go/encoding/thrift
			github.com/parquet-go/parquet-go/format`,
	},
	"internal/reporttest": {own: "checks dataset message report statistics"},
	"internal/guardtest":  {third: "golang.org/x/sys/unix", std: "os"},
	"internal/testenv":    {third: "golang.org/x/sys/unix", std: "os os/exec syscall"},
	"internal/tftest":     {std: "os os/exec"},
	"internal/badinput": {
		tests: `internal/store internal/codes tfrecord pipeline pipeline/config sources/input schema
			internal/vfs internal/vfs/vfstest github.com/parquet-go/parquet-go/format os/exec syscall`,
	},
	"internal/conformance": {
		tests: `internal/store pixels/jpeg internal/exit pipeline pipeline/config dataset schema/tfpb sources
			tfrecord internal/vfs internal/vfs/vfstest google.golang.org/protobuf/proto
			google.golang.org/protobuf/encoding/prototext google.golang.org/protobuf/encoding/protowire
			go.uber.org/goleak golang.org/x/sync/errgroup golang.org/x/sys/cpu
			github.com/parquet-go/parquet-go/format gopkg.in/yaml.v3 os/exec syscall`,
	},
	"internal/lossless": {tests: `pipeline pipeline/config pipeline/infer dataset message tfrecord gopkg.in/yaml.v3
		github.com/rogpeppe/go-internal/txtar`},
	"internal/simulation": {
		tests: `internal/store internal/vfs pipeline pipeline/config pipeline/plan pipeline/rows pipeline/spill
			pipeline/work github.com/zeebo/xxh3 os/exec syscall`,
	},
	"internal/fault": {
		tests: `internal/store internal/exit pipeline pipeline/config pipeline/work sink dataset schema/tfpb
			tfrecord internal/vfs internal/vfs/vfstest google.golang.org/protobuf/proto go.uber.org/goleak
			golang.org/x/sys/unix os/exec os/signal sources/input syscall`,
	},
}

// outside lists the packages of the standard library that reach outside of the process or the language.
// A package may import them only if its policy has them.
var outside = strings.Fields("C log log/slog net net/http os os/exec os/signal os/user plugin syscall unsafe")

// testImports lists what all tests may import.
var testImports = strings.Fields(`os log internal/cost internal/testenv internal/tftest internal/buckettest
	internal/filetest internal/guardtest internal/imagetest internal/parquettest`)

// onlyIn lists packages that only one file imports. Tests may import them, too.
var onlyIn = map[string]string{"gopkg.in/yaml.v3": "pipeline/config/tree.go"}

const module = "tfr-build/"

// goFiles calls visit with the Go files of the project, for all systems.
func goFiles(t *testing.T, mode parser.Mode, visit func(file string, parsed *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && isOtherModule(file):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, mode)
		if err == nil {
			visit(filepath.ToSlash(file), parsed)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// isOtherModule reports whether a directory does not belong to the module.
func isOtherModule(dir string) bool {
	name := filepath.Base(dir)
	return name == "testdata" || dir == "scripts" || dir == "lab" || dir == "beam" ||
		dir != "." && strings.HasPrefix(name, ".")
}

// imports calls visit for each import of the project's files.
func imports(t *testing.T, visit func(file, imported string)) {
	t.Helper()
	goFiles(t, parser.ImportsOnly, func(file string, parsed *ast.File) {
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			visit(file, imported)
		}
	})
}

// mayImport reports whether a file of the package in dir may import a package.
func mayImport(dir, file, imported string) bool {
	p := importPolicies[dir]
	list := strings.Fields(p.own + " " + p.third + " " + p.std)
	if strings.HasSuffix(file, "_test.go") {
		list = append(append(list, dir), testImports...)
		list = append(list, strings.Fields(p.tests)...)
	}
	name, isOurs := strings.CutPrefix(imported, module)
	isStandard := !isOurs && !strings.Contains(strings.Split(imported, "/")[0], ".")
	if isStandard && !slices.Contains(outside, imported) {
		return true
	}
	return slices.Contains(list, name)
}

func TestImports(t *testing.T) {
	imports(t, func(file, imported string) {
		dir := path.Dir(file)
		if _, ok := importPolicies[dir]; !ok {
			t.Errorf("%s: the package has no import policy", file)
			return
		}
		if !mayImport(dir, file, imported) {
			t.Errorf("%s imports %s, which is not in the policy of %s", file, imported, dir)
		}
		if only := onlyIn[imported]; only != "" && file != only && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s imports %s, which only %s may import", file, imported, only)
		}
	})
}

// TestImportsOnlyGoDown checks the policy itself: there are no cycles, and sources and sink do not reach
// each other.
func TestImportsOnlyGoDown(t *testing.T) {
	for dir := range importPolicies {
		below := importsOf(dir)
		if slices.Contains(below, dir) {
			t.Errorf("%s may import itself", dir)
		}
		isSource := dir == "sources" || strings.HasPrefix(dir, "sources/")
		if isSource && slices.Contains(below, "sink") {
			t.Errorf("%s may import sink", dir)
		}
		if dir == "sink" && slices.Contains(below, "sources") {
			t.Errorf("%s may import sources", dir)
		}
	}
}

// TestImportsOfFileSystem checks that only package store imports the file systems, with the test kit of
// the file systems. All other packages read and write through a store.
func TestImportsOfFileSystem(t *testing.T) {
	onlyImportedBy(t, "internal/vfs", "internal/store", "internal/vfs/vfstest")
}

// TestImportsOfBuckets checks that only package objects reads and writes objects. The other packages here
// get the options of a client from the config, and pass them on.
func TestImportsOfBuckets(t *testing.T) {
	onlyImportedBy(t, "internal/bucket", "internal/store/objects", "pipeline/config", "pipeline", "cmd/tfr-build")
}

// TestPixelsIsAModule checks that packages of pixels import only each other: they could be a module.
func TestPixelsIsAModule(t *testing.T) {
	n := 0
	for dir := range importPolicies {
		if !strings.HasPrefix(dir, "pixels/") {
			continue
		}
		n++
		for _, below := range importsOf(dir) {
			if !strings.HasPrefix(below, "pixels/") {
				t.Errorf("%s may import %s", dir, below)
			}
		}
	}
	if n < 8 {
		t.Errorf("%d packages of pixels; expected at least 8", n)
	}
}

// onlyImportedBy checks that the policy of no other package has pkg.
func onlyImportedBy(t *testing.T, pkg string, importers ...string) {
	t.Helper()
	for dir, p := range importPolicies {
		if slices.Contains(strings.Fields(p.own), pkg) && !slices.Contains(importers, dir) {
			t.Errorf("%s may import %s", dir, pkg)
		}
	}
}

// importsOf returns the packages of the project that a package may import, directly or not.
func importsOf(dir string) []string {
	var all []string
	rest := strings.Fields(importPolicies[dir].own)
	for len(rest) > 0 {
		next := rest[0]
		rest = rest[1:]
		if slices.Contains(all, next) {
			continue
		}
		all = append(all, next)
		rest = append(rest, strings.Fields(importPolicies[next].own)...)
	}
	return all
}
