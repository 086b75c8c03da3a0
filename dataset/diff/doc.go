// Package diff says what differs between two finished datasets, or two files of
// records.
//
//	result, err := diff.Compare(ctx, "out/v1", "out/v2", diff.Options{Workers: 4})
//
// Records are compared by content, and not by place:
//
//	payload ─XXH3-128─► mark ─sort by content─► two lists side by side ─► equal, added, removed, moved
//	                                                     │
//	                                                     ╰► pairs of equal records ─► is their order the same?
//
// A content that a split has three times, and the same split of the other dataset
// twice, is equal twice. What is left over in one split and lacks in another was
// moved; the rest was added, or removed. A mark has 24 bytes, and nothing else is
// kept of a record.
//
// A split whose shards have the digests of the other's is not read: what the
// manifest says of it is taken for true, as [dataset.Verify] tells whether it is.
//
// Two contents are taken for one where all 128 bits agree, which for a billion
// different ones happens by chance once in 10^20 comparisons.
package diff
