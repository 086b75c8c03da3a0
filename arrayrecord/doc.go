// Package arrayrecord knows ArrayRecord files, which any record can be read from
// without those before it: those of Grain and of tfds.data_source. It knows
// nothing of what a record holds.
//
// An ArrayRecord file is a Riegeli file, a sequence of chunks, with an index at its
// end that says where each chunk begins:
//
//	┌───────────┬─────────┬─────────┬───┬────────┬─────────┬────────────┬─────────┐
//	│ signature │ records │ records │ … │ footer │ padding │ postscript │ padding │
//	└───────────┴─────────┴─────────┴───┴────────┴─────────┴────────────┴─────────┘
//	  64 bytes                                             │ the last 65536 bytes  │
//
// Each chunk of records holds as many as the others, but the last, which may hold
// fewer. The footer is a chunk of records too: a message RiegeliFooterMetadata and
// then an ArrayRecordFooter for each chunk before it. The postscript is a chunk that
// holds the message RiegeliPostscript three times.
//
//	RiegeliFooterMetadata {1: {1: version, which is 1   2: chunks   3: records   4: how it was written}}
//	ArrayRecordFooter     {1: offset of the chunk   2: bytes of its records   3: number of its records}
//	RiegeliPostscript     {1: offset of the footer   2: 0x71930e704fdae05e}
//
// A chunk is a header, its data and zeros up to its end:
//
//	┌────────────────┬───────────┬──────────────┬──────┬─────────┬───────────────┬────────┐
//	│ hash of the 32 │ size of   │ hash of      │ type │ number  │ bytes of the  │ data   │
//	│ bytes after it │ the data  │ the data     │      │ records │ records       │        │
//	└────────────────┴───────────┴──────────────┴──────┴─────────┴───────────────┴────────┘
//	  8 bytes          8 bytes     8 bytes        1      7 bytes   8 bytes         …
//
// The data of a chunk of records, whose sizes and values are either compressed, each
// with the size it had before it, or as they are:
//
//	┌─────────────┬───────────────┬──────────────────┬──────────────────────────┐
//	│ compression │ size of sizes │ sizes, a varint  │ values, one record       │
//	│ 0 or 'z'    │ a varint      │ for each record  │ directly after another   │
//	└─────────────┴───────────────┴──────────────────┴──────────────────────────┘
//
// The file is divided into blocks of 65536 bytes. Each begins with a header, wherever
// in a chunk that is, so that the next chunk can be found after damage:
//
//	┌────────────────┬─────────────────────────┬─────────────────────────┐
//	│ hash of the 16 │ bytes since the chunk   │ bytes until the chunk   │
//	│ bytes after it │ began that is cut here  │ ends that is cut here   │
//	└────────────────┴─────────────────────────┴─────────────────────────┘
//	  8 bytes          8 bytes                   8 bytes
//
// Numbers are little-endian. A hash is HighwayHash-64 with a key that all files share.
// Where a chunk ends [End] says.
package arrayrecord
