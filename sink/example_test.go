package sink_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"tfr-build/internal/store"
	"tfr-build/sink"
)

// A dataset of one shard, from nothing to published.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	output := filepath.Join(dir, "out", "penguins")
	if err := writePenguins(context.Background(), output); err != nil {
		log.Fatal(err)
	}
	entries, err := os.ReadDir(output)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range entries {
		fmt.Println(e.Name())
	}
	// Output:
	// train-00000-of-00001 12 bytes, CRC32C 42fb8e9d
	// _tfr
	// train-00000-of-00001
}

func writePenguins(ctx context.Context, output string) (err error) {
	s, err := sink.Open(store.OS(), output, sink.Options{Sync: true})
	if err != nil {
		return err
	}
	defer func() {
		if closed := s.Close(); err == nil {
			err = closed
		}
	}()
	if err := s.Begin(nil); err != nil {
		return err
	}
	sh, err := s.CreateShard("train-00000-of-00001", sink.ShardOptions{Blocks: 2})
	if err != nil {
		return err
	}
	for i, block := range []string{"Adelie", "Gentoo"} { // by one worker, in order
		if _, err := sh.WriteBlock(ctx, i, []byte(block), nil); err != nil {
			return err
		}
	}
	sum, err := sh.Finish(ctx, sink.About{})
	if err != nil {
		return err
	}
	fmt.Printf("%s %d bytes, CRC32C %08x\n", sum.Name, sum.Bytes, sum.CRC32C)
	if err := s.WriteFile(sink.ManifestName, []byte("{}")); err != nil {
		return err
	}
	return s.Commit([]byte("{}"))
}
