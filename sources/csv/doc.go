// Package csv finds where the records of a CSV file start, and parses one record at a time in
// place. Its parsers open no files: the caller passes them bytes. Options implements the source
// type `csv` with them and package table.
//
// A file is read in these steps:
//
//	Format.Start    BOM, skipped lines, and header, from the first bytes of the file
//	Format.Scan     one chunk of the file: where its records start; chunks in parallel
//	Format.Stitch   all chunks: which of their two lists is right
//	Scanner.Scan    any one record, into slots of schema.Value
//
// Quotes make the start of a record depend on everything before it, because a line feed in a quoted
// cell does not end the record. So Scan reads each chunk under both assumptions. Whether the number
// of quotes in a chunk is odd or even then decides which assumption is right for the next chunk:
//
//	file      a,b⏎1,"x⏎y"⏎2,z⏎       ⏎ is a line feed
//	chunks    │ a,b⏎1,"x │ ⏎y"⏎2,z⏎ │
//	begins outside quotes     0 4     │ 1          one list of starts
//	begins within quotes      –       │ 4          the other list
//	odd number of quotes      yes     │ yes
//	right list                outside │ within     so rows start at 0, 4, 12
//
// Scan and Scanner read masks of package bytemask, 64 bytes at a time. So they look only at the bytes that can
// end a cell or a record: Scan in the complete chunk, Scanner in records without errors. A delimiter of several
// bytes, and the option rest, have no masks.
//
// # Where a record ends
//
// The serial parser, Cutter, is the definition. Scan and Stitch give the same rows on every input,
// and Scanner reports the same errors.
//
// CRLF or LF ends a record, outside quotes. A quoted cell opens only at the start of a record or of
// the file, or directly after a delimiter. A record is invalid if
//
//	(a) a quote is in an unquoted cell                         CSV_BARE_QUOTE
//	(b) a closing quote is followed by anything but the
//	    delimiter, CRLF, LF or the end of the file             CSV_QUOTE
//	(c) a quoted cell is open at the end of the file           CSV_UNTERMINATED_QUOTE
//	(d) it is longer than Format.MaxRecord, line end included  LIMIT_RECORD
//
// An invalid record ends at the first LF after the opening quote of the invalid cell; in (a), after
// the quote itself. In (d), if the limit is reached outside quotes, it ends at the next LF. Parsing
// starts again there, so a wrong quote costs one line instead of the rest of the file.
//
// A blank line is not a record. In a file of one column it is an invalid record, except at the end
// of the file.
package csv
