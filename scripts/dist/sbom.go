package main

// writeSBOM lists the modules that a program is made of, as CycloneDX has them.
func writeSBOM(p program) error {
	tool, err := installed(cyclonedxTool)
	if err != nil {
		return err
	}
	env := []string{"GOOS=" + p.System, "GOARCH=" + p.Machine} // which it writes into the names of modules
	_, err = output(".", env, tool, "bin", "-json", "-noserial", "-notimestamp", "-std", "-version",
		p.Version, "-output", p.Path+".cdx.json", p.Path)
	return err
}
