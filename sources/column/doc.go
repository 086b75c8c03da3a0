// Package column computes which columns the rows of a source have, and where each comes from. The
// config uses it to check everything that can be known without a file. The reader uses it to find
// the source of each column of a feature.
//
// Columns are added in steps, and each step sees the columns of the steps before it:
//
//	own → from_path → rename → set → join → load → derive
//
//	own := in.Columns()                     // the source type's, as far as they are known
//	set := column.Derive(own, steps, report) // after all steps
//	c, ok := set.Find("user.id")            // where it comes from
//
// A set may be open: then the files may have columns that are not known. In a nested set a name may
// be a path into a column. The path begins with the column's own name: a.b is found in a, even if a
// was renamed. A column without a usable name can be referred to by its position, as @0. Such a
// name never conflicts with a column name, which takes precedence.
package column
