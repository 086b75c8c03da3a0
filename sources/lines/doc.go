// Package lines finds the lines that are rows, either in ranges of a file or serially in
// a stream. JSON lines and text lines are found with it, and csv uses it to estimate the number of
// rows.
//
//	chunk := lines.Chunk{Rule: rule}
//	chunk.Cut(data, lo, hi)                    // in parallel: the rows that begin in data[lo:hi]
//
//	cutter := lines.Cutter{Rule: rule}
//	n, blank, more := cutter.Next(window, eof) // a stream: the definition
//
// Lines end with LF. A byte order mark is not part of a line.
package lines
