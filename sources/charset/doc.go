// Package charset decodes the text of files to UTF-8, and finds text that is in another
// encoding than the config says:
//
//	source:
//	  csv: {files: old.csv, encoding: latin-1}
//
// A stream is decoded by a [Decoder], a whole file by [Encoding.Decode]:
//
//	"Gr\xfc\xdfe" in Latin-1  ─►  "Grüße"      EncodedLen("Grüße") = 5
//
// Input that is no character becomes a byte that is not UTF-8. So whoever checks the
// decoded text for UTF-8 finds it, and [Encoding.Invalid] says what it was.
package charset
