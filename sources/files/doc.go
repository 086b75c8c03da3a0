// Package files is where input files are: it lists them, by a pattern or below a
// folder, and reads them. Nothing above it opens an input itself, and nothing above it
// asks where one stands:
//
//	patterns ─Expand─► files ─Open, Map─► their bytes        tables, arrays, records
//	folder ───Walk───► files ─Folder.Read─► their content    files that are rows
//	folder ────────────names─► Root.Read ─► their content    files that rows name
//
// What tells whether a file is still the one that was listed stands in a
// [File]; reading another is [ErrChanged].
//
// What reads many rows of a file does so in memory: of a mapping, or of a window that
// a [Handle] fills. No row costs a call through the seam.
package files
