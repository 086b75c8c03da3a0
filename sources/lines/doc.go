// Package lines finds the lines of a text that are rows: in one stretch of a file
// after another, or in all of them at once. JSON lines and lines of text are
// found so, and csv guesses with it how many rows there are.
//
//	chunk := lines.Chunk{Rule: rule}
//	chunk.Cut(data, lo, hi)                    // in parallel: the rows that begin in data[lo:hi]
//
//	cutter := lines.Cutter{Rule: rule}
//	n, blank, more := cutter.Next(window, eof) // a stream: the definition
//
// Lines end with LF. A byte order mark belongs to no line.
package lines
