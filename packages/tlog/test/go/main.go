// Checks a log in a folder, or makes one, with golang.org/x/mod/sumdb.
package main

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// The path of a tile without its height.
func pathOf(tile tlog.Tile) string {
	return strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
}

type folder string

func (f folder) Height() int { return 8 }
func (f folder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		data, err := os.ReadFile(filepath.Join(string(f), pathOf(tile)))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}
func (f folder) SaveTiles([]tlog.Tile, [][]byte) {}

func (f folder) write(name string, data []byte) {
	file := filepath.Join(string(f), name)
	must(os.MkdirAll(filepath.Dir(file), 0o755))
	must(os.WriteFile(file, data, 0o644))
}

// The path of a bundle with the entries of a tile of level 0.
func bundlePath(index int64, width int) string {
	return strings.Replace(pathOf(tlog.Tile{H: 8, L: 0, N: index, W: width}), "tile/0/", "tile/entries/", 1)
}

func check(f folder, key string, proofs string) {
	verifier, err := note.NewVerifier(key)
	must(err)
	source, err := os.ReadFile(filepath.Join(string(f), "checkpoint"))
	must(err)
	opened, err := note.Open(source, note.VerifierList(verifier))
	must(err)
	lines := strings.Split(opened.Text, "\n")
	var size int64
	_, err = fmt.Sscan(lines[1], &size)
	must(err)
	root, err := tlog.ParseHash(lines[2])
	must(err)
	reader := tlog.TileHashReader(tlog.Tree{N: size, Hash: root}, f)
	for start := int64(0); start < size; start += 256 {
		width := 256
		if size-start < 256 {
			width = int(size - start)
		}
		bundle, err := os.ReadFile(filepath.Join(string(f), bundlePath(start/256, width)))
		must(err)
		for index := start; len(bundle) > 0; index++ {
			length := binary.BigEndian.Uint16(bundle)
			proof, err := tlog.ProveRecord(size, index, reader)
			must(err)
			must(tlog.CheckRecord(proof, size, root, index, tlog.RecordHash(bundle[2:2+length])))
			bundle = bundle[2+length:]
		}
	}
	// Proofs that others made: of a leaf, and from an older tree.
	var given []struct {
		Index, Known    int64
		Leaf, KnownRoot tlog.Hash
		Included, Since []tlog.Hash
	}
	data, err := os.ReadFile(proofs)
	must(err)
	must(json.Unmarshal(data, &given))
	for _, one := range given {
		must(tlog.CheckRecord(one.Included, size, root, one.Index, one.Leaf))
		must(tlog.CheckTree(one.Since, size, root, one.Known, one.KnownRoot))
	}
	fmt.Printf("%s has %d entries, and %d proofs hold\n", lines[0], size, len(given))
}

type hashes []tlog.Hash

func (h *hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var all []tlog.Hash
	for _, index := range indexes {
		all = append(all, (*h)[index])
	}
	return all, nil
}

func make_(f folder, size int64) {
	private, public, err := note.GenerateKey(rand.Reader, "go.example/log")
	must(err)
	var stored hashes
	var bundle []byte
	for index := int64(0); index < size; index++ {
		record := []byte(fmt.Sprintf("record %d", index))
		added, err := tlog.StoredHashes(index, record, &stored)
		must(err)
		stored = append(stored, added...)
		bundle = append(binary.BigEndian.AppendUint16(bundle, uint16(len(record))), record...)
		width := int(index%256) + 1
		if width == 256 || index == size-1 {
			f.write(bundlePath(index/256, width), bundle)
			bundle = nil
		}
	}
	for _, tile := range tlog.NewTiles(8, 0, size) {
		data, err := tlog.ReadTileData(tile, &stored)
		must(err)
		f.write(pathOf(tile), data)
	}
	root, err := tlog.TreeHash(size, &stored)
	must(err)
	signer, err := note.NewSigner(private)
	must(err)
	signed, err := note.Sign(&note.Note{Text: fmt.Sprintf("go.example/log\n%d\n%s\n", size, root)}, signer)
	must(err)
	f.write("checkpoint", signed)
	f.write("key", []byte(public))
	f.write("private", []byte(private))
	type proof struct {
		Index    int64
		Included tlog.RecordProof
		Since    tlog.TreeProof
	}
	var all []proof
	for _, index := range []int64{0, 1, 254, 255, 256, size - 1} {
		included, err := tlog.ProveRecord(size, index, &stored)
		must(err)
		since, err := tlog.ProveTree(size, index+1, &stored)
		must(err)
		all = append(all, proof{index, included, since})
	}
	data, err := json.Marshal(all)
	must(err)
	f.write("proofs.json", data)
}

func main() {
	if os.Args[1] == "check" {
		check(folder(os.Args[2]), os.Args[3], os.Args[4])
		return
	}
	var size int64
	_, err := fmt.Sscan(os.Args[3], &size)
	must(err)
	make_(folder(os.Args[2]), size)
}
