package work

import (
	"tfr-build/internal/sumline"
	"tfr-build/pipeline/plan"
)

// A Claim is stored next to the output while tasks build it. It says which work directory they
// use.
type Claim struct {
	Work   string   `json:"work"`   // path of the work directory
	Config string   `json:"config"` // path of the config
	Job    plan.Job `json:"job"`
}

// Claim returns the claim of the plan, encoded as a line of internal/sumline.
func (p *Plan) Claim() ([]byte, error) {
	return sumline.Encode(Claim{Work: p.Work, Config: p.Config.File, Job: p.Job})
}

// ParseClaim parses a stored claim. It returns nil if the claim is damaged.
func ParseClaim(text []byte) *Claim {
	c := new(Claim)
	if !sumline.Decode(text, c) {
		return nil
	}
	return c
}
