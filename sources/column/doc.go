// Package column says which columns the rows of a source have, and where each
// comes from. It is the one algebra of columns: the config checks with it what
// can be known without a file, and the reader finds with it what each
// column of a feature is made of.
//
// Columns come into being in steps, and each step sees what came before it:
//
//	own → from_path → rename → set → join → load → derive
//
//	own := in.Columns()                     // the kind's, as far as they are known
//	set := column.Derive(own, steps, fault) // and after all steps
//	c, ok := set.Find("user.id")            // where it comes from
//
// A set may be open: then there may be columns that only the files tell. Where
// it is nested a name may be a path into a column, which its own name begins:
// a.b is found in a, whatever a was called before it was renamed. A column without a
// name of its own may be named by its place, as @0: it clashes with none, and any
// other of that name goes before it.
package column
