// Package arrayrecord reads and writes ArrayRecord files, the format of Grain and of
// tfds.data_source. Any record of such a file can be read without the records before it. The
// package knows nothing of the messages in records.
//
// An ArrayRecord file is a Riegeli file, a sequence of chunks. An index at its end has the offset
// of each chunk:
//
//	┌───────────┬─────────┬─────────┬───┬────────┬─────────┬────────────┬─────────┐
//	│ signature │ records │ records │ … │ footer │ padding │ postscript │ padding │
//	└───────────┴─────────┴─────────┴───┴────────┴─────────┴────────────┴─────────┘
//	  64 bytes                                             │ the last 65536 bytes  │
//
// All chunks of records have the same number of records, except the last, which may have fewer.
// The footer is a chunk of records, too: a message RiegeliFooterMetadata, and then an
// ArrayRecordFooter for each chunk before it. The postscript is a chunk that has the message
// RiegeliPostscript three times.
//
//	RiegeliFooterMetadata {1: {1: version, always 1   2: chunks   3: records   4: writer options}}
//	ArrayRecordFooter     {1: offset of the chunk   2: bytes of its records   3: number of its records}
//	RiegeliPostscript     {1: offset of the footer   2: 0x71930e704fdae05e}
//
// A chunk is a header, its data, and zeros up to its end:
//
//	┌────────────────┬───────────┬──────────────┬──────┬─────────┬───────────────┬────────┐
//	│ hash of the 32 │ size of   │ hash of      │ type │ number  │ bytes of the  │ data   │
//	│ bytes after it │ the data  │ the data     │      │ records │ records       │        │
//	└────────────────┴───────────┴──────────────┴──────┴─────────┴───────────────┴────────┘
//	  8 bytes          8 bytes     8 bytes        1      7 bytes   8 bytes         …
//
// This is the data of a chunk of records. Sizes and values may be compressed, each with its
// decompressed size before it:
//
//	┌─────────────┬───────────────┬──────────────────┬──────────────────────────┐
//	│ compression │ size of sizes │ sizes, a varint  │ values, one record       │
//	│ 0 or 'z'    │ a varint      │ for each record  │ directly after another   │
//	└─────────────┴───────────────┴──────────────────┴──────────────────────────┘
//
// The file is divided into blocks of 65536 bytes. Each begins with a header, even in the middle of
// a chunk, so that readers find the next chunk after damage:
//
//	┌────────────────┬──────────────────────────┬──────────────────────────┐
//	│ hash of the 16 │ bytes since the start of │ bytes until the end of   │
//	│ bytes after it │ the interrupted chunk    │ the interrupted chunk    │
//	└────────────────┴──────────────────────────┴──────────────────────────┘
//	  8 bytes          8 bytes                    8 bytes
//
// Numbers are little-endian. A hash is HighwayHash-64 with a key that all files share. [chunkEnd]
// computes the end of a chunk.
package arrayrecord
