// Follows the log by the reference implementation of transparency logs, that of Go's checksum database.
//
//	follow PREFIX VERIFIER_KEY [EARLIER_CHECKPOINT [PROOF RECORD]...]
//
// It takes the checkpoint and the tiles under PREFIX, verifies every leaf of the log, that the log has
// grown from the earlier checkpoint, and each file that proves a record. The last line says how many.
package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type tiles struct{ prefix string }

func (tiles) Height() int { return 8 }

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (its tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var read [][]byte
	for _, tile := range wanted {
		// This library has the height in its paths; in the standard it is always 8.
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		content, err := get(its.prefix + path)
		if err != nil {
			return nil, err
		}
		read = append(read, content)
	}
	return read, nil
}

// What was read before: the library reads a tile again for each leaf.
var kept = map[string][]byte{}

func get(url string) ([]byte, error) {
	if content, known := kept[url]; known {
		return content, nil
	}
	answer, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, answer.Status)
	}
	content, err := io.ReadAll(answer.Body)
	if err == nil {
		kept[url] = content
	}
	return content, err
}

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func hashOf(text string) tlog.Hash {
	var hash tlog.Hash
	octets, err := base64.StdEncoding.DecodeString(text)
	must(err)
	copy(hash[:], octets)
	return hash
}

func treeOf(checkpoint []byte, key note.Verifier) tlog.Tree {
	opened, err := note.Open(checkpoint, note.VerifierList(key))
	must(err)
	lines := strings.Split(opened.Text, "\n")
	if lines[0] != key.Name() {
		must(fmt.Errorf("found a checkpoint of %s", lines[0]))
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	must(err)
	return tlog.Tree{N: size, Hash: hashOf(lines[2])}
}

func read(path string) string {
	content, err := os.ReadFile(path)
	must(err)
	return string(content)
}

func verifyFile(proof, record string, key note.Verifier) {
	head, checkpoint, _ := strings.Cut(proof, "\n\n")
	lines := strings.Split(head, "\n")
	if lines[0] != "c2sp.org/tlog-proof@v1" {
		must(fmt.Errorf("found a file of %s", lines[0]))
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[1], "index "), 10, 64)
	must(err)
	var path tlog.RecordProof
	for _, line := range lines[2:] {
		path = append(path, hashOf(line))
	}
	tree := treeOf([]byte(checkpoint), key)
	must(tlog.CheckRecord(path, tree.N, tree.Hash, index, tlog.RecordHash([]byte(record))))
}

func main() {
	prefix := os.Args[1]
	key, err := note.NewVerifier(os.Args[2])
	must(err)
	checkpoint, err := get(prefix + "checkpoint")
	must(err)
	tree := treeOf(checkpoint, key)
	hashes := tlog.TileHashReader(tree, tiles{prefix})
	for leaf := int64(0); leaf < tree.N; leaf++ {
		path, err := tlog.ProveRecord(tree.N, leaf, hashes)
		must(err)
		found, err := hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, leaf)})
		must(err)
		must(tlog.CheckRecord(path, tree.N, tree.Hash, leaf, found[0]))
	}
	if len(os.Args) > 3 {
		earlier := treeOf([]byte(read(os.Args[3])), key)
		path, err := tlog.ProveTree(tree.N, earlier.N, hashes)
		must(err)
		must(tlog.CheckTree(path, tree.N, tree.Hash, earlier.N, earlier.Hash))
	}
	files := 0
	for place := 4; place+1 < len(os.Args); place += 2 {
		verifyFile(read(os.Args[place]), read(os.Args[place+1]), key)
		files++
	}
	fmt.Printf("%d leaves and %d files are right\n", tree.N, files)
}
