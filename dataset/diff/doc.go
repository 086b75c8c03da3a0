// Package diff compares two finished datasets, or two files of records.
//
//	result, err := diff.Compare(ctx, "out/v1", "out/v2", diff.Options{Workers: 4})
//
// Records are compared by content, not by position:
//
//	payload ─XXH3-128─► fingerprint ─sort by content─► two lists ─► equal, added, removed, moved
//	                                                       │
//	                                                       ╰► pairs of equal records ─► same order?
//
// If a split has a content three times, and the same split of the other dataset has it twice, two
// records are equal. A remaining record that another split does not have was moved. Other remaining
// records were added or removed. A fingerprint has 24 bytes; nothing else of a record is kept in
// memory.
//
// A split whose shards have the same digests on both sides is not read. The comparison trusts the
// manifest, which [dataset.Verify] checks.
//
// Two contents count as equal if all 128 bits are equal. For a billion different contents, that
// happens by chance in one of 10^20 comparisons.
package diff
