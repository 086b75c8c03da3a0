package order

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestShardCutsAreFrozen(t *testing.T) {
	for _, v := range []struct {
		rows int
		want []int // rows of each shard
	}{
		{0, []int{0}}, {0, []int{0, 0, 0}}, {1, []int{0, 0, 1}}, {5, []int{2, 3}}, {7, []int{3, 4}},
		{10, []int{2, 3, 2, 3}}, {11, []int{2, 3, 3, 3}}, {333, []int{333}},
		{344, []int{34, 34, 35, 34, 35, 34, 34, 35, 34, 35}},
	} {
		var got []int
		for _, shard := range Cut(v.rows, len(v.want)) {
			got = append(got, shard.Len())
		}
		if !slices.Equal(got, v.want) {
			t.Errorf("%d rows are cut into %v, want %v", v.rows, got, v.want)
		}
	}
}

func TestShardsAreEvenAndComplete(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for range 2000 {
		rows, shards := rng.IntN(1<<(1+rng.IntN(62))), 1+rng.IntN(1<<(1+rng.IntN(10)))
		at := 0
		larger := 0
		for _, s := range Cut(rows, shards) {
			if s.From != at || s.Len() < rows/shards || s.Len() > rows/shards+1 {
				t.Fatalf("%d rows in %d shards: %v after %d", rows, shards, s, at)
			}
			if s.Len() > rows/shards {
				larger++
			}
			at = s.To
		}
		if at != rows || larger != rows%shards {
			t.Fatalf("%d rows in %d shards end at %d, and %d shards are larger", rows, shards, at, larger)
		}
	}
}

func TestBlocksAreFrozen(t *testing.T) {
	for _, v := range []struct {
		shard Range
		want  []Range
	}{
		{Range{7, 7}, nil},
		{Range{7, 8}, []Range{{7, 8}}},
		{Range{0, 4096}, []Range{{0, 4096}}},
		{Range{10, 10 + 4097}, []Range{{10, 4106}, {4106, 4107}}},
		{Range{5000, 15_000}, []Range{{5000, 9096}, {9096, 13_192}, {13_192, 15_000}}},
	} {
		if got := Blocks(v.shard); !slices.Equal(got, v.want) {
			t.Errorf("%v is cut into %v, want %v", v.shard, got, v.want)
		}
		if got := BlocksBySize(v.shard, func(int) int64 { return 1 }); !slices.Equal(got, v.want) {
			t.Errorf("%v of small files is cut into %v, want %v", v.shard, got, v.want)
		}
	}
}

func TestBlocksOfFilesHoldAMebibyte(t *testing.T) {
	const m = 1 << 20
	for _, v := range []struct {
		sizes []int64
		want  []Range // from rank 3
	}{
		{[]int64{m}, []Range{{3, 4}}},
		{[]int64{m, 0, 0, 1}, []Range{{3, 6}, {6, 7}}},
		{[]int64{m / 2, m / 2, 1}, []Range{{3, 5}, {5, 6}}},
		{[]int64{m / 2, m/2 + 1, 1}, []Range{{3, 4}, {4, 6}}},
		{[]int64{5, 9 * m, 5, 5}, []Range{{3, 4}, {4, 5}, {5, 7}}},
		{[]int64{math.MaxInt64, math.MaxInt64, 0}, []Range{{3, 4}, {4, 6}}},
	} {
		got := BlocksBySize(Range{3, 3 + len(v.sizes)}, func(rank int) int64 { return v.sizes[rank-3] })
		if !slices.Equal(got, v.want) {
			t.Errorf("sizes %v: %v, want %v", v.sizes, got, v.want)
		}
	}
}

func TestShardCounts(t *testing.T) {
	const kb, mb, gb, tb = 1000, 1_000_000, 1_000_000_000, 1_000_000_000_000
	for _, v := range []struct {
		bytes uint64
		hosts int
		n     int
		why   string
	}{
		{0, 1, 1, "less than 20 MB, so one shard"},
		{0, 8, 1, "less than 20 MB, so one shard; there are more hosts than shards"},
		{15 * kb, 1, 1, "less than 20 MB, so one shard"},
		{10*mb - 1, 1, 1, "less than 20 MB, so one shard"},
		{10 * mb, 1, 1, "10 MB for 1 host: 1 shard of 10 MB, one for each host"},
		{20 * mb, 1, 1, "20 MB for 1 host: 1 shard of 20 MB, one for each host"},
		{99 * mb, 1, 1, "99 MB for 1 host: 1 shard of 99 MB, one for each host"},
		{250 * mb, 1, 2, "250 MB for 1 host: 2 shards of 125 MB, at least 100 MB each, as many for each host"},
		{999 * mb, 1, 9, "999 MB for 1 host: 9 shards of 111 MB, at least 100 MB each, as many for each host"},
		{1 * gb, 1, 10, "1 GB for 1 host: 10 shards of 100 MB, ten for each host"},
		{10 * gb, 1, 10, "10 GB for 1 host: 10 shards of 1 GB, ten for each host"},
		{10*gb + 1, 1, 11, "10 GB for 1 host: 11 shards of 909 MB, at most 1 GB each"},
		{147 * gb, 1, 147, "147 GB for 1 host: 147 shards of 1 GB, at most 1 GB each"},
		{147 * gb, 16, 160, "147 GB for 16 hosts: 160 shards of 918 MB, ten for each host"},
		{147 * gb, 8, 152, "147 GB for 8 hosts: 152 shards of 967 MB, at most 1 GB each, as many for each host"},
		{147 * gb, 1000, 1000, "147 GB for 1000 hosts: 1000 shards of 147 MB, at least 100 MB each, as many for each " +
			"host"},
		{147 * gb, 1024, 1024, "147 GB for 1024 hosts: 1024 shards of 143 MB, at least 100 MB each, as many for each " +
			"host"},
		{6_700 * mb, 16, 64, "6.7 GB for 16 hosts: 64 shards of 104 MB, at least 100 MB each, as many for each host"},
		{80 * mb, 8, 8, "80 MB for 8 hosts: 8 shards of 10 MB, one for each host"},
		{80*mb - 1, 8, 7, "79.9 MB for 8 hosts: 7 shards of 11.4 MB, at least 10 MB each; there are more hosts than " +
			"shards"},
		{19 * mb, 8, 1, "less than 20 MB, so one shard; there are more hosts than shards"},
		{222_800 * kb, 2, 2, "222 MB for 2 hosts: 2 shards of 111 MB, at least 100 MB each, as many for each host"},
		{5 * tb, 256, 5120, "5000 GB for 256 hosts: 5120 shards of 976 MB, at most 1 GB each, as many for each host"},
		{math.MaxUint64, 1, 18_446_744_074,
			"18446744073 GB for 1 host: 18446744074 shards of 999 MB, at most 1 GB each"},
		{math.MaxUint64, math.MaxInt, 1_844_674_407_370, ""},
		{5 * mb, 0, 1, "less than 20 MB, so one shard"},
	} {
		n, why := ShardCount(v.bytes, v.hosts)
		if n != v.n || v.why != "" && why != v.why {
			t.Errorf("%d bytes, %d hosts: %d, %q\nwant %d, %q", v.bytes, v.hosts, n, why, v.n, v.why)
		}
	}
}

func TestShardCountsKeepTheirPromises(t *testing.T) {
	const mb, gb = 1_000_000, 1_000_000_000
	rng := rand.New(rand.NewPCG(25, 26))
	for range 20_000 {
		bytes, hosts := rng.Uint64N(1<<(1+rng.IntN(50))), 1+rng.IntN(1<<(1+rng.IntN(11)))
		count, why := ShardCount(bytes, hosts)
		n, h := uint64(count), uint64(hosts)
		switch {
		case n < 1 || n*gb < bytes:
			t.Fatalf("%d bytes, %d hosts: %d shards of more than 1 GB", bytes, hosts, n)
		case n >= h && n%h != 0:
			t.Fatalf("%d bytes, %d hosts: %d shards leave hosts uneven", bytes, hosts, n)
		case n > 1 && bytes/n < 10*mb:
			t.Fatalf("%d bytes, %d hosts: %d shards are below 10 MB", bytes, hosts, n)
		case n > 10*h && (n-h)*gb >= bytes:
			t.Fatalf("%d bytes, %d hosts: %d shards are more than 1 GB calls for", bytes, hosts, n)
		case (n < h) != strings.Contains(why, "more hosts than shards"):
			t.Fatalf("%d bytes, %d hosts: %d shards, %q", bytes, hosts, n, why)
		}
	}
}

func TestShardsOfSize(t *testing.T) {
	for _, v := range []struct {
		bytes, size uint64
		want        int
	}{
		{0, 200_000_000, 1}, {1, 200_000_000, 1}, {200_000_000, 200_000_000, 1}, {200_000_001, 200_000_000, 2},
		{147_000_000_000, 200_000_000, 735}, {math.MaxUint64, 1, math.MaxInt}, {math.MaxUint64, math.MaxUint64, 1},
	} {
		if got := ShardsOfSize(v.bytes, v.size); got != v.want {
			t.Errorf("%d bytes in shards of %d: %d, want %d", v.bytes, v.size, got, v.want)
		}
	}
}
