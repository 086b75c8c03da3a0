// Package xml implements the source type `xml`, whose rows are the XML documents below a
// directory: each file is a row. With the options files and rows, each element at a path is a row.
//
//	source:
//	  xml: {dir: Annotations}
//
//	<annotation verified="yes">           annotation.@verified        yes
//	  <size><width>500</width></size>     annotation.size.width       500
//	  <object><name>cat</name></object>   annotation.object.*.name    [cat, dog]
//	  <object><name>dog</name></object>   annotation.object.1.name    dog
//	</annotation>
//
// # Columns
//
// A column is a path: names of elements from the root on, with a dot between. The value is the text
// of the element at its end, or with @ the value of an attribute. `.*` after a name leads to all
// elements of that name in their parent, and makes a list; a number leads to one of them, from 0 on.
// A name alone stands for one element. A second one is an error, because it would be lost. The
// columns of the file's name, such as stem, exist too.
//
// A list has one element per element of the document, Missing if the rest of the path leads
// nowhere. So lists through the same elements have equal lengths. If a parent has no element of the
// name, its list is empty; without the parent, the value is Missing.
//
// # Parsing
//
//	file ─charset─► UTF-8 ─► tokens ─┬─ tree of the paths ─► values
//	                                 ╰─ nesting, attributes, one root
//
// The tokens come from encoding/xml in its strict mode, with names as they are written: prefixes
// of name spaces are part of a name. The package checks what the tokenizer leaves open. It reads
// no DTD: a document whose DOCTYPE has declarations of its own is an error, since they could define
// entities and values. So only the five predefined entities exist.
//
// # Elements as rows
//
// A document is cut once from beginning to end, in parts, by a [table.Cutter] whose tokens are those above. The
// scanner checks the text in rows. An error in markup makes the elements ambiguous, so it rejects the document. The
// scanner reads the element at an offset like a document. If that fails, it measures the element with a cutter, to
// find the same error. A document that is cut short ends with an invalid row, which may have no byte.
//
// The package has the name markup, because xml is the name of the standard library's.
package xml
