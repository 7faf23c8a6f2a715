import { type Head, RegistryError, type Registry } from '@openfountain/core'
import { invalidBecause } from '@openfountain/core/internal'
import {
  checkpointOf,
  cosignature,
  NoteError,
  parsedNote,
  type SigningKey,
  type Split,
  verifiedCheckpoint,
  verifiedSplit,
  type VerifierKey,
  Witness,
  type WitnessStore,
} from '@openfountain/tlog'
import type { Instance } from './instance.ts'

/** What makes a mirror a witness of the log that it follows. */
export interface Watching {
  /** Of the log, from elsewhere than the instance. */
  readonly keys: readonly VerifierKey[]
  readonly key: SigningKey
  readonly store: WitnessStore
}

const knownOf = (source: string) => ({ ...checkpointOf(parsedNote(source)), source })
type Known = ReturnType<typeof knownOf>

/** Compares the checkpoints of an instance with the copy of its log, and with the last one. */
export type Watch = ReturnType<typeof watchOf>

export function watchOf({ changes }: Registry, instance: Instance, { keys, key, store }: Watching) {
  let fresh: Known | undefined

  async function both(): Promise<[Known, Known | undefined]> {
    if (fresh === undefined) throw new Error('the instance was not asked for its checkpoint')
    const kept = await store.last(fresh.origin)
    return [fresh, kept === undefined ? undefined : knownOf(kept)]
  }

  /** Whether the copy continues a checkpoint. */
  const has = async ({ size, root }: Known): Promise<boolean> =>
    size <= (await changes.head()).id && (await changes.head(size)).hash === root

  /** @throws RegistryError CHAIN_BROKEN */
  async function mustHave(known: Known): Promise<void> {
    const { origin, size: id, root: hash } = known
    if (await has(known)) return
    const message = `The checkpoint that ${origin} signed with ${id} entries is not that of the entries that it returns: ask the operator why.`
    throw new RegistryError('CHAIN_BROKEN', message, { id, hash })
  }

  async function evidence(): Promise<Split | undefined> {
    const [given, last] = await both()
    if (last === undefined) return undefined
    const [smaller, larger] = given.size < last.size ? [given, last] : [last, given]
    const checkpoints = [smaller.source, larger.source] as const
    const [from, to] = [smaller.size, larger.size]
    let [root, proof]: [string, readonly string[]] = [larger.root, []]
    if (from < to) {
      const isHere = await has(larger)
      root = (await (isHere ? changes : instance).head(from)).hash
      proof = isHere ? (await changes.consistency(from, to)).proof : await instance.consistency(from, to)
    }
    await verifiedSplit({ checkpoints, root, proof }, keys)
    return { checkpoints, root, proof }
  }

  return {
    /** How far the instance has signed its log. @throws RegistryError INVALID_INPUT unless by one of the keys */
    async head(): Promise<Head> {
      const source = (await instance.checkpoint()) ?? ''
      const { size, root } = await verifiedCheckpoint(source, keys).catch((error: unknown) => {
        if (!(error instanceof NoteError)) throw error
        throw invalidBecause('key', `the checkpoint of the instance ${error.message}`)
      })
      fresh = knownOf(source)
      return { id: size, hash: root }
    },

    /**
     * Cosigns the checkpoint once the copy has all that it is about, and keeps it.
     *
     * @returns its size, or that of the last one, if larger
     * @throws RegistryError CHAIN_BROKEN
     */
    async end(): Promise<number> {
      const [{ source, size }, last] = await both()
      await mustHave(knownOf(source))
      // A cache may have an older one.
      if (last !== undefined && last.size > size) return last.size
      if (last !== undefined) await mustHave(last)
      const witness = new Witness({ key, logs: keys, store })
      await cosignature(
        source,
        { log: keys, witness: key.verifier },
        (body) => witness.add(body),
        async (known) => (await changes.consistency(known, size)).proof,
      )
      return size
    },

    /** The error of a refused instance, with evidence where it signed both histories. */
    async refusal(refused: unknown): Promise<unknown> {
      if (!(refused instanceof RegistryError) || refused.code !== 'CHAIN_BROKEN') return refused
      const split = await evidence().catch(() => undefined)
      if (split === undefined) return refused
      const file = await store.split(knownOf(split.checkpoints[0]).origin, split)
      return new RegistryError(
        'CHAIN_BROKEN',
        `${refused.message} It signed both histories: ${file} is the evidence, which anybody can check with its key.`,
        { ...refused.details, evidence: file },
      )
    },
  }
}
