export { base64Of, bytesOfBase64 } from './bytes.ts'
export * from './checkpoints.ts'
export * from './notes.ts'
export * from './tiles.ts'
export * from './witness.ts'
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
