package order_test

import (
	"context"
	"fmt"
	"log"

	"tfr-build/internal/order"
)

// Eight rows of two files are shuffled, divided into two splits, and the larger
// split into two shards.
func Example() {
	files := []order.File{{Name: "a.csv", Size: 50}, {Name: "b.csv", Size: 30}}
	space, err := order.NewSpace(files)
	if err != nil {
		log.Fatal(err)
	}
	cuts, err := order.NewCuts([]order.Share{{Split: 0, Part: 75_000_000}, {Split: 1, Part: 25_000_000}})
	if err != nil {
		log.Fatal(err)
	}
	rows := order.Rows{
		Shuffle: order.NewShuffle(12345),
		Space:   space,
		Splits:  2,
		Chunks: []order.Chunk{
			{File: 0, Starts: []uint32{0, 10, 20, 30, 40}, Cuts: cuts},
			{File: 1, Starts: []uint32{0, 10, 20}, Cuts: cuts},
		},
	}
	splits, err := rows.Index(context.Background(), 2)
	if err != nil {
		log.Fatal(err)
	}
	for split, name := range []string{"train", "validation"} {
		for i, shard := range order.Cut(splits[split].Len(), 2-split) {
			fmt.Printf("%s %d:", name, i)
			for _, p := range splits[split].Positions(nil, shard.From, shard.To) {
				fmt.Printf(" %s+%d", files[p.File].Name, p.Offset)
			}
			fmt.Println()
		}
	}
	// Output:
	// train 0: b.csv+0 a.csv+0 a.csv+10
	// train 1: a.csv+30 a.csv+40 b.csv+10
	// validation 0: b.csv+20 a.csv+20
}

func ExampleShardCount() {
	n, why := order.ShardCount(147_000_000_000, 16)
	fmt.Println(n)
	fmt.Println(why)
	// Output:
	// 160
	// 147 GB for 16 hosts: 160 shards of 918 MB, ten for each host
}

func ExampleSpace() {
	space, err := order.NewSpace([]order.File{{Name: "a.csv", Size: 50}, {Name: "b.csv", Size: 30}})
	if err != nil {
		log.Fatal(err)
	}
	address := space.Address(0, 20)
	file, offset := space.Locate(address)
	fmt.Printf("%#x is file %d, offset %d\n", address, file, offset)
	// Output:
	// 0x4732f35b5d60a110 is file 0, offset 20
}

func ExampleBlocks() {
	for i, shard := range order.Cut(10_000, 2) {
		fmt.Println(i, order.Blocks(shard))
	}
	// Output:
	// 0 [{0 4096} {4096 5000}]
	// 1 [{5000 9096} {9096 10000}]
}
