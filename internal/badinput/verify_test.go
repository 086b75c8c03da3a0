package badinput

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"tfr-build/internal/testenv"
)

// bombs is the size in MiB of a record that is too long to be kept in memory.
func bombs() int { return testenv.Times(260, 300, 3<<10) }

// heldBomb is the size in MiB of a record that is kept in memory if it must be.
const heldBomb = 40

// A bomb is a record of zeros, compressed, between two short ones.
type bomb struct {
	mib    int
	broken bool // its checksum is another
}

// record writes the record, uncompressed.
func (b bomb) record(t *testing.T, w io.Writer) {
	masked := func(crc uint32) []byte {
		return binary.LittleEndian.AppendUint32(nil, (crc>>15|crc<<17)+0xa282ead8)
	}
	table := crc32.MakeTable(crc32.Castagnoli)
	length := binary.LittleEndian.AppendUint64(nil, uint64(b.mib)*mib)
	piece, crc := make([]byte, mib), uint32(0)
	for range b.mib {
		crc = crc32.Update(crc, table, piece)
	}
	if b.broken {
		crc++
	}
	put := func(p []byte) {
		_, err := w.Write(p)
		must(t, err)
	}
	put(slices.Concat(length, masked(crc32.Checksum(length, table))))
	for range b.mib {
		put(piece)
	}
	put(masked(crc))
}

// short is a record of two bytes, which are not Example.
const short = "\x02\x00\x00\x00\x00\x00\x00\x00x'\v4okn\xc8cc"

// layOut writes a file, compressed as its name says.
func (b bomb) layOut(t *testing.T, name string) string {
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	must(t, err)
	var z io.WriteCloser
	if strings.HasSuffix(name, ".zlib") {
		z, _ = zlib.NewWriterLevel(f, zlib.BestSpeed)
	} else {
		z, _ = gzip.NewWriterLevel(f, gzip.BestSpeed)
	}
	_, err = io.WriteString(z, short)
	must(t, err)
	b.record(t, z)
	_, err = io.WriteString(z, short)
	must(t, err)
	must(t, z.Close())
	must(t, f.Close())
	return path
}

// TestMemoryOfReaders has records of a few hundred MiB in files of a few hundred
// KiB: what verify and inspect take of memory does not depend on them. A sample salvages
// a damaged file, and verifies what it salvaged.
func TestMemoryOfReaders(t *testing.T) {
	if runtime.GOOS != "linux" || testing.Short() {
		t.Skip("reads /proc, and runs the program, in which the race detector sees nothing")
	}
	bin := testenv.Program(t)
	gz := sync.OnceValue(func() string { return bomb{mib: bombs()}.layOut(t, "f.gz") })
	torn := sync.OnceValue(func() string {
		data, err := os.ReadFile(gz())
		must(t, err)
		path := filepath.Join(t.TempDir(), "f.gz")
		must(t, os.WriteFile(path, append(data, "junk"...), 0o666))
		return path
	})
	broken := sync.OnceValue(func() string { return bomb{mib: bombs(), broken: true}.layOut(t, "f.gz") })
	held := sync.OnceValue(func() string { return bomb{mib: heldBomb}.layOut(t, "f.zlib") })
	for _, c := range []struct {
		name string
		file func() string
		args []string
		most int // MiB
		code int
		want string
	}{
		{"verify", gz, []string{"verify"}, 64, 0, "records=3"},
		{"verify, damaged", broken, []string{"verify"}, 64, 7, "record 1 at byte 18: error: the payload's checksum"},
		{"verify -deep", gz, []string{"verify", "-deep"}, 64, 5,
			"none of more than 256 MiB is parsed; without --deep its checksums, or its length, are checked"},
		{"verify -deep of less", held, []string{"verify", "-deep"}, 64 + 3*heldBomb, 7,
			"record 1 at byte 18: error: the payload is not valid; expected tf.train.Example"},
		{"inspect", gz, []string{"inspect"}, 64, 0, `  not parsed, longer than 256 MiB: "\x00`},
		{"inspect -skip", gz, []string{"inspect", "-skip", "2"}, 64, 0, `no message: "ok"`},
		{"inspect -json", gz, []string{"inspect", "-json"}, 64, 5, "record 1 at byte 18: it has"},
		{"inspect of less", held, []string{"inspect"}, 64 + 3*heldBomb, 0, "no message: \"\\x00"},
		{"inspect -json of less", held, []string{"inspect", "-json"}, 64 + 3*heldBomb, 0, `{"text":"ok"}`},
		{"salvage", torn, []string{"verify", "-salvage", "DIR"}, 64, 7, "records=3"},
		{"salvage, damaged", broken, []string{"verify", "-salvage", "DIR"}, 64, 7, "records=2"},
		{"salvage of less", held, []string{"verify", "-salvage", "DIR"}, 64, 0, "records=3"},
	} {
		if !testenv.Exhaustive() && c.name != "salvage, damaged" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "saved")
			args := append(slices.Clone(c.args), c.file())
			if i := slices.Index(args, "DIR"); i >= 0 {
				args[i] = dir
			}
			code, said, peak := runReader(t, bin, args)
			t.Logf("%d MiB, at most %d", peak, c.most)
			if code != c.code || !strings.Contains(said, c.want) {
				t.Errorf("exit code %d, expected %d and %s:\n%.2000s", code, c.code, c.want, said)
			}
			if peak > c.most {
				t.Errorf("%d MiB of memory, expected at most %d", peak, c.most)
			}
			if saved := filepath.Join(dir, "f.gz"); slices.Contains(args, dir) && c.code == 7 {
				if code, said, _ := runReader(t, bin, []string{"verify", saved}); code != 0 ||
					!strings.Contains(said, c.want) {
					t.Errorf("what was salvaged: exit code %d, expected 0 and %s:\n%s", code, c.want, said)
				}
			}
		})
	}
}

// runReader runs the program and tells its exit code, what it said, and the most
// memory that it had, in MiB.
func runReader(t *testing.T, bin string, args []string) (code int, said string, peak int) {
	t.Helper()
	cmd := exec.Command(bin, args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	must(t, cmd.Start())
	most := make(chan int)
	go func() { most <- peakMemory(cmd.Process.Pid) }()
	_ = cmd.Wait() // its exit code is checked
	return cmd.ProcessState.ExitCode(), out.String(), <-most
}
