package sink_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/internal/vfs"
	"tfr-build/sink"

	"golang.org/x/sync/errgroup"
)

// numbered is a Layout that writes the offset of each block before it.
type numbered struct{ blocks int }

func (n *numbered) AppendHead(dst []byte) []byte { return append(dst, "head"...) }

func (n *numbered) LayOut(block []byte, off int64) []byte {
	n.blocks++
	return append(binary.BigEndian.AppendUint64(nil, uint64(off)), block...)
}

func (n *numbered) AppendTail(dst []byte, off int64) []byte {
	return fmt.Appendf(dst, "%d blocks, tail at %d", n.blocks, off)
}

// TestLayout checks that the file and its sums contain the bytes of a Layout, for any order of
// workers. Finish reads them back.
func TestLayout(t *testing.T) {
	for _, workers := range []int{1, 3} {
		s, output := open(t, vfs.OS(), sink.Options{})
		const blocks = 40
		sh, err := s.CreateShard("a", sink.ShardOptions{Blocks: blocks, Layout: &numbered{}})
		if err != nil {
			t.Fatal(err)
		}
		var group errgroup.Group
		for w := range workers {
			group.Go(func() error {
				for i := w; i < blocks; i += workers {
					text := bytes.Repeat([]byte{'a'}, i)
					if i%2 == 0 {
						if err := sh.WritePart(t.Context(), i, text[:i/2], nil); err != nil {
							return err
						}
						text = text[i/2:]
					}
					if _, err := sh.WriteBlock(t.Context(), i, text, nil); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
		sum, err := sh.Finish(t.Context(), sink.About{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(filepath.Dir(output), ".out.tfr", "data", "a"))
		if err != nil {
			t.Fatal(err)
		}
		if want := laidOut(blocks); !bytes.Equal(got, want) {
			t.Errorf("%d workers: got %q\nwant %q", workers, got, want)
		}
		wantSum(t, sum, got)
		s.Close()
	}
}

// laidOut returns the file that TestLayout makes.
func laidOut(blocks int) []byte {
	layout := &numbered{}
	file := layout.AppendHead(nil)
	for i := range blocks {
		text := bytes.Repeat([]byte{'a'}, i)
		if i%2 == 0 {
			file = append(file, layout.LayOut(text[:i/2], int64(len(file)))...)
			text = text[i/2:]
		}
		file = append(file, layout.LayOut(text, int64(len(file)))...)
	}
	return layout.AppendTail(file, int64(len(file)))
}
