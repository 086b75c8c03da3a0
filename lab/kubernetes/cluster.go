package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// token is the token of all clients: no one else can reach the server.
const token = "everybody"

// kubeconfig is the configuration of the Job controller.
const kubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: one, cluster: {server: "https://127.0.0.1:6443", insecure-skip-tls-verify: true}}]
users: [{name: one, user: {token: ` + token + `}}]
contexts: [{name: one, context: {cluster: one, user: one}}]
current-context: one
`

// A cluster is Kubernetes, as far as Jobs need it.
type cluster struct {
	dir    string
	client *kubernetes.Clientset
}

// startCluster starts etcd, the API server and the Job controller.
func startCluster(dir string) (*cluster, error) {
	c := &cluster{dir: dir}
	if err := c.files(); err != nil {
		return nil, err
	}
	if err := c.startEtcd(); err != nil {
		return nil, err
	}
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := c.start("apiserver", "--etcd-servers=http://127.0.0.1:2379", "--bind-address=127.0.0.1",
		"--advertise-address=10.99.0.1",
		"--endpoint-reconciler-type=none", "--cert-dir="+dir, "--token-auth-file="+file("tokens"),
		"--authorization-mode=AlwaysAllow",
		"--service-account-issuer=https://localhost", "--service-account-key-file="+file("key"),
		"--service-account-signing-key-file="+file("key"),
		"--service-cluster-ip-range=10.98.0.0/24", "--disable-admission-plugins=ServiceAccount"); err != nil {
		return nil, err
	}
	config := &rest.Config{Host: "https://127.0.0.1:6443", BearerToken: token,
		TLSClientConfig: rest.TLSClientConfig{Insecure: true}, QPS: -1}
	var err error
	if c.client, err = kubernetes.NewForConfig(config); err != nil {
		return nil, err
	}
	if err := c.await(); err != nil {
		return nil, err
	}
	return c, c.start("controllers", "--kubeconfig="+file("kubeconfig"), "--controllers=job-controller",
		"--leader-elect=false", "--secure-port=0")
}

// files writes the files that the programs read.
func (c *cluster) files() error {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	for name, text := range map[string]string{"key": string(text), "kubeconfig": kubeconfig,
		"tokens": token + ",one,one,system:masters\n"} {
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// startEtcd starts etcd in this process.
func (c *cluster) startEtcd() error {
	config := embed.NewConfig()
	config.Dir, config.LogLevel, config.UnsafeNoFsync = filepath.Join(c.dir, "etcd"), "error", true
	client := url.URL{Scheme: "http", Host: "127.0.0.1:2379"}
	config.ListenClientUrls, config.AdvertiseClientUrls = []url.URL{client}, []url.URL{client}
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return err
	}
	<-etcd.Server.ReadyNotify()
	return nil
}

// start starts a part of this binary, which writes its log in the directory.
func (c *cluster) start(part string, args ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(c.dir, part+".log"))
	if err != nil {
		return err
	}
	cmd := exec.Command(self, append([]string{part}, args...)...)
	cmd.Stdout, cmd.Stderr = log, log
	return cmd.Start()
}

// await waits for the API server.
func (c *cluster) await() error {
	for range 600 {
		if _, err := c.client.CoreV1().Namespaces().Get(context.Background(), "default",
			metav1.GetOptions{}); err == nil {
			return nil
		}
		time.Sleep(200 * time.Millisecond)
	}
	log, _ := os.ReadFile(filepath.Join(c.dir, "apiserver.log"))
	return fmt.Errorf("the API server does not come up:\n%s", log[max(0, len(log)-2000):])
}
