export { base64Of, bytesOfBase64 } from './bytes.ts'
export {
  type Checkpoint,
  checkpointOf,
  checkpointText,
  type VerifiedCheckpoint,
  verifiedCheckpoint,
} from './checkpoints.ts'
export {
  newSigningKey,
  type Note,
  NoteError,
  noteText,
  parsedNote,
  type Signature,
  signatureLine,
  signed,
  type Signer,
  signersOf,
  type SigningKey,
  signingKey,
  type VerifierKey,
  verifierKey,
  verifierText,
} from './notes.ts'
export { followedSigner, type LogSigner, logSigner } from './signer.ts'
export {
  bundleBytes,
  entriesOf,
  hasTile,
  type Tile,
  tileBytes,
  tileOfPath,
  tilePath,
  tilesOf,
  treeOfTiles,
} from './tiles.ts'
export {
  cosignature,
  type Split,
  verifiedSplit,
  Witness,
  type WitnessAnswer,
  type WitnessOptions,
  type WitnessStore,
} from './witness.ts'
export {
  consistencyProof,
  emptyRoot,
  hashOfLeaf,
  inclusionProof,
  isConsistent,
  isIncluded,
  rootAt,
  sha256,
  tileWidth,
  type TreeReads,
} from './tree.ts'
