import {
  isIncluded,
  NoteError,
  type VerifiedCheckpoint,
  verifiedCheckpoint,
  type VerifierKey,
} from '@openfountain/tlog'
import { z } from 'zod'
import { invalidBecause } from '../errors.ts'
import { LoggedEntry, subjectActions } from './entry.ts'
import { leafOf } from './leaf.ts'

const Hash = z.string().regex(/^[0-9a-f]{64}$/u)

const acts = Object.values(subjectActions).flat()

export const LogProof = z.object({
  format: z.literal('openfountain-proof/1'),
  /** A signed note (C2SP tlog-checkpoint). */
  checkpoint: z.string(),
  entries: z
    .array(LoggedEntry.extend({ at: z.iso.datetime(), action: z.enum(acts), proof: z.array(Hash) }))
    .min(1),
})
export type LogProof = z.output<typeof LogProof>

/**
 * Verifies a proof without a registry.
 *
 * @param keys of the log, from elsewhere than the proof
 * @throws RegistryError INVALID_INPUT, with the entry or the signature that does not hold
 */
export async function verifyProof(
  given: unknown,
  keys: readonly VerifierKey[],
): Promise<LogProof & { readonly signed: VerifiedCheckpoint }> {
  const { data: proof } = LogProof.safeParse(given)
  if (proof === undefined) throw invalidBecause('proof', 'is not a proof.json of openfountain')
  const signed = await verifiedCheckpoint(proof.checkpoint, keys).catch((error: unknown) => {
    throw error instanceof NoteError ? invalidBecause('proof.checkpoint', error.message) : error
  })
  for (const entry of proof.entries) {
    let hash = ''
    try {
      hash = leafOf(entry)
    } catch (error) {
      throw invalidBecause(`entry ${entry.id}`, error instanceof Error ? error.message : 'is not sound')
    }
    if (!isIncluded({ index: entry.id - 1, hash }, signed, entry.proof))
      throw invalidBecause(`entry ${entry.id}`, 'is not in the log of the checkpoint')
  }
  return { ...proof, signed }
}
