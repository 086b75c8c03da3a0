package report_test

import (
	"fmt"
	"strings"
	"testing"

	"tfr-build/dataset"
)

// TestStrata shows the rows and shares of values, and how many more there are.
func TestStrata(t *testing.T) {
	p := small()
	s := dataset.Stratified{Column: "kind", By: "<user>", Splits: []string{"train", "test"}, Strata: 3000}
	for i := range 200 {
		s.Values = append(s.Values, dataset.Stratum{Value: fmt.Sprintf(`"<%d>"`, i), Rows: []int64{80, 20}})
	}
	p.Manifest.Stratified = []dataset.Stratified{s, {Column: "hidden", Splits: []string{"train", "test"}, Strata: 7}}
	page := string(render(t, p))
	for _, want := range []string{
		"Shares of <bdi>kind</bdi>", `<th scope="col">rows<th`,
		"<bdi>&#34;&lt;99&gt;&#34;</bdi><td>100<td>80 <span>80.0%</span><td>20 <span>20.0%</span>",
		"divide them. All rows with the same <bdi>&lt;user&gt;</bdi> count for the value that most of them " +
			"have</caption>", "and 2,900 values", "Shares of <bdi>hidden</bdi>", "7 values, which the config hides",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(page, "&lt;100&gt;") {
		t.Error("the page has more than 100 values")
	}
	p.Manifest.Groups = 9
	for _, want := range []string{`<th scope="col">records<th`, "<caption>The records of each value",
		"All records with the same <bdi>&lt;user&gt;</bdi>"} {
		if page := string(render(t, p)); !strings.Contains(page, want) {
			t.Errorf("with groups, the page does not say %q", want)
		}
	}
	p.Manifest.Stratified[0].By = ""
	if page := string(render(t, p)); !strings.Contains(page, "as the splits divide them</caption>") {
		t.Error("without groups, the page does not say what is counted")
	}
}
