// Package charset decodes the text of files to UTF-8. It also recognizes text in another encoding
// than the config says:
//
//	source:
//	  csv: {files: old.csv, encoding: latin-1}
//
// A [Decoder] decodes a stream, and [Encoding.Decode] a complete file:
//
//	"Gr\xfc\xdfe" in Latin-1  ─►  "Grüße"      EncodedLen("Grüße") = 5
//
// Input that is not a character becomes a byte that is not UTF-8. So a check of the decoded text
// for UTF-8 finds it, and [Encoding.Invalid] returns the error for it.
package charset
