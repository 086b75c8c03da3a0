// Package csv finds where the records of a CSV file end, and scans one record
// in place. It opens no file: it is given bytes.
//
// A file is read in three steps:
//
//	Format.Start    BOM, skipped lines and header, from the file's first bytes
//	Format.Scan     one chunk of the file: where its records start; any number at once
//	Format.Stitch   all chunks: which of their two lists holds
//	Scanner.Scan    one record, any one, into slots of schema.Value
//
// Quotes make the start of a record depend on everything before it, for a
// line feed in a quoted cell ends nothing. So a chunk is read under both
// assumptions, and the number of quotes in it, odd or even, says which of
// them holds in the next:
//
//	file      a,b⏎1,"x⏎y"⏎2,z⏎       ⏎ a line feed
//	chunks    │ a,b⏎1,"x │ ⏎y"⏎2,z⏎ │
//	begins outside quotes     0 4     │ 1          a list of starts
//	begins within quotes      –       │ 4          and the other one
//	odd number of quotes      yes     │ yes
//	holds                     outside │ within     so rows start at 0, 4, 12
//
// Where the processor makes them quickly, both read masks of package bytemask, 64
// bytes at a time, and look only at those bytes that end something: Scan all of a
// chunk, Scanner a record without faults.
//
// # Where a record ends
//
// Cutter, the serial one, is the definition; Scan and Stitch give the same
// rows on every input, and Scanner the same verdicts.
//
// CRLF or LF end a record, outside quotes. A quoted cell opens only directly
// after a delimiter, at a record's start or at the file's. A record is bad if
//
//	(a) a quote is in an unquoted cell                         CSV_BARE_QUOTE
//	(b) a closing quote is followed by anything but the
//	    delimiter, CRLF, LF or the end of the file             CSV_QUOTE
//	(c) a quoted cell is open at the end of the file           CSV_UNTERMINATED_QUOTE
//	(d) it is longer than Format.MaxRecord, line end included  LIMIT_RECORD
//
// A bad record ends at the first LF after the opening quote of the cell at
// fault, in (a) after the quote itself, and in (d), where the limit is not
// reached within quotes, at the next LF. Cutting starts afresh there: a
// wrong quote costs a line and not the rest of the file.
//
// A blank line is no record. In a file of one column it is a bad one, except
// at the end of the file.
package csv
