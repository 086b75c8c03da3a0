// Kubernetes runs the Job of docs/how-to/many-machines.md on Kubernetes' own API server and Job
// controller. Its pods are processes, which a kubelet of some lines starts with the
// variables that the controller gives them. Tasks are disturbed, and the bytes are
// compared with the dataset of one process.
//
//	go -C lab/kubernetes build -o ../../bin/kubernetes . && cd lab && ../bin/kubernetes
//
// It is a module of its own: compiling it takes minutes, and what it needs is needed
// nowhere else. All of the cluster is in this binary:
//
//	etcd ◄── API server ◄─┬─ Job controller
//	                      └─ kubelet ─► tfr-build task all, a process a pod
//
// It has neither containers, a scheduler, nor volumes.
package main

import (
	"os"
	"path/filepath"

	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"

	"tfr-build/lab/engine"
)

func main() {
	if len(os.Args) > 1 {
		part := os.Args[1]
		os.Args = append(os.Args[:1], os.Args[2:]...)
		switch part {
		case "apiserver":
			os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
		case "controllers":
			os.Exit(cli.Run(controllers.NewControllerManagerCommand()))
		}
	}
	engine.Main("kubernetes", func() error { return nil }, run)
}

// run starts the cluster and tries the Job.
func run(dir string) error {
	data := filepath.Join(dir, "data")
	if err := engine.Prepare(data, 3_000_000); err != nil {
		return err
	}
	c, err := startCluster(filepath.Join(dir, "cluster"))
	if err != nil {
		return err
	}
	return c.disturb(data)
}
